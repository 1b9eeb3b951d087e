"""What happened each day (UTC): counted once for a day that is over, and kept.

A turn that had lain unread, a game taken back or brought in may change a day long past:
whoever writes such a thing says so (`changed`), and the day is counted anew.  Days that have
not been counted are counted whenever they are asked for, so that what is told is always so.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import bindparam, update
from sqlalchemy import select as columns
from sqlmodel import Session, SQLModel, col, func, select

from pbem.store.models import DailyFigures, Game, Letter, Mail, Wait
from pbem.store.session import Store

SLOT = 360  # seconds: answer times are counted in slots of a tenth of an hour
KEPT_FOR = timedelta(days=400)  # back from today: whoever asks for more waits for it
SETTLES = timedelta(hours=1)  # after midnight: until then, what began the day before may come
AT_ONCE = 31  # days counted by one `keep`

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Figures:
    """What happened on one day; ``answer_hours``: half of the answers came within."""

    begun: int = 0  # games
    ended: int = 0
    turns: int = 0  # of players
    missed: int = 0
    sent: int = 0  # letters
    bounces: int = 0
    answer_hours: float | None = None


def figures(session: Session, first: date, last: date) -> dict[date, Figures]:
    """Those of each day from `first` to `last`."""
    rows = session.connection().execute(_KEPT, {"first": first, "last": last})
    found = {day: Figures(*values) for day, *values in rows}
    return found | _counted(session, [day for day in _days(first, last) if day not in found])


def counted(session: Session, first: date, last: date) -> dict[date, Figures]:
    """The same from the rows themselves, each figure from an index of its own."""
    span = _start(first), _start(last + DAY)
    begun = _by_day(session, span, Game.started_at)
    ended = _by_day(session, span, Game.finished_at)
    turns, answers = _turns(session, span)
    missed = _by_day(session, span, Wait.ended_at, col(Wait.missed) > 0)
    bounces = _by_day(session, span, Mail.received_at, col(Mail.kind) == "bounce")
    sent = _by_day(session, span, Letter.sent_at)
    return {
        day: Figures(
            begun.get(day, 0), ended.get(day, 0), turns.get(day, 0), missed.get(day, 0),
            sent.get(day, 0), bounces.get(day, 0), _median(answers.get(day, {})),
        )
        for day in _days(first, last)
    }  # fmt: skip


def changed(session: Session, now: datetime, *moments: datetime | None) -> None:
    """Something happened, or is undone, at one of these moments: days of them that are over
    are counted anew."""
    today = _day(now)
    if past := {day for day in (_day(at) for at in moments if at is not None) if day < today}:
        session.execute(
            update(DailyFigures)
            .where(col(DailyFigures.day).in_(past))
            .values(revision=DailyFigures.revision + 1)
        )


def keep(store: Store, now: datetime) -> int:
    """Count days that are over; returns how many.

    A day has its row before it is counted, so that whoever changes it meanwhile leaves a mark
    there; what was counted is kept only if there is none."""
    last = _day(now - SETTLES) - DAY
    first = last - KEPT_FOR
    with store.read() as session:
        rows = session.exec(select(DailyFigures).where(col(DailyFigures.day) >= first)).all()
        due = [row for row in rows if row.counted != row.revision and row.day <= last]
        due = sorted(due, key=lambda row: row.day)[-AT_ONCE:]
        found = _counted(session, [row.day for row in due])
    if missing := set(_days(first, _day(now))) - {row.day for row in rows}:
        with store.work() as session:
            session.add_all(DailyFigures(day=day) for day in sorted(missing))
    if due:
        with store.work() as session:
            for row in due:
                session.execute(
                    update(DailyFigures)
                    .where(
                        col(DailyFigures.day) == row.day,
                        col(DailyFigures.revision) == row.revision,
                    )
                    .values(counted=row.revision, **asdict(found[row.day]))
                )
    return len(due)


_NAMES = tuple(Figures.__dataclass_fields__)
_ROWS = SQLModel.metadata.tables["daily_figures"]
_KEPT = columns(_ROWS.c.day, *(_ROWS.c[name] for name in _NAMES)).where(
    _ROWS.c.day.between(bindparam("first"), bindparam("last")),
    _ROWS.c.counted == _ROWS.c.revision,
)
Span = tuple[datetime, datetime]


def _counted(session: Session, days: Sequence[date]) -> dict[date, Figures]:
    """Those of some days in their order, counted together where they follow each other."""
    found: dict[date, Figures] = {}
    for _, stretch in groupby(enumerate(days), key=lambda one: one[1] - one[0] * DAY):
        some = [day for _, day in stretch]
        found |= counted(session, some[0], some[-1])
    return found


def _by_day(session: Session, span: Span, at: Any, *conditions: Any) -> dict[date, int]:
    day = func.date(at)
    rows = session.exec(
        select(day, func.count()).where(*_within(at, span), *conditions).group_by(day)
    )
    return {_date(one): count for one, count in rows}


def _turns(session: Session, span: Span) -> tuple[dict[date, int], dict[date, dict[int, int]]]:
    """How many turns players did each day, and in which slots of time they came."""
    day, slot = func.date(Wait.ended_at), col(Wait.took_seconds) / SLOT
    rows = session.exec(
        select(day, func.floor(slot), func.count())
        .where(*_within(Wait.ended_at, span), Wait.outcome == "turn")
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


def _within(at: Any, span: Span) -> Iterable[Any]:
    return col(at) >= span[0], col(at) < span[1]


def _days(first: date, last: date) -> Sequence[date]:
    return [first + number * DAY for number in range((last - first).days + 1)]


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _date(value: Any) -> date:
    return value if isinstance(value, date) else date.fromisoformat(str(value))
