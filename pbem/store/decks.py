"""The decks that were uploaded, beside those that come with the engine."""

from typing import Any

from sqlmodel import Session, col, select

from engine.cards import builtin_names
from pbem.store.models import UploadedDeck

USUAL = "house"
"""The deck of a table whose opener names none."""


def decks_offered(session: Session) -> list[UploadedDeck]:
    """Those that a new table can be opened with, by name."""
    rows = select(UploadedDeck).where(col(UploadedDeck.withdrawn_at).is_(None))
    return list(session.exec(rows.order_by(col(UploadedDeck.name))))


def deck_names(session: Session) -> list[str]:
    """The names of all decks there are for a new table, the usual one first."""
    names = [*builtin_names(), *(one.name for one in decks_offered(session))]
    return sorted(names, key=lambda name: name != USUAL)


def deck_named(session: Session, name: str) -> tuple[str, list[dict[str, Any]] | None] | None:
    """A deck for a new table: its name, and its cards unless it comes with the engine; None
    where none of that name is offered."""
    if name in builtin_names():
        return name, None
    return next(((one.name, one.cards) for one in decks_offered(session) if one.name == name), None)
