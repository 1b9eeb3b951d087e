"""Whom tables wait for, asked for many tables at once."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.store import Person, Wait


@dataclass(frozen=True)
class AwaitedSeat:
    """A seat a table waits for."""

    seat: int
    person_id: int
    name: str
    since: datetime
    due_at: datetime | None
    reminded_at: datetime | None
    missed: int
    bank_seconds: int | None


def asked_at(session: Session, games: Collection[int]) -> dict[int, list[AwaitedSeat]]:
    """The open waits of these tables, by seat."""
    found: dict[int, list[AwaitedSeat]] = defaultdict(list)
    if not games:
        return found
    rows = session.exec(
        select(  # type: ignore[call-overload]
            Wait.game_id, Wait.seat, Wait.person_id, Person.name, Wait.since, Wait.due_at,
            Wait.reminded_at, Wait.missed, Wait.bank_seconds,
        )
        .join(Person, col(Person.id) == col(Wait.person_id))
        .where(col(Wait.game_id).in_(games), col(Wait.ended_at).is_(None))
        .order_by(col(Wait.seat))
    )  # fmt: skip
    for game_id, *facts in rows:
        found[game_id].append(AwaitedSeat(*facts))
    return found
