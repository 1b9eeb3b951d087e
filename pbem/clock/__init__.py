"""The clock: functions of (now, database), woken from outside.

`tick` is what wakes it.  `at_deadline` is the one place that decides what becomes of a
turn that did not come (`ladder.LADDER`, `ladder.ON_MISS`).
"""

from pbem.clock.canary import late
from pbem.clock.ladder import at_deadline
from pbem.clock.pulse import beat, confirm, is_believed, is_stopped, mail_outage, start, stop
from pbem.clock.steady import Steady, read_steady
from pbem.clock.sweep import sweep, tick

__all__ = [
    "Steady",
    "at_deadline",
    "beat",
    "confirm",
    "is_believed",
    "is_stopped",
    "late",
    "mail_outage",
    "read_steady",
    "start",
    "stop",
    "sweep",
    "tick",
]
