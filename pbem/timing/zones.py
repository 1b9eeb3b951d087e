"""Zones by name, and the instants that local times mean."""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

OFFSET = re.compile(r"(?:utc|gmt) ?(?:([+-]) ?([0-9]{1,2})(?::?([0-9]{2}))?)?")
"""An offset as `timezone` takes it, folded: sign, hours, minutes."""


@cache
def zone_of(name: str) -> tzinfo:
    """The zone of a name that `timezone` accepted: an IANA name or `UTC+8`.

    Raises `ValueError` (or `KeyError`, of which `ZoneInfoNotFoundError` is one) for any
    other."""
    offset = OFFSET.fullmatch(name.casefold())
    if not offset:
        return ZoneInfo(name)
    sign, hours, minutes = offset.groups()
    if not hours:
        return UTC
    span = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return timezone(-span if sign == "-" else span)


def known_zone(name: str) -> str | None:
    """The name itself, if it is that of a zone."""
    try:
        zone_of(name)
    except (KeyError, ValueError, OSError):
        return None
    return name


def zone_or_utc(name: str) -> tzinfo:
    """The zone; UTC for a name that the time zone database has lost."""
    return zone_of(name) if known_zone(name) else UTC


def offset_name(span: timedelta) -> str | None:
    """The name of an offset from UTC, ``UTC+5:30``; None for none, and for one no zone has."""
    minutes = round(span.total_seconds() / 60)
    if minutes == 0 or abs(minutes) > 14 * 60 or minutes % 15:
        return None
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


def begins(day: date, at: time, zone: tzinfo) -> datetime:
    """The first instant of a local time, in UTC.

    A time that the clocks skip is as much later as they are put forward; of one that they
    show twice it is the first."""
    return datetime.combine(day, at, zone).replace(fold=0).astimezone(UTC)


def ends(day: date, at: time, zone: tzinfo) -> datetime:
    """The last instant of a local time: as `begins`, but of one that the clocks show twice
    it is the second, so that a deadline never comes earlier than it can be read."""
    local = datetime.combine(day, at, zone)
    # In a gap the two folds stand the other way round; the later one is right in both.
    return max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def first_instant(day: date, zone: tzinfo) -> datetime:
    """Where a local day begins."""
    return begins(day, time(), zone)
