"""Words of a mail found again in texts we sent: runs of two or more lines.

Every word is looked up once a text, what was matched is not gone through again, and texts
that share nothing with the rest are skipped: the work is linear.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.intake.sent import GRAM, SentText, grams

_MAX_STEPS = 300_000  # words looked up, each text counted anew
_SAMPLE = 64  # word groups by which the texts are ranked
_NEWEST = 8  # texts that are tried first
_LONG_PIECE = 8  # words of one long line, wrapped over two, that make a run
_LONG_TAIL = 4  # words of a run's last line that must match when the line was cut short


class Passage(NamedTuple):
    """Where a line of the mail lies in a sent text: from its line `first` to `last`."""

    text: SentText
    first: int
    last: int


class Stream:
    """The words of some lines of a mail, one after the other."""

    def __init__(self, rows: Mapping[int, Sequence[str]], bare: Collection[int]) -> None:
        """`rows` are the words by line; `bare` the lines that are asked about, the others
        are context."""
        self._words = [word for row in rows.values() for word in row]
        self._line_of = [number for number, row in rows.items() for _ in row]
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        end = 0
        for number, row in rows.items():
            self._starts[number], end = end, end + len(row)
            self._ends[number] = end
        self._grams = grams(self._words)
        self._bare = bare

    def _touching(self, places: Iterable[int], found: Mapping[int, Passage]) -> list[int]:
        """The groups that touch a line which is asked about and not yet found: no other
        can add anything."""
        open_lines = set(self._bare).difference(found)
        line_of = self._line_of
        return [
            at for at in places if line_of[at] in open_lines or line_of[at + GRAM - 1] in open_lines
        ]

    def runs(self, texts: Sequence[SentText]) -> dict[int, Passage]:
        """The lines that belong to runs, and where they were sent."""
        found: dict[int, Passage] = {}
        unmatched = list(range(len(self._grams)))
        asked = self._touching(unmatched, found)
        remaining = {self._grams[at] for at in asked}
        steps = 0
        # The newest letters come first, and one of them is what nearly every mail quotes.
        for group in (texts[:_NEWEST], texts[_NEWEST:]):
            changed = False
            for text in self._ranked(group, remaining):
                if not remaining or steps > _MAX_STEPS:
                    return found
                if changed and text.grams.keys().isdisjoint(remaining):
                    continue
                steps += len(unmatched)
                before = len(found)
                for at, place, length in self._matches(text, unmatched):
                    found.update(self._lines(text, at, place, length))
                if len(found) > before:
                    changed = True
                    unmatched = [at for at in unmatched if self._line_of[at] not in found]
                    asked = self._touching(asked, found)
                    remaining = {self._grams[at] for at in asked}
        return found

    def _ranked(self, texts: Sequence[SentText], remaining: set[int]) -> list[SentText]:
        """The texts that share anything with the mail, the one that shares most first."""
        sharing = [text for text in texts if not text.grams.keys().isdisjoint(remaining)]
        if len(sharing) < 2:
            return sharing
        sample = set(list(remaining)[:: max(len(remaining) // _SAMPLE, 1)])
        return sorted(sharing, key=lambda text: -len(sample & text.grams.keys()))

    def _matches(self, text: SentText, unmatched: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """``(at, place, length)`` of matches from left to right, at each word the longest."""
        behind = 0
        for at in unmatched:
            if at < behind:
                continue
            places = text.grams.get(self._grams[at])
            if places:
                length, place = max((self._common(at, text.words, one), -one) for one in places)
                if length >= GRAM:
                    yield at, -place, length
                    behind = at + length

    def _common(self, at: int, other: Sequence[str], place: int) -> int:
        """How many words from `at` and from `place` are the same."""
        most = min(len(self._words) - at, len(other) - place)
        length = 0
        while length < most and self._words[at + length] == other[place + length]:
            length += 1
        return length

    def _lines(
        self, text: SentText, at: int, place: int, length: int
    ) -> Iterator[tuple[int, Passage]]:
        """The lines a match covers from their first word to their last, if it is a run."""
        at, place, end = self._aligned(text, at, place, at + length)
        if at >= end:
            return
        last_line = self._line_of[end - 1]
        offset = place - at
        sent_first, sent_last = text.line_of[place], text.line_of[end - 1 + offset]
        wrapped = self._line_of[at] != last_line and end - at >= _LONG_PIECE
        if sent_first == sent_last and not wrapped:
            return
        # The last line may be an answer that begins like the line that would follow.
        tail = end - self._starts[last_line]
        if end + offset != text.starts[sent_last + 1] and tail < _LONG_TAIL:
            end -= tail
        position = at
        while position < end:
            number = self._line_of[position]
            stop = self._ends[number]
            first, last = text.line_of[position + offset], text.line_of[stop - 1 + offset]
            yield number, Passage(text, first, last)
            position = stop

    def _aligned(self, text: SentText, at: int, place: int, end: int) -> tuple[int, int, int]:
        """A match cut down to whole lines of the mail, and to where no example of the sent
        text is entered behind its mark: what matches there was typed."""
        last = self._line_of[end - 1]
        if end < self._ends[last]:
            end = self._starts[last]
        while at < end:
            number = self._line_of[at]
            if at != self._starts[number]:
                skipped = self._ends[number] - at
            elif text.marked[line := text.line_of[place]] and place != text.starts[line]:
                skipped = text.starts[line + 1] - place
            else:
                break
            at, place = at + skipped, place + skipped
        return at, place, end
