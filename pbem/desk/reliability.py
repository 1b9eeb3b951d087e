"""How punctual people are, counted up with every wait for them that ends.

What was done for a player because he had no choice, and a pet he did not choose, count for
nothing; a missed turn counts once, however it was done in the end.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from pbem.store import Game, Reliability, Seat, Tenure, Wait
from pbem.store.postgresql import alone_about
from pbem.timing import GameOptions, Off

KEPT = 101  # the last answers, of which the median is taken
ENOUGH = 10  # turns before a share says anything
UNCOUNTED = frozenset({"forced", "default"})


@dataclass(frozen=True)
class Punctuality:
    """What is known of one person, as it is shown to himself."""

    on_time: int
    late: int
    missed: int
    median_seconds: int | None
    games: int
    left: int  # games he did not stay in to the end
    since: datetime | None

    @property
    def counted(self) -> int:
        return self.on_time + self.late + self.missed

    @property
    def share(self) -> float | None:
        """Of his turns, how many came before their deadline; None while there are few."""
        return self.on_time / self.counted if self.counted >= ENOUGH else None


def verdict(wait: Wait, outcome: str) -> str | None:
    """What a wait that ends so is counted as: on_time, late, missed, or None."""
    if outcome in UNCOUNTED:
        return None
    if wait.missed:
        return "missed"
    if outcome != "turn":
        return None
    return "late" if wait.graced else "on_time"


def count(session: Session, wait: Wait, off: Off, outcome: str) -> None:
    """Count a wait that has ended; `off`: what of it was not the player's time."""
    kind = verdict(wait, outcome)
    if outcome == "turn" and wait.ended_at is not None:
        wait.took_seconds = round(off.counted(wait.since, wait.ended_at).total_seconds())
        session.add(wait)
    if kind is None:
        return
    changed = alone_about(session, wait.person_id)
    row = session.get(Reliability, wait.person_id, populate_existing=changed)
    row = row or _begun(session, wait.person_id)
    _add(row, [(kind, wait.took_seconds)])
    session.add(row)


def look_up(session: Session, people: Collection[int]) -> None:
    """Have the rows of these people at hand, and begin one for whoever has none."""
    rows = session.exec(_OF_PEOPLE, params={"people": list(people)}).all()
    missing = set(people) - {row.person_id for row in rows}
    session.add_all(Reliability(person_id=number) for number in sorted(missing))
    if missing:
        session.flush()


_OF_PEOPLE = select(Reliability).where(
    col(Reliability.person_id).in_(bindparam("people", expanding=True))
)


def _begun(session: Session, person_id: int) -> Reliability:
    """The row of somebody who has none yet; it may be waiting to be written."""
    new = (row for row in session.new if isinstance(row, Reliability))
    return next((row for row in new if row.person_id == person_id), None) or Reliability(
        person_id=person_id
    )


def recounted(session: Session, person_id: int) -> Reliability:
    """The same from all waits there were: what counting them up one by one must give."""
    row = Reliability(person_id=person_id)
    waits = session.exec(
        select(Wait)
        .where(Wait.person_id == person_id, col(Wait.outcome).is_not(None))
        .order_by(col(Wait.ended_at), col(Wait.id))
    )
    kinds = ((verdict(wait, wait.outcome or ""), wait.took_seconds) for wait in waits)
    _add(row, [(kind, took) for kind, took in kinds if kind is not None])
    return row


def punctuality_of(session: Session, person_id: int) -> Punctuality:
    """What is known of a person."""
    row = session.get(Reliability, person_id) or Reliability(person_id=person_id)
    tenures = session.exec(
        select(Tenure.left, Game.started_at)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .join(Game, col(Game.id) == col(Seat.game_id))
        .where(Tenure.person_id == person_id, col(Game.started_at).is_not(None))
    ).all()
    games = session.exec(
        select(func.count(func.distinct(Seat.game_id)))
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Tenure.person_id == person_id)
    ).one()
    return Punctuality(
        on_time=row.on_time, late=row.late, missed=row.missed,
        median_seconds=round(median(row.recent)) if row.recent else None,
        games=games,
        left=sum(left in ("resigned", "late") for left, _ in tenures),
        since=min((started for _, started in tenures if started is not None), default=None),
    )  # fmt: skip


def suffices(session: Session, options: GameOptions, person_id: int) -> bool:
    """Whether somebody is as reliable as a game asks; of whom little is known, is."""
    least = options.reliability_minimum
    if least is None:
        return True
    share = punctuality_of(session, person_id).share
    return share is None or share >= least


def _add(row: Reliability, waits: Iterable[tuple[str, int | None]]) -> None:
    recent = list(row.recent)
    for kind, took in waits:
        setattr(row, kind, getattr(row, kind) + 1)
        if took is not None:
            recent.append(took)
    row.recent = recent[-KEPT:]
