"""An hour that comes every day, in somebody's own zone."""

from datetime import UTC, datetime, timedelta

from pbem.timing.zones import zone_or_utc


def next_hour(now: datetime, hour: int, zone: str | None) -> datetime:
    """When this hour begins next, after `now`, by the clocks of the zone (None: UTC).  Where
    the clocks leave it out it comes as late as they were put forward; doubled, it comes first."""
    here = now.astimezone(zone_or_utc(zone or "UTC"))
    at = here.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if at.astimezone(UTC) <= now:
        at = (at + timedelta(days=1)).replace(fold=0)
    return at.astimezone(UTC)
