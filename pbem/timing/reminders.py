"""When a player is reminded of his turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.timing.durations import print_short, read_short
from pbem.timing.off import Calendar, Off

USUAL = ("50%", "80%", "95%")
WITHOUT_DEADLINE = ("2d", "5d", "10d")
GAP = timedelta(hours=2)  # after the letter that asks for the turn


@dataclass(frozen=True)
class Rung:
    """One reminder of a player's ladder: after a share of his time (``80%``), or so long
    before its end (``24h``)."""

    name: str

    @property
    def share(self) -> float | None:
        return int(self.name[:-1]) / 100 if self.name.endswith("%") else None

    @property
    def span(self) -> timedelta:
        return timedelta(seconds=read_short(self.name) or 0)

    @classmethod
    def before(cls, seconds: int) -> "Rung":
        return cls(print_short(seconds))


def ladder(stored: Sequence[str] | None) -> tuple[Rung, ...]:
    """A player's rungs; None: the usual ones, [] none at all."""
    return tuple(map(Rung, USUAL if stored is None else stored))


def times(
    rungs: Sequence[Rung], since: datetime, due: datetime | None, off: Off
) -> Iterator[tuple[datetime, Rung]]:
    """When each rung comes, earliest first, all between the beginning of the wait and its
    deadline; without a deadline a few days, then a few more, after it began."""
    if due is None:
        if rungs:
            for rung in map(Rung, WITHOUT_DEADLINE):
                yield off.after(since, rung.span), rung
        return
    whole = off.counted(since, due)
    found = []
    for rung in rungs:
        at = due - rung.span if rung.share is None else off.after(since, whole * rung.share)
        if since < at < due:
            found.append((at, rung))
    yield from sorted(found, key=lambda one: one[0])


def kindly(at: datetime, asked_at: datetime, quiet: Calendar) -> datetime:
    """When a reminder meant for `at` is sent: not within two hours of the letter that asked,
    and not in the quiet hours, but at their end."""
    return quiet.end_of_night(max(at, asked_at + GAP))
