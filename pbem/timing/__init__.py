"""Time, worked out: zones, nights, time controls, deadlines, reminders, absences.

Pure arithmetic on aware UTC instants: no database, no clock, nothing of the rest of the
product, so that everything may use it.  docs/decisions/0014-time.md says how the doubtful
cases are decided.
"""

from pbem.timing.controls import (
    Bank,
    Control,
    ControlError,
    Daily,
    PerTurn,
    Unlimited,
    parse_control,
    print_control,
)
from pbem.timing.deadlines import charge, deadline
from pbem.timing.off import Calendar, Off
from pbem.timing.options import GameOptions
from pbem.timing.reminders import Rung
from pbem.timing.terms import Terms

__all__ = [
    "Bank",
    "Calendar",
    "Control",
    "ControlError",
    "Daily",
    "GameOptions",
    "Off",
    "PerTurn",
    "Rung",
    "Terms",
    "Unlimited",
    "charge",
    "deadline",
    "parse_control",
    "print_control",
]
