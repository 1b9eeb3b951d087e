"""Until when a player has time, and what of his bank he has used."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pbem.timing.controls import Bank, Control, Daily, PerTurn
from pbem.timing.off import Calendar, Interval, Off, credited, merged
from pbem.timing.zones import ends, zone_of

_DAY = timedelta(days=1)


def deadline(
    control: Control,
    since: datetime,
    *,
    free: timedelta = timedelta(),
    bank: timedelta = timedelta(),
    calendar: Calendar | None = None,
    absences: Sequence[Interval] = (),
    outages: Sequence[Interval] = (),
) -> datetime | None:
    """The deadline of a wait that began at `since`; None where there is none.

    `bank` is what was in it at the start of the wait, the increment included.  The `free`
    first hours are not taken from a bank, and a daily deadline that comes within them is
    left out; they are part of a time per turn.  No time of `calendar`, `absences` and
    `outages` counts; a daily deadline moves by the length of an outage, and after an
    absence it is the next one that leaves the free hours again."""
    off = Off.of(calendar, absences, outages)
    match control:
        case PerTurn():
            return off.after(since, timedelta(seconds=control.seconds))
        case Bank():
            return off.after(since, free + bank)
        case Daily():
            return _next_daily(control, since, free, calendar, merged(absences), merged(outages))
        case _:
            return None


def charge(
    since: datetime, until: datetime, *, free: timedelta, bank: timedelta, off: Off
) -> timedelta:
    """What a turn that was in at `until` takes from the bank: its counted time beyond the
    free hours, at most all there is."""
    return min(bank, max(timedelta(), off.counted(since, until) - free))


def _next_daily(
    control: Daily,
    since: datetime,
    free: timedelta,
    calendar: Calendar | None,
    absences: Sequence[Interval],
    outages: Sequence[Interval],
) -> datetime:
    off = Off.of(calendar, absences)
    due = _first_daily(control, off.after(since, free))
    for begin, end in absences:
        ready = off.after(max(end, since), free)
        if end > since and begin < due < ready:
            due = _first_daily(control, ready)
    return credited(due, since, outages)


def _first_daily(control: Daily, earliest: datetime) -> datetime:
    """The first deadline of the control that is not before an instant."""
    zone = zone_of(control.zone)
    day = earliest.astimezone(zone).date() - _DAY
    while True:
        if day.weekday() in control.days:
            due = ends(day, control.at, zone)
            if due >= earliest:
                return due.astimezone(UTC)
        day += _DAY
