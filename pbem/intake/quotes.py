"""Bare quotes found by subtraction: which lines of a mail are lines we sent.

A run of two or more consecutive lines of a sent text is a quote, re-wrapped or not.  A single
line is one only on further evidence: it is the next line of what was quoted before it, it
stands beside other bare quoted lines, or it follows the introduction of a quote.  The work
is linear: every word is looked up once a text, and a match is never gone through again.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from pbem.intake.lines import TextLine
from pbem.intake.matching import Passage, Stream
from pbem.intake.sent import MARK, SentText, is_link, number_of, sent_text, words

MAX_TEXTS = 600  # sent texts that are compared
_MAX_WORDS = 60_000  # words of the mail that are compared
_MAX_SINGLES = 1_000
_MAX_PLACES = 12
_NEAR = 60  # lines


class Subtraction:
    """The comparison of one mail with the texts sent before.

    `places[i]` tells where line i was sent; only bare lines (depth 0) are judged, marked
    ones serve as context.  `quoted` are the bare lines found to be quotes."""

    def __init__(
        self, lines: Sequence[TextLine], sent: Sequence[str], introductions: Collection[int]
    ) -> None:
        self._lines = lines
        self._introductions = introductions  # the last lines of introductions
        self.quoted: set[int] = set()
        self.places: dict[int, Passage] = {}
        self._in_marked: dict[int, list[Passage]] = {}  # of marked lines that are no run
        self._rows: dict[int, list[str]] = {}
        self._examples: frozenset[int] = frozenset()
        texts = [sent_text(text) for text in sent[:MAX_TEXTS] if text]
        if not texts or not lines:
            return
        self._read_rows()
        if not any(self._is_bare(number) for number in self._rows):
            return
        letters = [text for text in texts if text.is_letter]
        self._examples = frozenset().union(*(text.examples for text in letters))
        own_mails = [text for text in texts if not text.is_letter]
        in_letters = self._compare(letters, 0)
        below = self._first_evidence()
        if below is not None and own_mails:
            self._compare(own_mails, below)
            self._singles(in_letters, 0)
        self._links(sent[:MAX_TEXTS])

    def size(self, number: int) -> int:
        """How many words a line has."""
        row = self._rows.get(number)
        return len(words(self._lines[number].text) if row is None else row)

    def _is_bare(self, number: int) -> bool:
        return self._lines[number].depth == 0

    def _read_rows(self) -> None:
        """The words of every bare line, and of the marked ones beside them: a quoted line
        that was broken goes on without its mark."""
        near: set[int] = set()
        texts = [number for number, line in enumerate(self._lines) if line.text]
        for before, number, after in zip([-1, *texts], texts, [*texts[1:], -1], strict=False):
            if self._is_bare(number):
                near.update((before, number, after))
        near.discard(-1)
        count = 0
        for number in sorted(near):
            if count < _MAX_WORDS:
                row = words(self._lines[number].text)
                if row:
                    self._rows[number] = row
                    count += len(row)
        self._order = list(self._rows)
        self._position = {number: at for at, number in enumerate(self._order)}

    def _first_evidence(self) -> int | None:
        """The first line below which the player's own earlier words may be quoted."""
        found = [*self._introductions, *self.quoted]
        found += [number for number, line in enumerate(self._lines) if line.depth][:1]
        return min(found) + 1 if found else None

    def _compare(self, texts: Sequence[SentText], start: int) -> dict[int, list[Passage]]:
        """Find the quotes of these texts from line `start`; returns where single lines are."""
        rows = {number: row for number, row in self._rows.items() if number >= start}
        bare = {number for number in rows if self._is_bare(number) and number not in self.quoted}
        found = Stream(rows, bare).runs(texts)
        for number, place in found.items():
            if not self._is_typed(number) or self._is_amid(number, place, found):
                self._found(number, place)
        places = self._sent_whole(texts, start)
        self._in_marked.update(
            (number, found) for number, found in places.items() if not self._is_bare(number)
        )
        self._whole_lines(places)
        self._singles(places, start)
        return places

    def _whole_lines(self, places: dict[int, list[Passage]]) -> None:
        """Runs the index of three words does not find: of very short lines, and those with
        an answer below every line."""
        for number, following in pairwise(places):
            if following - number > _NEAR or self._is_typed(number) or self._is_typed(following):
                continue
            behind = {(id(place.text), place.first): place for place in places[following]}
            for place in places[number]:
                next_place = behind.get((id(place.text), place.first + 1))
                if next_place is not None:
                    self._found(number, place)
                    self._found(following, next_place)
                    break

    def _found(self, number: int, place: Passage) -> None:
        if self._is_bare(number):
            self.quoted.add(number)
        self.places.setdefault(number, place)

    def _links(self, sent: Sequence[str]) -> None:
        """A line of nothing but a link has no words to be known by.  It goes with the line above
        it; with the one below it only if we sent that very link: it may be what somebody
        says to the table."""
        texts = [number for number, line in enumerate(self._lines) if line.text]
        for above, number, below in zip([-1, *texts], texts, [*texts[1:], -1], strict=False):
            if not self._is_bare(number) or not is_link(link := self._lines[number].text):
                continue
            was_sent = below in self.quoted and any(link.strip() in text for text in sent)
            if above in self.quoted or was_sent:
                self.quoted.add(number)

    # --- single lines

    def _singles(self, places: dict[int, list[Passage]], start: int) -> None:
        """Judge single lines from above, then from below: each may be the next one's evidence."""
        candidates = {
            number: found
            for number, found in places.items()
            if number >= start and number not in self.quoted and self._is_bare(number)
        }
        if not candidates:
            return
        for round_ in (candidates, list(reversed(candidates))):
            for number in round_:
                if number not in self.quoted:
                    place = self._evidence(candidates[number], number)
                    if place is not None:
                        self.quoted.add(number)
                        self.places[number] = place

    def _sent_whole(self, texts: Sequence[SentText], start: int) -> dict[int, list[Passage]]:
        """Where each line was sent as a whole line."""
        numbers: dict[int, list[int]] = {}
        for number, words_ in self._rows.items():
            if number >= start and number not in self.places and len(numbers) < _MAX_SINGLES:
                numbers.setdefault(number_of(words_), []).append(number)
        # Of the many letters that hold a common line, those this mail quotes come first.
        used = {id(place.text) for place in self.places.values()}
        found: dict[int, list[Passage]] = {}
        for text in sorted(texts, key=lambda text: id(text) not in used):
            for row in numbers.keys() & text.lines.keys():
                places = [Passage(text, line, line) for line in text.lines[row]]
                for number in numbers[row][:_MAX_SINGLES]:
                    found.setdefault(number, []).extend(places)
                if len(found[numbers[row][0]]) >= _MAX_PLACES:
                    del numbers[row]  # enough of them
            if not numbers:
                break
        return dict(sorted(found.items()))

    def _evidence(self, found: list[Passage], number: int) -> Passage | None:
        """What makes a single sent line a quote, or None: then somebody typed it."""
        order, at = self._order, self._position[number]
        nearest = order[max(at - _NEAR, 0) : at][::-1]
        following = order[at + 1 : at + 1 + _NEAR]
        before = next((n for n in nearest if self._is_placed(n)), None)
        after = next((n for n in following if self._is_placed(n)), None)
        for place in found:
            for neighbour, step in ((before, 1), (after, -1)):
                if neighbour is not None and self._is_next(place, neighbour, step):
                    return place
        row = self._rows[number]
        if self._is_typed(number):
            # An example typed without its mark is an answer, unless it is the player's own
            # earlier mail that is quoted.
            found = [place for place in found if not place.text.is_letter]
            return found[0] if found and self._follows_introduction(number) else None
        if self._follows_introduction(number):
            return found[0]
        if row[0] == MARK:
            return None  # an example copied, not quoted: the player is told
        above = order[at - 1] if at else None
        below = order[at + 1] if at + 1 < len(order) else None
        if above is not None and above in self.quoted:
            return found[0]
        if below is not None and below in self.quoted and above is not None:
            return None if number < min(self.quoted) else found[0]  # an answer on top
        return None

    def _is_typed(self, number: int) -> bool:
        """Whether a bare line has the words of an example, or of other people, without the
        mark: then somebody typed it."""
        return self._is_bare(number) and number_of(self._rows[number]) in self._examples

    def _is_amid(self, number: int, place: Passage, found: Mapping[int, Passage]) -> bool:
        """Whether a line goes on with a line of the text that was broken above it, or has
        bare lines above and below that are its neighbours in the text."""
        at = self._position[number]
        above = found.get(self._order[at - 1]) if at else None
        if above is None or above.text is not place.text:
            return False
        if above.last == place.first:
            return True
        below = found.get(self._order[at + 1]) if at + 1 < len(self._order) else None
        return (
            below is not None
            and below.text is place.text
            and above.last + 1 == place.first
            and below.first - place.last in (0, 1)
            and self._is_bare(self._order[at - 1])
            and self._is_bare(self._order[at + 1])
        )

    def _is_placed(self, number: int) -> bool:
        return number in self.places or number in self._in_marked

    def _is_next(self, place: Passage, neighbour: int, step: int) -> bool:
        """Whether a place is next to one of the neighbour's, behind it (1) or before (-1)."""
        known = self.places.get(neighbour)
        others = self._in_marked.get(neighbour, []) if known is None else [known]
        return self._adjoins(place, neighbour, step) or any(
            other.text is place.text
            and (other.last if step == 1 else other.first) + step == place.first
            for other in others
        )

    def _adjoins(self, place: Passage, neighbour: int, step: int) -> bool:
        """The same by words: the neighbour may have been found in another part of the letter,
        its HTML, whose lines are others."""
        row, text = self._rows.get(neighbour, []), place.text
        start, end = text.starts[place.first], text.starts[place.last + 1]
        beside = text.words[max(start - len(row), 0) : start] if step == 1 else (
            text.words[end : end + len(row)]
        )  # fmt: skip
        return bool(row) and list(beside) == row

    def _follows_introduction(self, number: int) -> bool:
        """Whether only quoted lines lie between the line and the introduction above it."""
        for above in range(number - 1, max(number - 4 * _NEAR, -1), -1):
            if above in self._introductions:
                return True
            if self._lines[above].text and above not in self.quoted:
                return False
        return False
