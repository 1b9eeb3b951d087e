"""Ways out beside mail that players asked for."""

from datetime import datetime

from sqlmodel import Field, SQLModel


class Hook(SQLModel, table=True):
    """A web address that is called with every letter to a person (or of one table to him).

    The letters are those of the outbox, in its order: ``letter_id`` is the last one that
    was told, so none is left out and none is told twice without need."""

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    url: str
    nonce: str  # the secret is derived from it and the instance's key
    letter_id: int = 0
    created_at: datetime
    attempts: int = 0  # failures in a row
    next_at: datetime
    failing_since: datetime | None = None
    told_at: datetime | None = None
    error: str | None = None
    ended_at: datetime | None = None  # switched off, or given up
