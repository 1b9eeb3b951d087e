"""Where a quote is introduced: "On … wrote:", header blocks, separators, forwarded mail.

Each is known by its form, and by the words of `pbem.intake.header_words`.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pbem.intake.attribution import (
    COLON_AT_END,
    FRAMED,
    JOINED,
    TIME,
    VERB_AT_END,
    is_framed,
    signs,
    was_broken,
)
from pbem.intake.header_words import (
    FORWARD_OPENINGS,
    FORWARD_TITLES,
    LABELS,
    ORIGINAL_TITLES,
    alternation,
    phrases,
)
from pbem.intake.lines import ATTRIBUTION, FORWARD, TextLine, fold

HEADER, SEPARATOR = "header", "separator"


@dataclass(frozen=True, slots=True)
class Introduction:
    """Lines `first` to `last` introduce what follows: an ATTRIBUTION, a HEADER block, a
    SEPARATOR or a FORWARD."""

    kind: str
    first: int
    last: int


_LABELS = {label: role for role, table in LABELS.items() for label in phrases(table)}
_FIELD = re.compile(r"[\s*|]{0,6}([^:：|]{1,40}?)[\s*]{0,4}[:：|]")
# In a table turned into text a blank stands for the colon; only below a title.
_CELL = re.compile(r"\s{0,6}(\S{1,20})\s")
_RULE = r"[-_=*─—–~‐‑‒―]{2,60}+"
_TITLE = re.compile(
    rf"\s*(?:{_RULE}\s*(?:(?P<original>{alternation(ORIGINAL_TITLES)})"
    rf"|(?P<forward>{alternation(FORWARD_TITLES)}))(?:\s+from .{{0,80}})?\s*(?:{_RULE}|:)"
    rf"|(?P<opening>{alternation(FORWARD_OPENINGS)})\s*[:：])\s*"
)
# What every title, and every label, begins like: spares the long tables most lines.
_RULE_OR_OPENING = re.compile(r"\s*(?:[-_=*─—–~‐‑‒―]{2}|.{1,60}[:：]\s*$)")
_RULE_SIGNS = "-_=*─—–~‐‑‒―"
_BARE_RULE = re.compile(r"\s*[-_=*─—–‐‑‒―]{5,200}\s*")
_MAX_INTRODUCTIONS = 100  # in one mail
_MAX_LENGTH = 600  # characters
_MAX_TRIES = 600  # header blocks and attributions that are looked for
_MAX_WRAPPED = 5  # lines
_MAX_BLOCK = 14  # lines of a header block, wrapped lists of recipients included


def _role(label: str) -> str | None:
    """The role of a field's name; some Chinese programs stretch it with blanks."""
    folded = fold(label)
    return _LABELS.get(folded) or _LABELS.get("".join(folded.split()))


def introductions(lines: Sequence[TextLine]) -> list[Introduction]:
    """Every introduction among the bare lines, in order, none overlapping."""
    return _Finder(lines).run()


def attributions_above(lines: Sequence[TextLine], quoted: Collection[int]) -> list[Introduction]:
    """The attributions right above bare quotes (the lines `quoted`): as above marked ones,
    little says enough there."""
    finder = _Finder(lines, quoted)
    found = []
    for number in sorted(quoted):
        if number - 1 in quoted:
            continue
        above = next((n for n in range(number - 1, max(number - 4, -1), -1) if lines[n].text), None)
        if above is None or above in quoted or lines[above].depth:
            continue
        introduction = finder.at(above)
        if introduction is not None and introduction.kind == ATTRIBUTION:
            found.append(introduction)
    return found


