"""Lengths of time in their short form: `48h`, `5d`, `30m`."""

import re
from collections.abc import Callable

DAY, HOUR, MINUTE = 86_400, 3_600, 60
_UNITS = {"w": 7 * DAY, "d": DAY, "h": HOUR, "m": MINUTE, "s": 1}
_SHORT = re.compile(r"([0-9]{1,8}) ?([wdhms])")

ReadDuration = Callable[[str], int | None]
"""Seconds of a text, or None when it is no length of time."""


def read_short(text: str) -> int | None:
    """Seconds of a short form."""
    found = _SHORT.fullmatch(text.strip().casefold())
    return int(found[1]) * _UNITS[found[2]] or None if found else None


def print_short(seconds: int) -> str:
    """The short form: whole days from three on, else hours, minutes or seconds."""
    if seconds >= 3 * DAY and seconds % DAY == 0:
        return f"{seconds // DAY}d"
    size, unit = next((size, unit) for size, unit in ((HOUR, "h"), (MINUTE, "m"), (1, "s"))
                      if seconds % size == 0)  # fmt: skip
    return f"{seconds // size}{unit}"
