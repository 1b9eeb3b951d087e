"""Points in time and spans as a reader in some time zone and language says them."""

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache

from pbem.timing.zones import zone_of
from pbem.translation import _, language, listing, ngettext
from pbem.translation.catalogues import locale_of

OWN = ""
"""The name of a zone that is the reader's own."""


@dataclass(frozen=True)
class Moment:
    """A point in time for one reader: ``local`` in the zone of that name (`OWN`: his), and
    ``utc`` (empty where that is the same)."""

    local: str
    zone: str
    utc: str

    def __str__(self) -> str:
        if not self.utc:
            return _("{time} UTC", time=self.local)
        if self.zone == OWN:
            return _("{time} your time ({utc} UTC)", time=self.local, utc=self.utc)
        return _("{time} {zone} time ({utc} UTC)", time=self.local, zone=self.zone, utc=self.utc)


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
    words = OWN if own_zone else name.replace("_", " ")
    same_day = here.date() == utc.date()
    return Moment(_day_and_time(here), words, f"{utc:%H:%M}" if same_day else _day_and_time(utc))


def _day_and_time(at: datetime) -> str:
    # Imported here: most commands of the command line tell no time, and Babel loads slowly.
    from babel.dates import format_datetime

    # i18n: a date pattern of Unicode's CLDR: weekday, day, month, hour and minute.
    pattern = _("EEE d MMM, HH:mm")
    return str(format_datetime(at, pattern, locale=locale_of(language())))


def span(seconds: int) -> str:
    """A length of time in its largest fitting units: ``2 days``, ``1 day and 12 hours``."""
    minutes = max(60, seconds) // 60
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = (
        ngettext("{count} day", "{count} days", days) if days else "",
        ngettext("{count} hour", "{count} hours", hours) if hours else "",
        ngettext("{count} minute", "{count} minutes", minutes) if minutes else "",
    )
    return listing([part for part in parts if part][:2])
