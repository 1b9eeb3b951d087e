"""The public part of what moderators did at a table: everybody there may read it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.store.models import Event, Game, Person

MODERATED = "moderated"
"""The event a table gets when somebody with a role has done something there."""
HAND_OPENED = "hand-opened"
"""The event of a hand that a moderator has opened; nothing in it is public."""
HANDS_TOLD = "hands-opened"
"""The public one, when the game is over: all that were opened."""


@dataclass(frozen=True)
class PublicDeed:
    """One thing that was done: ``action`` by its name, ``by`` whom (empty: whoever has the
    command line, or somebody who was forgotten), at which seat."""

    seq: int
    at: datetime
    action: str
    by: str
    seat: int | None


def public_deeds(session: Session, game: Game) -> list[PublicDeed]:
    """What moderators did at a table, oldest first, without reasons and without names of
    those it was done to.  What is told at the end only is not in it before."""
    rows = session.exec(
        select(Event)
        .where(Event.game_id == game.id, col(Event.kind).in_((MODERATED, HANDS_TOLD)))
        .order_by(col(Event.seq))
    ).all()
    found = [one for event in rows for one in _deeds(event)]
    names = _names(session, {by for _deed, by in found if by is not None})
    return [replace(deed, by=names.get(by, "")) for deed, by in found]


def has_opened(session: Session, game: Game, person_id: int, seat: int) -> bool:
    """Whether somebody has, as a moderator, opened the hand of another seat of this game."""
    opened = select(Event.id).where(
        Event.game_id == game.id,
        Event.kind == HAND_OPENED,
        Event.person_id == person_id,
        Event.seat != seat,
    )
    return session.exec(opened.limit(1)).first() is not None


def _deeds(event: Event) -> Iterator[tuple[PublicDeed, int | None]]:
    """What an event tells, and the number of whoever did it."""
    if event.kind == MODERATED:
        action = str(event.public.get("action", ""))
        yield PublicDeed(event.seq, event.at, action, "", event.seat), event.person_id
    for one in event.public.get("hands", ()):
        at = datetime.fromisoformat(one["at"])
        yield PublicDeed(event.seq, at, "open-hand", "", one["seat"]), one["by"]


def _names(session: Session, people: set[int]) -> dict[int | None, str]:
    rows = session.exec(
        select(Person).where(col(Person.id).in_(people), col(Person.erased_at).is_(None))
    )
    return {person.id: person.name for person in rows}
