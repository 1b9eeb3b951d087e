"""One line that introduces a quote: "On … wrote:", in any language.

It is known by its form (an address, a date, a colon at the end) and by the verbs of
`pbem.intake.header_words`.
"""

import re
import unicodedata

from pbem.intake.header_words import QUOTING, WROTE, alternation
from pbem.intake.lines import fold

_VERB = re.compile(rf"(?<!\w)(?:{alternation(WROTE)})(?!\w)|写道|寫道|が書きました|님이 작성|쓴 글")
VERB_AT_END = re.compile(rf"(?<!\w)(?:{alternation(WROTE)})\s*$")
_QUOTING = re.compile(rf"\s*(?:{alternation(QUOTING)})(?!\w)")
_ADDRESS = re.compile(r"(?<![^\s<(\[\"'“„:：于於在])[^\s<>()\[\]@]{1,256}+@[\w-]+(?:\.[\w-]+)+")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,4}[-./]\s?\d{1,2}[-./]\s?\d{1,4}\b|\d{1,4}[年년]\s?\d{1,2}[月월]"
)
TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b|[時时点點시]\s?\d\d|오[전후] ?\d|[上下]午 ?\d|晚上 ?\d")
FRAMED = re.compile(r"\s*-{2,10}+\s[^-].{10,300}\s-{2,10}\s*")
# Yahoo's plain text puts the first line of the quote behind the introduction.
JOINED = re.compile(r"(.{20,300}?\w ?[:：]) {2,}\S")
_OPENING = re.compile(
    r"\s*(?:on|am|le|el|il|em|op|den|dne|w dniu|dnia|no dia|in data|στις|în|dana|в|在|於|于)\b",
    re.IGNORECASE,
)
_VERB_AND_COLON = re.compile(rf"(?<!\w)(?:{alternation(WROTE)})\s*[:：]\s*$")
COLON_AT_END = re.compile(r"[:：]\s*$")
_WRAPPED_AT = 42  # columns: a line that could have held the next word was not broken there


def signs(text: str) -> int:
    """How many signs of an attribution a text shows: two are enough, before a marked
    quote one is."""
    folded = fold(text)
    return (
        (_VERB.search(folded) is not None)
        + (_ADDRESS.search(text) is not None)
        + (_DATE.search(text) is not None)
        + (_QUOTING.match(folded) is not None)
    )


def is_framed(text: str) -> bool:
    """Whether a text has the very form "On … wrote:", whatever stands between the two."""
    opening = _OPENING.match(text)
    return opening is not None and _VERB_AND_COLON.search(fold(text), opening.end()) is not None


def was_broken(line: str, following: str, below: str) -> bool:
    """Whether `following` looks like the rest of `line`, broken for its length.

    `below` is the text from `following` on.  A line that adds a sign needs less room, one
    with an address none: no command looks so."""
    if below.count(">") > below.count("<") or line.rstrip().endswith(("<", "(")):
        return True
    gains = signs(f"{line} {below}") > signs(below)
    if gains and (_ADDRESS.search(line) or (_OPENING.match(line) and _DATE.search(line))):
        return True
    head = following.split(" ", 1)[0]
    wanted = _WRAPPED_AT if gains or signs(below) < 2 else _WRAPPED_AT + 20
    return _columns(line) + min(_columns(head), 40) >= wanted


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)
