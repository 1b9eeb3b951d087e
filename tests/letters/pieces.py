"""What of a letter might be read as new text when its quotation marks get lost."""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator

from pbem.commands import would_parse

WIDTHS = range(40, 73)
known: dict[str, bool] = {}


def pieces(text: str) -> Iterator[str]:
    """Every line of a text, and every piece of one that a mail program wraps."""
    for line in text.splitlines():
        yield line
        for width in WIDTHS:
            if width >= len(line):
                break
            yield from textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
        if columns(line) > len(line):
            for width in WIDTHS:
                yield from broken(line, width)


NOT_FIRST = "，。、；：？！）」』》】”’…%,.;:?!)"
NOT_LAST = "（「『《【“‘("


def broken(line: str, width: int) -> Iterator[str]:
    """The pieces of a line with Chinese in it, which is broken between its characters, but
    for punctuation and where a joiner forbids it (UAX 14)."""
    piece = ""
    while columns(line) > width:
        end = next(end for end in range(1, len(line) + 1) if columns(line[: end + 1]) > width)
        cut = next((at for at in range(end, 0, -1) if _may_break(line, at)), None)
        if cut is None:
            break
        piece, line = line[:cut].strip(" "), line[cut:].strip(" ")
        yield piece
    yield line


def _may_break(line: str, at: int) -> bool:
    before, after = line[at - 1], line[at]
    if before == " " or after == " ":
        return True
    if "\u2060" in (before, after) or "\u00a0" in (before, after):
        return False
    wide = columns(before) == 2 or columns(after) == 2
    return wide and after not in NOT_FIRST and before not in NOT_LAST


def columns(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def commands_in(texts: Iterable[str]) -> list[str]:
    """The pieces that would be taken for a command."""
    found = []
    for text in texts:
        for piece in dict.fromkeys(pieces(text)):
            if piece not in known:
                known[piece] = would_parse(piece)
            if known[piece]:
                found.append(piece)
    return found
