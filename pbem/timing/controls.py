"""Time controls: how long a turn may take, as values, in JSON and in words.

``48h``: so long for each turn.  ``bank 5d + 8h cap 10d``: a bank of time, and what each
turn adds to it.  ``daily 20:00 Asia/Hong_Kong mon-fri``: until then, on the chosen
weekdays.  ``none``: no deadline, only reminders.
"""

import re
from collections.abc import Callable
from datetime import time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from pbem.timing.durations import DAY, ReadDuration, print_short, read_short
from pbem.timing.zones import known_zone

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
EVERY_DAY = tuple(range(7))
LONGEST = 366 * DAY  # of a turn, a bank

_BANK = re.compile(r"bank (.+?) ?\+ ?(.+?)(?: cap (.+))?")
_DAILY = re.compile(r"daily ([0-9]{1,2}):([0-9]{2})((?: \S+)*)")


class ControlError(ValueError):
    """A text that is no time control; ``code`` says what is wrong with it."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PerTurn(_Value):
    """So many seconds for each turn."""

    kind: Literal["turn"] = "turn"
    seconds: int = Field(ge=1, le=LONGEST)


class Bank(_Value):
    """A bank of seconds a player; each turn adds `increment`, up to `cap`, before it begins."""

    kind: Literal["bank"] = "bank"
    seconds: int = Field(ge=0, le=LONGEST)
    increment: int = Field(ge=1, le=LONGEST)
    cap: int = Field(ge=1, le=LONGEST)

    @model_validator(mode="after")
    def _cap_holds_it(self) -> "Bank":
        if self.cap < max(self.seconds, self.increment):
            raise ValueError("the cap must hold the bank and one increment")
        return self


class Daily(_Value):
    """Until a time of day, in a named zone, on some weekdays (0 Monday … 6 Sunday)."""

    kind: Literal["daily"] = "daily"
    hour: int = Field(ge=0, le=23)
    minute: int = Field(0, ge=0, le=59)
    zone: str
    days: tuple[int, ...] = EVERY_DAY

    @field_validator("zone")
    @classmethod
    def _known(cls, value: str) -> str:
        if known_zone(value) is None:
            raise ValueError(f"{value!r} is no time zone")
        return value

    @field_validator("days")
    @classmethod
    def _weekdays(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or not set(value) <= set(EVERY_DAY):
            raise ValueError("needs weekdays from 0 to 6")
        return tuple(sorted(set(value)))

    @property
    def at(self) -> time:
        return time(self.hour, self.minute)


class Unlimited(_Value):
    """No deadline; the reminders come all the same."""

    kind: Literal["none"] = "none"


Control = Annotated[PerTurn | Bank | Daily | Unlimited, Field(discriminator="kind")]


def parse_control(
    text: str,
    *,
    zone: str | None = None,
    find_zone: Callable[[str], str | None] = known_zone,
    read_duration: ReadDuration = read_short,
) -> Control:
    """The control a text means; `ControlError` if it means none.

    `zone` is that of a daily deadline that names none (None: it has to); `find_zone` and
    `read_duration` may know more ways to write a zone and a length of time than these."""
    words = " ".join(text.split())
    low = words.casefold()
    if low == "none":
        return Unlimited()
    if low.startswith("bank"):
        return _bank(low, read_duration)
    if low.startswith("daily"):
        return _daily(words, zone, find_zone)
    return PerTurn(seconds=_seconds(low, read_duration))


def print_control(control: Control) -> str:
    """The canonical text: `parse_control(print_control(c)) == c`."""
    match control:
        case PerTurn():
            return print_short(control.seconds)
        case Bank():
            bank, increment, cap = map(
                print_short, (control.seconds, control.increment, control.cap)
            )
            return f"bank {bank} + {increment} cap {cap}"
        case Daily():
            written = f"daily {control.at:%H:%M} {control.zone}"
            return written if control.days == EVERY_DAY else f"{written} {_days(control.days)}"
        case _:
            return "none"


def _seconds(text: str, read_duration: ReadDuration) -> int:
    seconds = read_duration(text.strip())
    if seconds is None:
        raise ControlError("no-time")
    if seconds > LONGEST:
        raise ControlError("too-long")
    return seconds


def _bank(text: str, read_duration: ReadDuration) -> Bank:
    found = _BANK.fullmatch(text)
    if not found:
        raise ControlError("bank-form")
    bank = 0 if found[1] in ("0", "0d", "0h") else _seconds(found[1], read_duration)
    increment = _seconds(found[2], read_duration)
    if found[3] is None:
        cap = min(LONGEST, max(2 * bank, increment))
    else:
        cap = _seconds(found[3], read_duration)
    if cap < max(bank, increment):
        raise ControlError("bank-cap")
    return Bank(seconds=bank, increment=increment, cap=cap)


def _daily(text: str, zone: str | None, find_zone: Callable[[str], str | None]) -> Daily:
    found = _DAILY.fullmatch(text[:5].casefold() + text[5:])
    if not found or int(found[1]) > 23 or int(found[2]) > 59:
        raise ControlError("daily-form")
    words = found[3].split()
    days = _read_days(words[-1].casefold()) if words else None
    if days is not None:
        words.pop()
    named = find_zone(" ".join(words)) if words else zone
    if named is None:
        raise ControlError("daily-zone")
    return Daily(hour=int(found[1]), minute=int(found[2]), zone=named, days=days or EVERY_DAY)


def _read_days(text: str) -> tuple[int, ...] | None:
    """Weekdays: ``mon-fri``, ``fri-mon`` (over the weekend), ``mon,wed,fri``."""
    days: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        ends = (first, last) if dash else (first, first)
        if not set(ends) <= set(WEEKDAYS):
            return None
        start, stop = map(WEEKDAYS.index, ends)
        days += [(start + step) % 7 for step in range((stop - start) % 7 + 1)]
    return tuple(sorted(set(days)))


def _days(days: tuple[int, ...]) -> str:
    """The shortest way to write them: one range where they are one, else a list."""
    for start in days:
        run = [(start + step) % 7 for step in range(len(days))]
        if len(days) > 2 and sorted(run) == list(days):
            return f"{WEEKDAYS[run[0]]}-{WEEKDAYS[run[-1]]}"
    return ",".join(WEEKDAYS[day] for day in days)
