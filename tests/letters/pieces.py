"""What of a letter might be read as new text when its quotation marks get lost."""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise

from pbem.commands import would_parse

WIDTHS = range(40, 73)
known: dict[str, bool] = {}


def pieces(text: str) -> list[str]:
    """Every line of a text, and every piece of one that a mail program wraps."""
    return list(dict.fromkeys(piece for line in text.splitlines() for piece in _of_line(line)))


@cache  # many lines stand in letter after letter
def _of_line(line: str) -> tuple[str, ...]:
    found = {line: None}
    for width in WIDTHS:
        if width >= len(line):
            break
        wrapped = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
        found |= dict.fromkeys(wrapped)
    if columns(line) > len(line):
        for width in WIDTHS:
            found |= dict.fromkeys(broken(line, width))
    return tuple(found)


NOT_FIRST = "，。、；：？！）」』》】”’…%,.;:?!)"
NOT_LAST = "（「『《【“‘("


def broken(line: str, width: int) -> Iterator[str]:
    """The pieces of a line with Chinese in it, which is broken between its characters, but
    for punctuation and where a joiner forbids it (UAX 14)."""
    ends = list(accumulate(map(columns, line), initial=0))
    may = [False, *(_may_break(before, after) for before, after in pairwise(line))]
    start, last = 0, len(line)
    while ends[last] - ends[start] > width:
        end = start + 1
        while ends[end + 1] - ends[start] <= width:
            end += 1
        cut = next((at for at in range(end, start, -1) if may[at]), None)
        if cut is None:
            break
        yield line[start:cut].strip(" ")
        start = cut
        while start < last and line[start] == " ":
            start += 1
        while start < last and line[last - 1] == " ":
            last -= 1
    yield line[start:last]


def _may_break(before: str, after: str) -> bool:
    if before == " " or after == " ":
        return True
    if "\u2060" in (before, after) or "\u00a0" in (before, after):
        return False
    wide = columns(before) == 2 or columns(after) == 2
    return wide and after not in NOT_FIRST and before not in NOT_LAST


@cache
def columns(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def commands_in(texts: Iterable[str]) -> list[str]:
    """The pieces that would be taken for a command."""
    found = []
    for text in texts:
        for piece in pieces(text):
            if piece not in known:
                known[piece] = would_parse(piece)
            if known[piece]:
                found.append(piece)
    return found
