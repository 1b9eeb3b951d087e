"""Other people's bytes on our pages: shown, never obeyed.

Jinja escapes what could be markup; here what could hide or reorder text is made visible,
and what would make a page endless is cut.
"""

import re
import unicodedata

from flask import Flask

from pbem.logs import BEFORE_SECRETS

MOST_CHARACTERS = 100_000
MOST_LINES = 2_000
LONGEST_LINE = 1_000

_KEPT = frozenset("\n\t\u200c\u200d")  # the last two join and part letters and emoji
_TOKEN = r"[a-z2-7](?:=\r?\n)?" * 26  # also across a soft line end
_SECRETS = re.compile(rf"(?i)({BEFORE_SECRETS})({_TOKEN})(?![a-z2-7])")


def inert(text: str) -> str:
    """A text with its control characters, direction overrides and invisible characters
    written out (``[U+202E]``), long lines and endless texts cut."""
    cut = text[:MOST_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n")
    lines = cut.split("\n", MOST_LINES)
    shown = [_line(line) for line in lines[:MOST_LINES]]
    if len(text) > MOST_CHARACTERS or len(lines) > MOST_LINES:
        shown.append("… (the rest is not shown)")
    return "\n".join(shown)


def visible(text: str) -> str:
    """A text with what could hide or reorder it written out; nothing is cut."""
    return text if text.isprintable() else "".join(map(_character, text.replace("\r", "")))


def inert_line(text: str, most: int = 200) -> str:
    """The same for a text that is to stand in one line."""
    line = _line(" ".join(text[: most * 4].split()))
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def masked(text: str) -> str:
    """A mail's source without the secrets of our letters that it quotes: reply addresses
    and links, also where quoted-printable broke them over two lines."""
    return _SECRETS.sub(r"\1…", text)


def _line(line: str) -> str:
    more = len(line) - LONGEST_LINE
    kept = line if more <= 0 else line[:LONGEST_LINE]
    shown = kept if kept.isprintable() else "".join(map(_character, kept))
    return shown if more <= 0 else f"{shown} … ({more} more characters)"


def _character(char: str) -> str:
    if char in _KEPT or char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    return f"[U+{ord(char):04X}]"


def install(app: Flask) -> None:
    """Give the templates `inert`, `inert_line` and `masked`."""
    app.jinja_env.filters.update(inert=inert, inert_line=inert_line, masked=masked)
