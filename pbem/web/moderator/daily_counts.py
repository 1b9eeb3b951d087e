"""How the server has been going: figures a day, each from an index of its own (UTC days)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from pbem.store import Game, Letter, Mail, Wait

SPANS = (30, 90, 365)
SLOT = 360  # seconds: answer times are counted in slots of a tenth of an hour


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
    since = datetime(days[0].year, days[0].month, days[0].day, tzinfo=UTC)
    begun = _by_day(session, Game.started_at, since)
    ended = _by_day(session, Game.finished_at, since)
    turns, answers = _turns(session, since)
    missed = _by_day(session, Wait.ended_at, since, col(Wait.missed) > 0)
    bounces = _by_day(session, Mail.received_at, since, col(Mail.kind) == "bounce")
    sent = _by_day(session, Letter.sent_at, since)
    medians = {day: _median(slots) for day, slots in answers.items()}
    return [
        Series("Games running", "games", days, _running(session, days, begun, ended)),
        Series("Games begun", "games", days, _filled(days, begun)),
        Series("Games ended", "games", days, _filled(days, ended)),
        Series("Turns of players", "turns", days, _filled(days, turns)),
        Series("Half of the answers came within", "hours", days,
               tuple(medians.get(day) for day in days)),
        Series("Turns missed", "turns", days, _filled(days, missed)),
        Series("Letters sent", "letters", days, _filled(days, sent)),
        Series("Bounces", "mails", days, _filled(days, bounces)),
    ]  # fmt: skip


def _by_day(session: Session, at: Any, since: datetime, *conditions: Any) -> dict[date, int]:
    day = func.date(at)
    rows = session.exec(
        select(day, func.count()).where(col(at) >= since, *conditions).group_by(day)
    )
    return {_date(one): count for one, count in rows}


def _turns(session: Session, since: datetime) -> tuple[dict[date, int], dict[date, dict[int, int]]]:
    """How many turns players did each day, and in which slots of time they came."""
    day, slot = func.date(Wait.ended_at), col(Wait.took_seconds) / SLOT
    rows = session.exec(
        select(day, func.floor(slot), func.count())
        .where(col(Wait.ended_at) >= since, Wait.outcome == "turn")
        .group_by(day, func.floor(slot))
    )
    turns: dict[date, int] = defaultdict(int)
    answers: dict[date, dict[int, int]] = defaultdict(dict)
    for one, number, count in rows:
        turns[_date(one)] += count
        if number is not None:
            answers[_date(one)][int(number)] = count
    return turns, answers


def _median(slots: Mapping[int, int]) -> float | None:
    """Hours within which half of the answers came, to a tenth of an hour."""
    half, seen = sum(slots.values()) / 2, 0
    for slot in sorted(slots):
        seen += slots[slot]
        if seen >= half:
            return (slot + 1) * SLOT / 3600
    return None


def _running(
    session: Session, days: tuple[date, ...], begun: Mapping[date, int], ended: Mapping[date, int]
) -> tuple[float | None, ...]:
    """At the end of each day, counted back from those that run now."""
    now = session.exec(select(func.count()).where(Game.status == "running")).one()
    found: list[float] = []
    for day in reversed(days):
        found.append(max(0, now))
        now += ended.get(day, 0) - begun.get(day, 0)
    return tuple(reversed(found))


def _filled(days: tuple[date, ...], counts: Mapping[date, int]) -> tuple[float | None, ...]:
    return tuple(float(counts.get(day, 0)) for day in days)


def _date(value: Any) -> date:
    return value if isinstance(value, date) else date.fromisoformat(str(value))
