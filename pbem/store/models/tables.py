"""What a table decides together, whom it asks for help, and how punctual people are."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field, SQLModel

from pbem.store.models.base import Row, index_where, one_of


class Vote(SQLModel, table=True):
    """Something all people at a table have to agree to.  One at a time a table."""

    __table_args__ = (
        one_of("what", "pause", "time", "end"),
        index_where("ux_vote_open", "game_id", where="closed_at IS NULL", unique=True),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    what: str
    control: dict[str, Any] | None = Field(default=None, sa_type=JSON)  # of a new pace
    opened_by: int = Field(foreign_key="person.id")
    opened_at: datetime
    expires_at: datetime
    closed_at: datetime | None = None
    outcome: str | None = None  # agreed, refused, silent, void


class Ballot(SQLModel, table=True):
    """What one person has said to it; the last word counts."""

    __table_args__ = (UniqueConstraint("vote_id", "person_id"),)

    id: int | None = Field(default=None, primary_key=True)
    vote_id: int = Field(foreign_key="vote.id", index=True)
    person_id: int = Field(foreign_key="person.id")
    agrees: bool
    at: datetime


class SeatOffer(SQLModel, table=True):
    """Somebody was asked whether he takes over a seat."""

    __tablename__ = "seat_offer"
    __table_args__ = (UniqueConstraint("game_id", "seat", "person_id", "offered_at"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: int
    person_id: int = Field(foreign_key="person.id", index=True)
    asked_by: int | None = Field(default=None, foreign_key="person.id")  # None: the waiting list
    offered_at: datetime  # of the seat: a later offer of it is another one
    created_at: datetime
    taken_at: datetime | None = None


class Reliability(Row, table=True):
    """How a person answers, counted up with every wait for him that ends; what was done for
    him, forced moves and pets not chosen count for nothing."""

    person_id: int = Field(foreign_key="person.id", primary_key=True)
    on_time: int = 0
    late: int = 0  # in the time of grace
    missed: int = 0
    recent: list[int] = Field(default_factory=list, sa_type=JSON)  # the last ones, in seconds
