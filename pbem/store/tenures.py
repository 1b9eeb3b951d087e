"""Who held which seat when, and what of a seat's log its present holder may read."""

from sqlmodel import Session, col, select

from pbem.store.models import Game, Seat, Tenure

Span = tuple[int, int | None]
"""From one event to another (its number included); None: still."""


def seats_held(session: Session, game: Game, person_id: int) -> set[int]:
    """The seats of a game that somebody holds or has held."""
    rows = session.exec(
        select(Seat.number)
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(Seat.game_id == game.id, Tenure.person_id == person_id)
    )
    return set(rows)


def spans_of(session: Session, game: Game, seat: int) -> list[Span]:
    """When the present holder of a seat has held it: messages to it and notes of other
    times are other people's."""
    tenures = session.exec(
        select(Tenure)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(Seat.game_id == game.id, Seat.number == seat)
        .order_by(col(Tenure.id))
    ).all()
    if not tenures:
        return [(0, None)]
    if len(tenures) == 1:
        return [(0, tenures[0].until_seq)]
    last = tenures[-1]
    return [
        (one.from_seq, one.until_seq)
        for one in tenures
        if (one.person_id, one.bot) == (last.person_id, last.bot)
    ]


def lies_in(seq: int, spans: list[Span]) -> bool:
    """Whether an event lies in one of these spans."""
    return any(start <= seq and (end is None or seq <= end) for start, end in spans)
