"""Where a quote is introduced: "On … wrote:", header blocks, separators, forwarded mail.

An introduction is known by its form in any language (a date, an address, a colon at the
end) and by the words of `pbem.intake.header_words`.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.intake.header_words import (
    FORWARD_OPENINGS,
    FORWARD_TITLES,
    LABELS,
    ORIGINAL_TITLES,
    QUOTING,
    WROTE,
    phrases,
)
from pbem.intake.lines import ATTRIBUTION, FORWARD, Line, fold

HEADER, SEPARATOR = "header", "separator"


@dataclass(frozen=True, slots=True)
class Introduction:
    """Lines `first` to `last` introduce what follows: an ATTRIBUTION, a HEADER block, a
    SEPARATOR or a FORWARD."""

    kind: str
    first: int
    last: int


def _alternation(table: str) -> str:
    return "|".join(re.escape(phrase) for phrase in phrases(table))


_LABEL = re.compile(
    r"[\s*|]{0,6}(?:"
    + "|".join(f"(?P<{role}>{_alternation(table)})" for role, table in LABELS.items())
    + r")[\s*]{0,4}[:：|]"
)
_RULE = r"[-_=*─—–~]{2,60}"
_TITLE = re.compile(
    rf"\s*(?:{_RULE}\s*(?:(?P<original>{_alternation(ORIGINAL_TITLES)})"
    rf"|(?P<forward>{_alternation(FORWARD_TITLES)}))(?:\s+from .{{0,80}})?\s*(?:{_RULE}|:)"
    rf"|(?P<opening>{_alternation(FORWARD_OPENINGS)})\s*[:：])\s*"
)
_BARE_RULE = re.compile(r"\s*[-_=*─—–]{5,200}\s*")
_VERB = re.compile(
    rf"(?<!\w)(?:{_alternation(WROTE)})(?!\w)|写道|寫道|が書きました|님이 작성|쓴 글"
)
_QUOTING = re.compile(rf"\s*(?:{_alternation(QUOTING)})(?!\w)")
_ADDRESS = re.compile(r"(?<![^\s<(\[\"'“„:：于於在])[^\s<>()\[\]@]{1,256}+@[\w-]+(?:\.[\w-]+)+")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\d{1,4}[-./年]\s?\d{1,2}[-./月]\s?\d{1,4}"
    r"|\b\d{1,2}[:.h]\d\d\b|[時时点點]\d\d|오[전후] ?\d|[上下]午 ?\d|晚上 ?\d"
)
_COLON_AT_END = re.compile(r"[:：]\s*$")
_MAX_INTRODUCTIONS = 100  # in one mail
_MAX_INTRODUCTION = 600  # characters
_MAX_WRAPPED = 5  # lines
_WRAPPED_AT = 42  # columns: a line that could have held the next word was not broken there
_MAX_BLOCK = 14  # lines of a header block, wrapped lists of recipients included


def introductions(lines: Sequence[Line]) -> list[Introduction]:
    """Every introduction among the bare lines, in order, none overlapping."""
    found: list[Introduction] = []
    free = 0  # the first line that belongs to none yet
    number = 0
    while number < len(lines) and len(found) < _MAX_INTRODUCTIONS:
        line = lines[number]
        introduction = None
        if line.depth == 0 and line.text:
            introduction = _at(lines, number, free)
        if introduction is None:
            number += 1
            continue
        found.append(introduction)
        free = number = introduction.last + 1
    return found


def _at(lines: Sequence[Line], number: int, free: int) -> Introduction | None:
    """The introduction that begins here (or ends here, for one that is known by its end)."""
    text = lines[number].text
    if len(text) > _MAX_INTRODUCTION:
        return None
    folded = fold(text)
    if lines[number].role == ATTRIBUTION:
        last = number
        while last + 1 < len(lines) and lines[last + 1].role == ATTRIBUTION:
            last += 1
        forwarded = any(_is_forward(fold(lines[n].text)) for n in range(number, last + 1))
        return Introduction(FORWARD if forwarded else ATTRIBUTION, number, last)
    title = _TITLE.fullmatch(folded)
    if title is not None:
        kind = SEPARATOR if title["original"] else FORWARD
        if title["opening"] and not title["opening"].endswith("転送") and len(folded) > 80:
            return None
        block = _header_block(lines, _next_text(lines, number + 1))
        if title["opening"] and block is None and kind == FORWARD and "forward" not in folded:
            # The words alone ("転送:") are too little.
            return None
        last = block if block is not None else number
        if kind == SEPARATOR and block is not None:
            kind = HEADER
        return Introduction(kind, number, last)
    if _BARE_RULE.fullmatch(text):
        block = _header_block(lines, _next_text(lines, number + 1))
        return Introduction(HEADER, number, block) if block is not None else None
    block = _header_block(lines, number, folded)
    if block is not None:
        return Introduction(HEADER, number, block)
    if _COLON_AT_END.search(text):
        first = _attribution(lines, number, free)
        if first is not None:
            return Introduction(ATTRIBUTION, first, number)
    return None


def _is_forward(folded: str) -> bool:
    title = _TITLE.fullmatch(folded)
    return title is not None and not title["original"]


def _next_text(lines: Sequence[Line], number: int) -> int:
    """The first line with text from here on, at most two blank ones skipped."""
    for at in range(number, min(number + 3, len(lines))):
        if lines[at].text:
            return at
    return number


def _header_block(lines: Sequence[Line], first: int, folded: str | None = None) -> int | None:
    """The last line of the header block that begins at `first`; None if there is none.

    It has a sender and two more of date, recipient and subject: nobody types that."""
    if first >= len(lines):
        return None
    match = _LABEL.match(folded if folded is not None else fold(lines[first].text))
    if match is None or match.lastgroup in ("other", "cc"):
        return None
    roles = {match.lastgroup}
    last = first
    for number in range(first + 1, min(first + _MAX_BLOCK, len(lines))):
        line = lines[number]
        if line.depth:
            break
        if not line.text:
            # A blank line ends the block, unless the fields are paragraphs of their own.
            following = _next_text(lines, number)
            if following >= len(lines) or not _LABEL.match(fold(lines[following].text)):
                break
            continue
        match = _LABEL.match(fold(line.text)) if len(line.text) < 2000 else None
        if match is not None:
            roles.add(match.lastgroup)
            last = number
        elif number == last + 1 and not _goes_on(lines, number):
            break
    return last if "from" in roles and len(roles & {"sent", "to", "subject"}) >= 2 else None


def _goes_on(lines: Sequence[Line], number: int) -> bool:
    """Whether a field's value goes on in this line: another field follows it directly."""
    return any(
        lines[at].text and _LABEL.match(fold(lines[at].text))
        for at in range(number + 1, min(number + 3, len(lines)))
        if all(lines[between].text for between in range(number, at))
    )