class _Finder:
    def __init__(self, lines: Sequence[TextLine], quoted: Collection[int] = ()) -> None:
        self._lines = lines
        self._quoted = quoted
        self._labels: dict[int, str | None] = {}
        self._tries = _MAX_TRIES
        self._free = 0  # the first line that belongs to no introduction yet

    def run(self) -> list[Introduction]:
        found: list[Introduction] = []
        number = 0
        while number < len(self._lines) and len(found) < _MAX_INTRODUCTIONS:
            line = self._lines[number]
            introduction = None
            if line.depth == 0 and line.text and self._is_possible(number, line):
                introduction = self.at(number)
            if introduction is None:
                number += 1
                continue
            found.append(introduction)
            self._free = number = introduction.last + 1
        return found

    def _is_possible(self, number: int, line: TextLine) -> bool:
        """A quick look that spares most lines the closer ones."""
        text = line.text
        if len(text) > _MAX_LENGTH:
            return False
        return (
            ":" in text
            or "|" in text
            or "：" in text
            or text.lstrip()[0] in _RULE_SIGNS
            or line.role == ATTRIBUTION
            or self._before_quote(number)
        )

    def at(self, number: int) -> Introduction | None:
        """The introduction that begins here, or ends here if it is known by its end."""
        line = self._lines[number]
        if line.role == ATTRIBUTION:
            return self._named_by_html(number)
        if _RULE_OR_OPENING.match(line.text) and (title := _TITLE.fullmatch(fold(line.text))):
            return self._titled(number, title)
        if _BARE_RULE.fullmatch(line.text):
            block = self._header_block(self._next_text(number + 1))
            return Introduction(HEADER, number, block) if block is not None else None
        block = self._header_block(number)
        if block is not None:
            return Introduction(HEADER, number, block)
        if FRAMED.fullmatch(line.text) and signs(line.text) > 1:
            return Introduction(ATTRIBUTION, number, number)
        joined = JOINED.match(line.text)
        if joined is not None and signs(joined[1]) > 2:
            return Introduction(ATTRIBUTION, number, number)
        if COLON_AT_END.search(line.text) or (
            self._before_quote(number) and VERB_AT_END.search(fold(line.text))
        ):
            first = self._attribution(number)
            if first is not None:
                return Introduction(ATTRIBUTION, first, number)
        return None

    def _before_quote(self, number: int) -> bool:
        """Whether a marked line follows, blank lines skipped."""
        following = self._next_text(number + 1)
        if following >= len(self._lines):
            return False
        return self._lines[following].is_marked or following in self._quoted

    def _named_by_html(self, number: int) -> Introduction:
        last = number
        while last + 1 < len(self._lines) and self._lines[last + 1].role == ATTRIBUTION:
            last += 1
        texts = [fold(line.text) for line in self._lines[number : last + 1][:20]]
        titles = [title for title in map(_TITLE.fullmatch, texts) if title]
        is_forward = any(not title["original"] for title in titles)
        return Introduction(FORWARD if is_forward else ATTRIBUTION, number, last)

    def _titled(self, number: int, title: re.Match[str]) -> Introduction | None:
        """A line with a title ("Original Message"), and the header block below it."""
        block = self._header_block(self._next_text(number + 1))
        if block is None:
            block = self._table_block(number + 1)
        if title["original"]:
            kind = SEPARATOR if block is None else HEADER
            return Introduction(kind, number, number if block is None else block)
        if title["opening"] and block is None:
            return None  # words that stand in no line of dashes are too little alone
        return Introduction(FORWARD, number, number if block is None else block)

    def _next_text(self, number: int) -> int:
        """The first line with text from here on, at most two blank ones skipped."""
        for at in range(number, min(number + 3, len(self._lines))):
            if self._lines[at].text:
                return at
        return number

    def _label(self, number: int) -> str | None:
        """Which field the line begins with, in the terms of `LABELS`."""
        if number not in self._labels:
            match = _FIELD.match(self._lines[number].text)
            self._labels[number] = _role(match[1]) if match is not None else None
        return self._labels[number]

    def _header_block(self, first: int) -> int | None:
        """The last line of the header block that begins at `first`; None if there is none.

        It has a sender and two more of date, recipient and subject: nobody types that."""
        if first >= len(self._lines) or self._label(first) in (None, "other", "cc"):
            return None
        self._tries -= 1
        if self._tries < 0:
            return None
        roles: set[str | None] = set()
        last = first
        for number in range(first, min(first + _MAX_BLOCK, len(self._lines))):
            line = self._lines[number]
            if line.depth:
                break
            if not line.text:
                # A blank line ends the block, unless the fields are paragraphs of their own.
                following = self._next_text(number)
                if following >= len(self._lines) or self._label(following) is None:
                    break
            elif (role := self._label(number)) is not None:
                if role == "from" and role in roles:
                    break  # the block of another mail
                roles.add(role)
                last = number
            elif number == last + 1 and not self._goes_on(number):
                break
        return last if "from" in roles and len(roles & {"sent", "to", "subject"}) >= 2 else None

    def _table_block(self, first: int) -> int | None:
        """The last line of a header block that was a table, its labels without colons."""
        roles: set[str | None] = set()
        last = None
        for number in range(first, min(first + _MAX_BLOCK, len(self._lines))):
            match = _CELL.match(self._lines[number].text)
            role = _role(match[1]) if match is not None else None
            if role is None:
                break
            roles.add(role)
            last = number
        return last if "from" in roles and len(roles) > 2 else None

    def _goes_on(self, number: int) -> bool:
        """Whether a field's value goes on in this line: another field follows at once."""
        for at in (number + 1, number + 2):
            if at >= len(self._lines) or not self._lines[at].text:
                return False
            if self._label(at) is not None:
                return True
        return False

    def _attribution(self, last: int) -> int | None:
        """The first line of the attribution that ends with the colon of line `last`."""
        self._tries -= 1
        if self._tries < 0:
            return None
        wanted = 2
        if self._before_quote(last) and COLON_AT_END.search(self._lines[last].text):
            wanted = 1
        best: int | None = None
        text = ""
        for first in range(last, max(self._free, last - _MAX_WRAPPED + 1) - 1, -1):
            line = self._lines[first]
            if line.depth or not line.text:
                break
            if text and COLON_AT_END.search(line.text) and "(" not in line.text:
                break  # that one is complete
            joined = f"{line.text} {text}" if text else line.text
            if len(joined) > _MAX_LENGTH:
                break
            if text and not was_broken(line.text, self._lines[first + 1].text, text):
                break
            text = joined
            shown = signs(text) + (wanted < 2 and TIME.search(text) is not None) + is_framed(text)
            if shown >= wanted and text.count("(") <= text.count(")"):
                best = first
        return best
