"""What a moderator has given the whole site: words for everybody, and decks."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, Text
from sqlmodel import Field, SQLModel

from pbem.store.models.base import one_of


class SiteText(SQLModel, table=True):
    """Words for everybody who comes: a notice, the house rules.  Appended, never changed: the
    newest of a kind is in force, an empty one says that there is none."""

    __tablename__ = "site_text"
    __table_args__ = (
        one_of("kind", "notice", "house-rules"),
        Index("ix_site_text_kind", "kind", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    text: str = Field(sa_type=Text)
    at: datetime
    person_id: int | None = Field(default=None, foreign_key="person.id")


class UploadedDeck(SQLModel, table=True):
    """A deck that a table can be opened with, beside those built in.  A game keeps the cards
    it began with, whatever becomes of the deck."""

    __tablename__ = "uploaded_deck"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    cards: list[dict[str, Any]] = Field(sa_type=JSON)
    at: datetime
    person_id: int | None = Field(default=None, foreign_key="person.id")
    withdrawn_at: datetime | None = None
