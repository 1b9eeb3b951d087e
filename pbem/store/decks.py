"""The decks that were uploaded, beside those that come with the engine."""

from sqlmodel import Session, col, select

from pbem.store.models import UploadedDeck


def decks_offered(session: Session) -> list[UploadedDeck]:
    """Those that a new table can be opened with, by name."""
    rows = select(UploadedDeck).where(col(UploadedDeck.withdrawn_at).is_(None))
    return list(session.exec(rows.order_by(col(UploadedDeck.name))))
