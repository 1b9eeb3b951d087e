"""What lists and figures are read from.  All of it follows from other rows and could be built
anew from them; the databases answer from it what they would otherwise look through all rows
for."""

from datetime import date

from sqlalchemy import String
from sqlmodel import Field, SQLModel

BY_BYTES = String().with_variant(String(collation="C"), "postgresql")
"""Text in the order of its bytes, in which all that begins alike stands together."""


class PersonName(SQLModel, table=True):
    """A person's name from the beginning of one of its words on (`pbem.store.names`)."""

    __tablename__ = "person_name"
    __table_args__ = ({"sqlite_with_rowid": False},)

    start: str = Field(primary_key=True, sa_type=BY_BYTES)
    person_id: int = Field(primary_key=True, foreign_key="person.id", index=True)


class GameName(SQLModel, table=True):
    """The same of a table's name."""

    __tablename__ = "game_name"
    __table_args__ = ({"sqlite_with_rowid": False},)

    start: str = Field(primary_key=True, sa_type=BY_BYTES)
    game_id: int = Field(primary_key=True, foreign_key="game.id", index=True)


class DailyFigures(SQLModel, table=True):
    """What happened on one day (UTC) that is over (`pbem.store.daily`).

    ``revision`` counts what was found out about the day, or undone, after it was over; the
    figures hold while ``counted`` is the same."""

    __tablename__ = "daily_figures"

    day: date = Field(primary_key=True)
    revision: int = 0
    counted: int | None = None  # the revision of the figures; None: there are none yet
    begun: int = 0  # games
    ended: int = 0
    turns: int = 0  # of players
    missed: int = 0
    sent: int = 0  # letters
    bounces: int = 0
    answer_hours: float | None = None  # half of the answers came within; None: there were none
