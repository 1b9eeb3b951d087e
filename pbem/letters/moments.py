"""Points in time and spans as a reader in some time zone says them (English)."""

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache

from pbem.commands.requests.zones import zone_of

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Moment:
    """A point in time for one reader: ``local`` with the words for his zone in ``zone``,
    and ``utc`` (empty where that is the same)."""

    local: str
    zone: str
    utc: str

    def __str__(self) -> str:
        told = f"{self.local} {self.zone}"
        return f"{told} ({self.utc} UTC)" if self.utc else told


@cache
def _zone(name: str) -> tzinfo:
    try:
        return zone_of(name)
    except (KeyError, ValueError, OSError):  # a name the time zone database has lost
        return UTC


def moment(at: datetime, own_zone: str | None, table_zone: str = "UTC") -> Moment:
    """`at` in the reader's own zone, else in the table's, and in UTC."""
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    name = own_zone or table_zone
    zone = _zone(name)
    here, utc = at.astimezone(zone), at.astimezone(UTC)
    if zone is UTC or name in {"UTC", "Etc/UTC"}:
        return Moment(_day_and_time(utc), "UTC", "")
    words = "your time" if own_zone else f"{name.replace('_', ' ')} time"
    same_day = here.date() == utc.date()
    return Moment(_day_and_time(here), words, f"{utc:%H:%M}" if same_day else _day_and_time(utc))


def _day_and_time(at: datetime) -> str:
    return f"{DAYS[at.weekday()]} {at.day} {MONTHS[at.month - 1]}, {at:%H:%M}"


def span(seconds: int) -> str:
    """A length of time in its largest fitting units: ``2 days``, ``1 day and 12 hours``."""
    units = (("day", 86400), ("hour", 3600), ("minute", 60))
    parts: list[str] = []
    left = max(60, seconds)
    for name, size in units:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {name}{'s' if count > 1 else ''}")
    return " and ".join(parts[:2])
