"""The archive of finished games: what lists, searches, statistics and ratings are read from.

All of it follows from the games themselves and can be built anew from them
(`pbem.archive.filing`); nothing here is the only copy of anything, profiles excepted."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from pbem.store.models.base import one_of

SHARES = 60
"""A victory is counted in sixtieths, which two to five winners share without a rest."""


class Category(SQLModel, table=True):
    """A sort of finished game.  There are few: whoever looks for some of them asks for the
    newest of each, so that no search ever looks through the games one by one."""

    __tablename__ = "archive_category"
    __table_args__ = (
        one_of("length", "short", "medium", "long"),
        one_of("result", "close", "clear", "shared"),
        UniqueConstraint("deck", "players", "length", "result", "listed"),
    )

    id: int | None = Field(default=None, primary_key=True)
    deck: str
    players: int
    length: str
    result: str
    listed: bool  # on the public lists; else for those only who played


class FinishedGame(SQLModel, table=True):
    """What is known of a game that is over and counts."""

    __tablename__ = "finished_game"
    __table_args__ = (
        Index("ix_finished_game_newest", "listed", "finished_at", "game_id"),
        Index("ix_finished_game_category", "category_id", "finished_at", "game_id"),
        Index("ix_finished_game_rated", "finished_at", "game_id"),
        Index("ix_finished_game_digest", "digest"),
    )

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    category_id: int = Field(foreign_key="archive_category.id")
    listed: bool
    finished_at: datetime
    turns: int
    seconds: int  # from the deal to the last turn
    best: int  # total of the winner
    margin: int  # what the next one lacked; 0 for a shared victory or a tie decided by hands
    swing: int  # points of the turn that brought most; `swing_turn` its number
    swing_turn: int
    seq: int  # of the event after which all this was so
    digest: str  # of deck, deal and moves: the same game is brought in once only


class FinishedSeat(SQLModel, table=True):
    """How one seat fared.  ``person_id`` is whoever held it at the end; empty for a bot and
    for somebody who was forgotten.  A seat is rated if it had one holder all the time."""

    __tablename__ = "finished_seat"
    __table_args__ = (
        UniqueConstraint("game_id", "seat"),
        Index("ix_finished_seat_person", "person_id", "finished_at", "game_id"),
        Index("ix_finished_seat_name", "name_key", "finished_at", "game_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="finished_game.game_id")
    seat: int
    person_id: int | None = Field(default=None, foreign_key="person.id")
    name_key: str | None = None  # folded first name, of a game that is open to all
    finished_at: datetime
    total: int
    place: int  # 1: won, alone or with others
    won: int  # sixtieths of the victory
    rated: bool
    mu: float | None = None  # his rating after this game
    sigma: float | None = None


class DriveOut(SQLModel, table=True):
    """An animal drove another one out (R6.9)."""

    __tablename__ = "drive_out"
    __table_args__ = (
        UniqueConstraint("game_id", "driver", "victim"),
        Index("ix_drive_out_pair", "driver", "victim", "category_id", "finished_at", "game_id"),
        Index("ix_drive_out_driver", "driver", "category_id", "finished_at", "game_id"),
        Index("ix_drive_out_victim", "victim", "category_id", "finished_at", "game_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="finished_game.game_id")
    category_id: int = Field(foreign_key="archive_category.id")
    finished_at: datetime
    turn: int
    seat: int
    driver: str
    victim: str


class Statistic(SQLModel, table=True):
    """One counter of the statistics, of the games with one deck and number of players."""

    __table_args__ = (
        one_of(
            "what", "games", "seat", "kind", "card", "drive-out", "length", "pace", "total", "pet"
        ),
        UniqueConstraint("deck", "players", "what", "key"),
    )

    id: int | None = Field(default=None, primary_key=True)
    deck: str
    players: int
    what: str
    key: str
    count: int = 0
    won: int = 0  # sixtieths of victories
    points: int = 0


class Rating(SQLModel, table=True):
    """How strong somebody plays (Plackett–Luce), and how he fared in all his games."""

    person_id: int = Field(primary_key=True, foreign_key="person.id")
    mu: float
    sigma: float
    rated: int = 0  # games that counted for it


class Recount(SQLModel, table=True):
    """The one row (``id`` 1) that says that ratings are to be counted anew: with all games
    that ended after this moment.  It goes when that is done."""

    id: int = Field(default=1, primary_key=True)
    finished_at: datetime
    game_id: int


class Profile(SQLModel, table=True):
    """What somebody shows of himself: nothing, unless he chose so."""

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", unique=True)
    name: str  # a pseudonym, or his own
    name_key: str = Field(unique=True)  # folded
    public: bool
    created_at: datetime
