"""Where a page of a long list ends: a moment, exact to the microsecond, in an address."""

from datetime import UTC, datetime, timedelta

STAMP = r"[0-9]{1,17}"
"""The pattern of `stamp`."""
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def stamp(at: datetime) -> str:
    """Microseconds since 1970: a float would lose the last of them."""
    return str((at - _BEGINNING) // _MICROSECOND)


def moment_of(stamped: str) -> datetime:
    """The moment of a `stamp`."""
    return _BEGINNING + int(stamped) * _MICROSECOND
