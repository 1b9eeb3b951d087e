"""When a player's time does not count: his nights and weekends, absences, outages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from pbem.timing.zones import begins, ends, zone_or_utc

Interval = tuple[datetime, datetime]
"""From an instant to another, which does not belong to it any more; aware, in UTC."""

LONGEST_NIGHT = timedelta(hours=12)
_DAY = timedelta(days=1)
_WINDOW = timedelta(days=16)
_SATURDAY = 5
_MOST_WINDOWS = 500  # some twenty years: nobody is away for longer


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """In order, those that touch or overlap made one, empty ones left out."""
    found: list[Interval] = []
    for start, end in sorted(one for one in intervals if one[0] < one[1]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def overlap(intervals: Sequence[Interval], start: datetime, end: datetime) -> timedelta:
    """How much of the time from `start` to `end` lies in these merged intervals."""
    parts = (min(stop, end) - max(begin, start) for begin, stop in intervals)
    return sum((part for part in parts if part > timedelta()), timedelta())


def without(intervals: Iterable[Interval], gone: Iterable[Interval]) -> list[Interval]:
    """What of these intervals lies in none of the others, merged."""
    left = merged(intervals)
    for begin, stop in merged(gone):
        left = [
            part
            for start, end in left
            for part in ((start, min(end, begin)), (max(start, stop), end))
            if part[0] < part[1]
        ]
    return left


def credited(
    due: datetime, since: datetime, outages: Iterable[Interval], known: Iterable[Interval] = ()
) -> datetime:
    """An end that was set at `since`, later by all of these outages that lie before it: also
    before where it is by then.  `known`: those it was credited with before, as far as they
    lay before it then."""
    known = list(known)
    used = [one for one in known if one[0] < due]
    for begin, stop in without([*outages, *known], used):
        if begin >= due:
            break
        due += max(timedelta(), stop - max(begin, since))
    return due


def parse_hours(text: str) -> tuple[time, time] | None:
    """Two times of day from ``22:00-07:00``; None for anything else, and for no time at all."""
    start, dash, end = text.partition("-")
    try:
        hours = time.fromisoformat(start), time.fromisoformat(end)
    except ValueError:
        return None
    return hours if dash and hours[0] != hours[1] else None


def length_of(hours: tuple[time, time]) -> timedelta:
    """From the first to the second, over midnight if need be."""
    start, end = (timedelta(hours=one.hour, minutes=one.minute) for one in hours)
    return (end - start) % _DAY


@dataclass(frozen=True)
class Calendar:
    """A player's declared night, and whether his weekend (Saturday and Sunday) counts as
    one, in his zone.  A day as long as the zone makes it: 23, 24 or 25 hours."""

    zone: str = "UTC"
    night: str | None = None  # 22:00-07:00
    weekend: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"zone": self.zone, "night": self.night, "weekend": self.weekend}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Calendar":
        return cls(stored.get("zone", "UTC"), stored.get("night"), stored.get("weekend", False))

    def between(self, start: datetime, end: datetime) -> Iterator[Interval]:
        """Nights and weekend days that touch this span, whole, in no order."""
        hours = None if self.night is None else parse_hours(self.night)
        if hours is None and not self.weekend:
            return
        zone = zone_or_utc(self.zone)
        day = start.astimezone(zone).date() - 2 * _DAY
        last = end.astimezone(zone).date() + _DAY
        while day <= last:
            if hours is not None:
                until = day if hours[0] < hours[1] else day + _DAY
                yield begins(day, hours[0], zone), ends(until, hours[1], zone)
            if self.weekend and day.weekday() >= _SATURDAY:
                yield begins(day, time(), zone), begins(day + _DAY, time(), zone)
            day += _DAY

    def end_of_night(self, at: datetime) -> datetime:
        """`at` itself, or the end of the night it falls into."""
        nights = Calendar(self.zone, self.night).between(at, at)
        return next((end for start, end in merged(nights) if start <= at < end), at)


@dataclass(frozen=True)
class Off:
    """All that does not count for one player: his calendar and merged intervals beside."""

    calendar: Calendar = Calendar()
    intervals: tuple[Interval, ...] = ()

    @classmethod
    def of(cls, calendar: Calendar | None, *intervals: Iterable[Interval]) -> "Off":
        every = merged(one for some in intervals for one in some)
        return cls(calendar or Calendar(), tuple(every))

    def between(self, start: datetime, end: datetime) -> list[Interval]:
        """What does not count of a span, merged and cut to it."""
        touching = [*self.calendar.between(start, end), *self.intervals]
        return merged((max(begin, start), min(stop, end)) for begin, stop in touching)

    def counted(self, start: datetime, end: datetime) -> timedelta:
        """How much of a span counts: at most its length, never less than nothing."""
        if end <= start:
            return timedelta()
        gone = sum((stop - begin for begin, stop in self.between(start, end)), timedelta())
        return end - start - gone

    def after(self, start: datetime, span: timedelta) -> datetime:
        """The first instant by which `span` of counted time has passed since `start`."""
        at, left = start, span
        for _ in range(_MOST_WINDOWS):
            window = at + _WINDOW
            for begin, stop in self.between(at, window):
                if left <= begin - at:
                    return at + left
                left -= begin - at
                at = stop
            if left <= window - at:
                return at + left
            left -= window - at
            at = window
        return at + left
