"""HTML cut into tags and text, in linear time whatever it looks like.

`html.parser` needs minutes for some broken documents of 300 kB (an unclosed quotation mark
or comment is looked for again at every tag), so there is a scanner of our own.  It knows no
more of HTML than mail needs: tags, attributes, comments, and elements whose content is no
text.
"""

import re
from collections.abc import Iterator
from html import unescape

MAX_TOKENS = 50_000

Token = tuple[str, str, str]
"""``(kind, name, content)``: kind is "text" (content: the text), "open" (name, content: the
raw attributes) or "close" (name).  Names are in lower case."""

_NAME = re.compile(r"[A-Za-z][^\s/>]{0,60}")
_TAG_END = re.compile(r"""[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+>""")
_NO_TEXT = frozenset({"style", "script", "title", "template", "textarea", "xml", "noscript"})


class TooMuch(ValueError):
    """The document has more tags than are read."""


def tokens(html: str) -> Iterator[Token]:
    """The tokens of a document; raises `TooMuch` beyond `MAX_TOKENS`."""
    scanner = _Scanner(html)
    for count, token in enumerate(scanner.run()):
        if count >= MAX_TOKENS:
            raise TooMuch
        yield token


class _Scanner:
    """Every search that fails once is not tried again: that keeps the whole linear."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._missing: set[str] = set()
        self._quotes_close = True

    def run(self) -> Iterator[Token]:
        html = self._html
        position = 0
        length = len(html)
        while position < length:
            angle = html.find("<", position)
            if angle < 0:
                angle = length
            if angle > position:
                yield "text", "", unescape(html[position:angle])
            if angle == length:
                return
            following = html[angle + 1 : angle + 2]
            if following.isalpha():
                name_match = _NAME.match(html, angle + 1)
                if name_match is None:  # a letter beyond ASCII begins no tag
                    yield "text", "", "<"
                    position = angle + 1
                    continue
                name = name_match[0].lower()
                end = self._tag_end(name_match.end())
                yield "open", name, html[name_match.end() : end - 1]
                position = end
                if name in _NO_TEXT and html[end - 2] != "/":
                    position = self._after_element(name, end)
            elif following == "/":
                end = self._after(">", angle)
                closing = _NAME.match(html, angle + 2)
                if closing is not None:
                    yield "close", closing[0].lower(), ""
                position = end
            elif following == "!":
                is_comment = html.startswith("<!--", angle)
                position = self._after("-->" if is_comment else ">", angle)
            elif following == "?":
                position = self._after(">", angle)
            else:
                yield "text", "", "<"
                position = angle + 1

    def _after(self, mark: str, start: int) -> int:
        """Behind the next `mark`; the end of the next tag, or of the text, if there is none."""
        if mark not in self._missing:
            found = self._html.find(mark, start)
            if found >= 0:
                return found + len(mark)
            self._missing.add(mark)
        return len(self._html) if mark == ">" else self._after(">", start)

    def _tag_end(self, start: int) -> int:
        if self._quotes_close:
            match = _TAG_END.match(self._html, start)
            if match is not None:
                return match.end()
            self._quotes_close = False
        return self._after(">", start)

    def _after_element(self, name: str, start: int) -> int:
        """Behind the content of an element that holds no text for a reader."""
        close = f"</{name}"
        if close in self._missing:
            return start
        match = re.compile(re.escape(close), re.IGNORECASE).search(self._html, start)
        if match is None:
            self._missing.add(close)
            return start
        return match.start()


_ATTRIBUTE = re.compile(r"""([a-zA-Z][\w:-]*+)\s*+=\s*+("[^"]*+"?|'[^']*+'?|[^\s"']++)""")


def attributes(raw: str) -> dict[str, str]:
    """The attributes with a value, names in lower case; only a tag's first 4,000 characters."""
    return {
        match[1].lower(): unescape(match[2].strip("\"'")).strip()
        for match in _ATTRIBUTE.finditer(raw[:4000])
    }
