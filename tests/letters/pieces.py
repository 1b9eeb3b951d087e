"""What of a letter might be read as new text when its quotation marks get lost."""

import textwrap
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
