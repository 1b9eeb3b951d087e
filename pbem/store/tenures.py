"""Who held which seat when, and what of a seat's log its present holder may read."""

from collections.abc import Sequence

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import Select

from pbem.store.models import Game, Seat, Tenure

Span = tuple[int, int | None]
"""From one event to another (its number included); None: still."""


def tables_of(person_id: int) -> Select[Game, int]:
    """The query for the games somebody has a seat in now, with its number: of all states."""
    return (
        select(Game, Seat.number)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Tenure.person_id == person_id, col(Tenure.until_seq).is_(None))
    )


def tenure_of(session: Session, game: Game, seat: int) -> Tenure:
    """Who holds a seat of a game that has begun now."""
    return session.exec(
        select(Tenure)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(Seat.game_id == game.id, Seat.number == seat, col(Tenure.until_seq).is_(None))
    ).one()


def last_person_at(session: Session, seat_id: int) -> Tenure | None:
    """The newest tenure of a seat (its row's number) that was a person's."""
    return session.exec(
        select(Tenure)
        .where(Tenure.seat_id == seat_id, col(Tenure.person_id).is_not(None))
        .order_by(col(Tenure.id).desc())
        .limit(1)
    ).first()


def seats_held(session: Session, game: Game, person_id: int) -> set[int]:
    """The seats of a game that somebody holds or has held."""
    rows = session.exec(
        select(Seat.number)
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Seat.game_id == game.id, Tenure.person_id == person_id)
    )
    return set(rows)


def spans_of(session: Session, game: Game, seat: int, seq: int | None = None) -> list[Span]:
    """When the holder of a seat (at event `seq`, or now) has held it: messages to it and
    notes of other times are other people's."""
    tenures = session.exec(
        select(Tenure)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(Seat.game_id == game.id, Seat.number == seat)
        .order_by(col(Tenure.id))
    ).all()
    if len(tenures) < 2:
        return [(0, None)]
    at = tenures[-1].from_seq if seq is None else seq
    now = next((one for one in reversed(tenures) if one.from_seq <= at), tenures[-1])
    return [
        (one.from_seq, one.until_seq)
        for one in tenures
        if (one.person_id, one.bot) == (now.person_id, now.bot)
    ]


def lies_in(seq: int, spans: Sequence[Span]) -> bool:
    """Whether an event lies in one of these spans."""
    return any(start <= seq and (end is None or seq <= end) for start, end in spans)
