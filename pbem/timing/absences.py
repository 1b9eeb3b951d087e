"""Absences: the instants that days mean, and how much of them a game grants."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from pbem.timing.off import Interval, merged
from pbem.timing.zones import first_instant, zone_or_utc

CLOCK_CHANGE = timedelta(hours=2)  # days are long and short: no budget runs out by that


def instants(first: date, last: date, zone: str) -> Interval:
    """From the beginning of the first day to the end of the last one."""
    where = zone_or_utc(zone)
    return first_instant(first, where), first_instant(last + timedelta(days=1), where)


def granted(absences: Iterable[Interval], days: int, since: datetime) -> list[Interval]:
    """What of these absences a game grants that began at `since`: in their order, until
    `days` are used up."""
    left = timedelta(days=days) + CLOCK_CHANGE
    found = []
    for start, end in merged((max(start, since), end) for start, end in absences):
        if left <= CLOCK_CHANGE:
            break
        end = min(end, start + left)
        found.append((start, end))
        left -= end - start
    return found


def days_of(spans: Iterable[Interval]) -> int:
    """How many days they are together, rounded."""
    return round(sum((end - start for start, end in spans), timedelta()) / timedelta(days=1))
