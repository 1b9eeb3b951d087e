"""The machine's own count of seconds, which no change of its time moves."""

import time
from dataclasses import dataclass
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Steady:
    """Seconds since the start of the machine that ``boot`` names; two readings of the same
    start can be compared, also by different processes."""

    boot: str
    seconds: float


def read_steady() -> Steady | None:
    """The count now, sleep of the machine included; None where the system has none."""
    try:
        boot = _BOOT.read_text(encoding="ascii").strip()
        return Steady(boot, time.clock_gettime(time.CLOCK_BOOTTIME))
    except (OSError, AttributeError, UnicodeDecodeError):
        return None
