"""What a table is called, and whether that tells who plays there."""

import re
import unicodedata

_WORD = re.compile(r"\w+")


def tells(title: str, name: str) -> bool:
    """Whether a title holds a word of a name, or has it as a part: Ann's, and where words
    have no spaces between them."""
    words = _folded(title)
    apart, whole = set(_WORD.findall(words)), "".join(words.split())
    return any(word in apart or (len(word) > 1 and word in whole) for word in _folded(name).split())


def neutral(game_id: int | None) -> str:
    """A title that tells nothing."""
    return f"Table {game_id}"


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
