"""The decks that were uploaded, beside those that come with the engine."""

from typing import Any

from sqlmodel import Session, col, select

from engine.cards import builtin_names
from pbem.store.models import UploadedDeck

USUAL = "house"
"""The deck of a table whose opener names none."""
Deck = tuple[str, list[dict[str, Any]] | None]
"""Its name, and its cards unless it comes with the engine."""


def decks_offered(session: Session) -> list[UploadedDeck]:
    """Those that a new table can be opened with, by name."""
    return list(session.exec(_OFFERED.order_by(col(UploadedDeck.name))))


def deck_names(session: Session) -> list[str]:
    """The names of all decks there are for a new table, the usual one first."""
    names = [*builtin_names(), *(one.name for one in decks_offered(session))]
    return sorted(names, key=lambda name: name != USUAL)


def deck_named(session: Session, name: str) -> Deck | None:
    """A deck for a new table; None where none of that name is offered."""
    if name in builtin_names():
        return name, None
    found = session.exec(_OFFERED.where(UploadedDeck.name == name)).first()
    return None if found is None else (found.name, found.cards)


_OFFERED = select(UploadedDeck).where(col(UploadedDeck.withdrawn_at).is_(None))
