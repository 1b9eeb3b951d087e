"""The public part of what moderators did at a table: everybody there may read it."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.store.models import Event, Game, Person

MODERATED = "moderated"
"""The event a table gets when somebody with a role has done something there."""


@dataclass(frozen=True)
class Deed:
    """One thing that was done: ``action`` by its name, ``by`` whom (empty: whoever has the
    command line, or somebody who was forgotten), at which seat."""

    seq: int
    at: datetime
    action: str
    by: str
    seat: int | None


def public_deeds(session: Session, game: Game) -> list[Deed]:
    """What moderators did at a table, oldest first, without reasons and without names of
    those it was done to.  What is told at the end only is not in it before."""
    rows = session.exec(
        select(Event, Person)
        .outerjoin(Person, col(Person.id) == col(Event.person_id))
        .where(Event.game_id == game.id, Event.kind == MODERATED)
        .order_by(col(Event.seq))
    )
    return [
        Deed(
            event.seq, event.at, str(event.public.get("action", "")),
            "" if person is None or person.erased_at is not None else person.name, event.seat,
        )
        for event, person in rows
    ]  # fmt: skip
