"""How the server has been going: figures a day (UTC days)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlmodel import Session, func, select

from pbem.store import Game
from pbem.store.daily import Figures, figures

SPANS = (30, 90, 365)


@dataclass(frozen=True)
class Series:
    """One figure a day, oldest first; None: there is none for that day."""

    name: str
    unit: str
    days: tuple[date, ...]
    values: tuple[float | None, ...]

    @property
    def unit_of_last(self) -> str:
        return self.unit.removesuffix("s") if self.last == 1 else self.unit

    @property
    def last(self) -> float | None:
        return self.values[-1]


def daily(session: Session, now: datetime, span: int) -> list[Series]:
    """All figures of the last `span` days, today included."""
    today = now.astimezone(UTC).date()
    days = tuple(today - timedelta(days=back) for back in reversed(range(span)))
    found = figures(session, days[0], today)
    series = [found[day] for day in days]

    def of(name: str, unit: str, values: Sequence[float | None]) -> Series:
        return Series(name, unit, days, tuple(values))

    return [
        of("Games running", "games", _running(session, series)),
        of("Games begun", "games", [one.begun for one in series]),
        of("Games ended", "games", [one.ended for one in series]),
        of("Turns of players", "turns", [one.turns for one in series]),
        of("Half of the answers came within", "hours", [one.answer_hours for one in series]),
        of("Turns missed", "turns", [one.missed for one in series]),
        of("Letters sent", "letters", [one.sent for one in series]),
        of("Bounces", "mails", [one.bounces for one in series]),
    ]


def _running(session: Session, series: Sequence[Figures]) -> list[float | None]:
    """At the end of each day, counted back from those that run now."""
    now = session.exec(select(func.count()).where(Game.status == "running")).one()
    found: list[float | None] = []
    for day in reversed(series):
        found.append(max(0, now))
        now += day.ended - day.begun
    return found[::-1]