def _attribution(lines: Sequence[Line], last: int, free: int) -> int | None:
    """The first line of the attribution that ends with the colon of line `last`."""
    best: int | None = None
    text = ""
    for first in range(last, max(free, last - _MAX_WRAPPED + 1) - 1, -1):
        line = lines[first]
        if line.depth or not line.text:
            break
        if first < last and not _was_broken(line.text, lines[first + 1].text, text):
            break
        text = f"{line.text} {text}" if text else line.text
        if len(text) > _MAX_INTRODUCTION:
            break
        if _is_attribution(text, _before_quote(lines, last + 1)):
            best = first
    return best


def _was_broken(line: str, following: str, joined: str) -> bool:
    """Whether `following` looks like the rest of `line`, broken for its length."""
    if joined.count(">") > joined.count("<") or line.rstrip().endswith(("<", "(")):
        return True
    head = following.split(" ", 1)[0]
    return _columns(line) + min(_columns(head), 40) >= _WRAPPED_AT + 20 * (
        _VERB.search(fold(joined)) is not None and _ADDRESS.search(joined) is not None
    )


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


def _before_quote(lines: Sequence[Line], number: int) -> bool:
    """Whether a marked line follows, blank lines skipped."""
    at = _next_text(lines, number)
    return at < len(lines) and lines[at].depth > 0


def _is_attribution(text: str, before_quote: bool) -> bool:
    """Two signs of verb, address and date are enough; before a marked quote, one."""
    folded = fold(text)
    signs = (
        (_VERB.search(folded) is not None)
        + (_ADDRESS.search(text) is not None)
        + (_DATE.search(text) is not None)
        + (_QUOTING.match(folded) is not None)
    )
    return signs >= (1 if before_quote else 2)
