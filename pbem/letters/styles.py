"""Inline styles of the letters, worked out once a stylesheet.

Mail programs drop style sheets, so every element needs its own ``style``.  Doing that to
each letter would cost more than rendering it; instead the *templates* get their styles
when they are loaded: a ``class="a b"`` in one is followed by the declarations of these
classes.  Classes that the head's sheet (dark mode, phones) speaks of stay on the element.
"""

import re
from functools import cache
from pathlib import Path

import css_inline

_CLASS = re.compile(r'\bclass="([^"{}]*)"')
_STYLE = re.compile(r'style="([^"]*)"')
_SELECTOR = re.compile(r"\.([a-z][a-z0-9-]*)")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s*([{};:,>])\s*")


class Styles:
    """A sheet to be inlined and the sheet of the head."""

    def __init__(self, inline_css: str, head_css: str) -> None:
        self._css = inline_css
        self.head = _minified(head_css)
        self._kept = frozenset(_SELECTOR.findall(self.head))
        self._attributes: dict[str, str] = {}

    def attributes(self, classes: str) -> str:
        """The attributes of an element of these classes, with a space in front."""
        found = self._attributes.get(classes)
        if found is None:
            found = self._attributes[classes] = self._worked_out(classes)
        return found

    def inlined(self, source: str) -> str:
        """A template's source with the styles of its classes."""
        return _CLASS.sub(lambda match: self.attributes(match[1]).strip(), source)

    def _worked_out(self, classes: str) -> str:
        styled = css_inline.inline_fragment(f'<div class="{classes}"></div>', self._css)
        match = _STYLE.search(styled)
        kept = " ".join(name for name in classes.split() if name in self._kept)
        told = f' class="{kept}"' if kept else ""
        if match is not None:
            declarations = _SPACE.sub(r"\1", match[1]).rstrip("; ")
            told += f' style="{declarations}"'
        return told


@cache
def styles_in(folder: Path) -> Styles:
    """The styles of a folder of templates: ``_base/inline.css`` and ``_base/head.css``."""
    base = folder / "_base"
    return Styles(
        _COMMENT.sub("", (base / "inline.css").read_text(encoding="utf-8")),
        (base / "head.css").read_text(encoding="utf-8"),
    )


def _minified(css: str) -> str:
    return _SPACE.sub(r"\1", " ".join(_COMMENT.sub("", css).split())).replace(";}", "}")
