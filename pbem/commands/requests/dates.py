"""Days as players write them (commands.md 4): ISO, `24 Dec`, `24.12.`, `12月24日`.

A day without its year is found from the player's present date where that is known, and is
`--12-24` otherwise (the form of RFC 6350). `3/4` may be two days and is asked back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from pbem.commands.vocabulary import TONGUES
from pbem.commands.words import spellings

_MONTHS = {
    spelling: number
    for tongue in TONGUES
    for name, number in tongue.months.items()
    for spelling in spellings(name)
}
_MONTH = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_FORMS = (
    re.compile(r"(?P<y>[0-9]{4})[-/.](?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})"),
    re.compile(r"(?:(?P<y>[0-9]{4})年)?(?P<m>[0-9]{1,2})月(?P<d>[0-9]{1,2})[日號号]?"),
    re.compile(
        rf"(?P<d>[0-9]{{1,2}})(?:\.|st|nd|rd|th)? ?(?:of )?(?P<name>{_MONTH})\b\.?"
        r"(?:,? (?P<y>[0-9]{4}))?"
    ),
    re.compile(
        rf"(?P<name>{_MONTH})\.? (?P<d>[0-9]{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y>[0-9]{{4}}))?"
    ),
    re.compile(
        r"(?P<d>[0-9]{1,2})\. ?(?P<m>[0-9]{1,2})(?:\. ?(?P<y>[0-9]{4}|[0-9]{2}(?![0-9])))?\.?"
    ),
)
_SLASHED = re.compile(
    r"(?P<a>[0-9]{1,2})/(?P<b>[0-9]{1,2})(?:/(?P<y>[0-9]{4}|[0-9]{2}))?(?![0-9/])"
)
_ENGLISH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LEAP_YEAR = 2_000


@dataclass(frozen=True, slots=True)
class Day:
    """A day, its year perhaps unknown."""

    month: int
    day: int
    year: int | None = None

    def in_year(self, year: int) -> date | None:
        try:
            return date(year, self.month, self.day)
        except ValueError:
            return None

    def on_or_after(self, earliest: date) -> date | None:
        """The first such day not before another; None for a day there never is."""
        return self._nearest(earliest, range(earliest.year, earliest.year + 9))

    def on_or_before(self, latest: date) -> date | None:
        """The last such day not after another."""
        return self._nearest(latest, range(latest.year, latest.year - 9, -1))

    def _nearest(self, other: date, years: range) -> date | None:
        for year in [self.year] if self.year else years:
            found = self.in_year(year) if 0 < year < 10_000 else None
            if found and (self.year or (found - other).days * years.step >= 0):
                return found
        return None

    def __str__(self) -> str:
        year = f"{self.year:04}" if self.year else "-"
        return f"{year}-{self.month:02}-{self.day:02}"

    @classmethod
    def parse(cls, text: str) -> "Day":
        """The day of its own text form."""
        year, month, day = re.fullmatch(r"(-|[0-9]{4})-([0-9]{2})-([0-9]{2})", text).groups()  # type: ignore[union-attr]
        return cls(int(month), int(day), None if year == "-" else int(year))

    def printed(self, language: str) -> str:
        """As players write it."""
        if self.year:
            return str(self)
        if language == "de":
            return f"{self.day}.{self.month}."
        if language.startswith("zh"):
            return f"{self.month}月{self.day}日"
        return f"{self.day} {_ENGLISH[self.month - 1]}"


def match_day(folded: str, at: int) -> tuple[int, list[Day]] | None:
    """Where the day that begins at `at` ends, and every day it may be ([] for 31 Feb)."""
    if found := _SLASHED.match(folded, at):
        return found.end(), list(dict.fromkeys(_slashed(found)))
    for form in _FORMS:
        if found := form.match(folded, at):
            groups = found.groupdict()
            month = _MONTHS[groups["name"]] if groups.get("name") else int(groups["m"])
            return found.end(), [
                day for day in [_day(month, int(groups["d"]), groups["y"])] if day is not None
            ]
    return None


def _slashed(found: re.Match[str]) -> Iterator[Day]:
    one, other = int(found["a"]), int(found["b"])
    for day, month in ((one, other), (other, one)):
        if made := _day(month, day, found["y"]):
            yield made


def _day(month: int, day: int, written: str | None) -> Day | None:
    year = int(written) if written else None
    if year is not None and year < 100:
        year += 2_000
    made = Day(month, day, year)
    return made if made.in_year(year or _LEAP_YEAR) else None


def date_range(first: Day, last: Day, today: date | None) -> tuple[str, str] | None:
    """Both ends as text, the years filled in as far as they follow; None if out of order."""
    start, end = first.in_year(first.year or 0), last.in_year(last.year or 0)
    if first.year and not last.year and start:
        end = last.on_or_after(start)
    elif last.year and not first.year and end:
        start = first.on_or_before(end)
    elif not first.year and today:
        end = last.on_or_after(today)
        start = first.on_or_before(end) if end else None
    elif not first.year:
        return str(first), str(last)
    if start is None or end is None or start > end:
        return None
    return start.isoformat(), end.isoformat()
