"""What the deadline of one wait follows from, fixed when the wait begins: a change of the
game's time control or of the player's hours is for the next one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from pbem.timing.controls import Bank, Control
from pbem.timing.deadlines import charge, deadline
from pbem.timing.off import Calendar, Interval, Off
from pbem.timing.options import GameOptions

_CONTROL: TypeAdapter[Control] = TypeAdapter(Control)


def control_of(stored: Mapping[str, Any]) -> Control:
    """A control from its JSON.  Raises `pydantic.ValidationError` for what is none."""
    return _CONTROL.validate_python(stored)


@dataclass(frozen=True)
class Terms:
    """Control, free hours, and the hours of the player that do not count."""

    control: Control
    free: timedelta = timedelta()
    calendar: Calendar = field(default_factory=Calendar)

    @classmethod
    def of(cls, options: GameOptions, zone: str, quiet: str | None) -> "Terms":
        """Those of a wait that begins now, for a player in this zone with these quiet hours."""
        night = None if options.nights_count else quiet
        calendar = Calendar(zone, night, weekend=not options.weekends_count)
        return cls(options.control, options.free, calendar)

    def to_json(self) -> dict[str, Any]:
        return {
            "control": self.control.model_dump(mode="json"),
            "free": round(self.free.total_seconds()),
            "calendar": self.calendar.to_json(),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Terms":
        return cls(
            control_of(stored["control"]),
            timedelta(seconds=stored["free"]),
            Calendar.from_json(stored["calendar"]),
        )

    def filled(self, bank_seconds: int | None) -> int | None:
        """What is in a player's bank when a wait begins: what was left (None: it is his
        first) and the increment; None where there are no banks."""
        if not isinstance(self.control, Bank):
            return None
        left = self.control.seconds if bank_seconds is None else bank_seconds
        return min(self.control.cap, left + self.control.increment)

    def due(
        self,
        since: datetime,
        bank_seconds: int | None,
        absences: Sequence[Interval] = (),
        outages: Sequence[Interval] = (),
    ) -> datetime | None:
        return deadline(
            self.control, since, free=self.free, bank=timedelta(seconds=bank_seconds or 0),
            calendar=self.calendar, absences=absences, outages=outages,
        )  # fmt: skip

    def left(self, since: datetime, until: datetime, bank_seconds: int, off: Off) -> int:
        """What is left in the bank after a turn that was in at `until`."""
        bank = timedelta(seconds=bank_seconds)
        spent = charge(since, until, free=self.free, bank=bank, off=off)
        return bank_seconds - round(spent.total_seconds())
