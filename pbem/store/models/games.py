"""Tables: invitations, games, seats and their log.  Events name people by number only,
so that a person can be erased without breaking a game."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from pbem.store.models.base import Row, index_where, one_of

UNFILED = (
    "coalesce(filed_as, '') <> "
    "CASE WHEN status = 'over' AND voided_at IS NULL THEN archive ELSE '' END"
)
"""The games of which the archive does not say yet, or no more, what it should."""


class Game(SQLModel, table=True):
    """A table: from the first invitation to the result.  ``position`` is a cache that a
    replay of the events can rebuild; ``due_at`` is the deadline of the present wait and
    ``alarm_at`` the next time the clock has something to do here."""

    __table_args__ = (
        one_of("status", "inviting", "running", "over", "expired", "ended"),
        one_of("archive", "open", "names-hidden", "members"),
        CheckConstraint("players BETWEEN 3 AND 5", name="players"),
        Index("ix_game_alarm_at", "alarm_at"),
        Index("ix_game_name", "name"),
        Index("ix_game_status_id", "status", "id"),
        Index("ix_game_status_due_at", "status", "due_at", "id"),
        Index("ix_game_status_waiting_since", "status", "waiting_since", "id"),
        Index("ix_game_started_at", "started_at"),
        Index("ix_game_finished_at", "finished_at"),
        index_where("ix_game_halted_at", "halted_at", where="halted_at IS NOT NULL"),
        index_where("ix_game_paused_at", "paused_at", where="paused_at IS NOT NULL"),
        index_where("ix_game_lobby", "created_at", where="lobby AND status = 'inviting'"),
        index_where(
            "ix_game_watched", "id", where="watch_turns IS NOT NULL AND status = 'running'"
        ),
        index_where("ix_game_unfiled", "finished_at", "id", where=UNFILED),
        Index("ix_game_bot_waits", "bot_waits", sqlite_where=text("bot_waits")),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str
    status: str = "inviting"
    players: int
    deck: str = "house"
    cards: list[dict[str, Any]] | None = Field(default=None, sa_type=JSON)  # of a deck not built in
    organiser_id: int | None = Field(default=None, foreign_key="person.id")
    moderator_id: int | None = Field(default=None, foreign_key="person.id")
    zone: str = "UTC"
    turn_seconds: int
    created_at: datetime
    expires_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    server_seed: str
    salt: str
    commitment: str
    seed: str | None = None  # the final one, once all words are in
    seating: list[int] | None = Field(default=None, sa_type=JSON)  # None: seats as given
    setup: dict[str, Any] | None = Field(default=None, sa_type=JSON)  # the deal, as in ark-record
    seq: int = 0  # of the newest event
    decision: int = 0  # public moves and rollbacks so far (commands.md 1.8)
    position: str | None = Field(default=None, sa_type=Text)
    waiting_since: datetime | None = None
    due_at: datetime | None = None
    alarm_at: datetime | None = None
    bot_waits: bool = False  # a bot is to move: somebody should let it
    mail_policy: str = Field(  # token, sender, dmarc: whose mail moves a seat (docs/mail.md)
        default="sender", sa_column_kwargs={"server_default": "sender"}
    )
    rematch_of: int | None = Field(default=None, foreign_key="game.id")
    options: dict[str, Any] | None = Field(default=None, sa_type=JSON)  # `timing.GameOptions`
    paused_at: datetime | None = None
    failures: int = Field(default=0, sa_column_kwargs={"server_default": "0"})  # of the clock
    pause_ends_at: datetime | None = None  # None: a pause lasts until somebody ends it
    paused_by: int | None = Field(default=None, foreign_key="person.id")  # an emergency's
    halted_at: datetime | None = None  # it failed too often: somebody has to look
    vote_ends_at: datetime | None = None
    offers_end_at: datetime | None = None  # the first of its seats that a bot gets
    active_at: datetime | None = None  # a person did something, as far as looked after
    silence_told_at: datetime | None = None  # the table was told that it will end
    outage_id: int = Field(  # the newest outage its own ends (vote, offers, …) are credited with
        default=0, sa_column_kwargs={"server_default": "0"}
    )
    archive: str = Field(  # who may read it when it is over; names-hidden: P1, P2, …
        default="names-hidden", sa_column_kwargs={"server_default": "names-hidden"}
    )
    voided_at: datetime | None = None  # it does not count: no statistics, no rating
    shelved_at: datetime | None = None  # put aside: on no list of what is to be looked after
    seats_as_given: bool = Field(  # in the order of invitation, not drawn from the seed
        default=False, sa_column_kwargs={"server_default": "0"}
    )
    lobby: bool = Field(  # anybody may take one of its free places
        default=False, sa_column_kwargs={"server_default": "0"}
    )
    watch_turns: int | None = None  # how many turns later anybody may watch; None: nobody may
    # (its event, event gone back to, 1: messages too) of each rollback, in order: `store.line`
    rollbacks: list[list[int]] | None = Field(default=None, sa_type=JSON)
    rules: str = Field(  # the version of the rules it is played by (`engine.record.RULES`)
        default="ark-1", sa_column_kwargs={"server_default": "ark-1"}
    )
    filed_as: str | None = None  # what `archive` was when the archive took its facts


BOT_WAITS = text("game.bot_waits")
"""A bot is to move there: written as in the index, which SQLite does not use for ``IS 1``."""


class Invitation(SQLModel, table=True):
    """One place at a table before the start.  A bot's place is accepted from the first."""

    __table_args__ = (
        UniqueConstraint("game_id", "place"),
        UniqueConstraint("game_id", "person_id"),
        one_of("state", "invited", "accepted", "declined", "withdrawn"),
        CheckConstraint("(person_id IS NULL) <> (bot IS NULL)", name="holder"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    place: int  # order of invitation, from 0
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    bot: str | None = None
    state: str = "invited"
    word: str = ""
    created_at: datetime
    answered_at: datetime | None = None


class Seat(SQLModel, table=True):
    """A seat of a started game; who holds it is told by its tenures."""

    __table_args__ = (
        UniqueConstraint("game_id", "number"),
        index_where("ix_seat_offered_at", "offered_at", where="offered_at IS NOT NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    number: int
    bank_seconds: int | None = None  # of a game with time banks
    misses: int = Field(default=0, sa_column_kwargs={"server_default": "0"})  # in a row
    graces: int = Field(default=0, sa_column_kwargs={"server_default": "0"})  # of its holder
    offered_at: datetime | None = None  # somebody else may have it
    offer_ends_at: datetime | None = None  # then a bot has it


class Tenure(SQLModel, table=True):
    """Who held a seat from which event to which.  ``until_seq`` empty: holds it now.
    ``generation`` counts how often its reply addresses were made new."""

    __table_args__ = (CheckConstraint("(person_id IS NULL) <> (bot IS NULL)", name="holder"),)

    id: int | None = Field(default=None, primary_key=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    bot: str | None = None
    from_seq: int
    until_seq: int | None = None
    extra_absence_days: int = Field(  # beyond the game's budget, by its moderator
        default=0, sa_column_kwargs={"server_default": "0"}
    )
    generation: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    left: str | None = None  # why it ended: resigned, late, moderator, removed, back
    muted_at: datetime | None = None  # what he says at this table is not passed on


class Event(Row, table=True):
    """What happened at a table; appended, never changed.

    ``move`` is the `move` of ark-record for a turn (secret: a pet's names its card).
    ``happenings`` are the engine's events, each with its public and private parts; for
    other kinds ``public`` and ``private`` (by seat number as text) say it.  Nothing is
    shown to anybody but what `pbem.store.log` builds from these for that seat.
    """

    __table_args__ = (UniqueConstraint("game_id", "seq"), Index("ix_event_mail_id", "mail_id"))

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seq: int
    kind: str  # opened, invited, accepted, declined, started, turn, say, note, deadline, ended, …
    at: datetime
    seat: int | None = None
    person_id: int | None = Field(default=None, foreign_key="person.id")
    channel: str  # mail, web, cli, bot, clock, moderator
    mail_id: int | None = Field(default=None, foreign_key="mail.id")
    decision: int
    move: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    happenings: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    public: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    private: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)


class Deed(SQLModel, table=True):
    """What was done once and must not be done again (commands.md 1.7).

    ``key`` is a digest of what makes two orders the same; ``answer`` the first answer."""

    key: str = Field(primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    at: datetime
    answer: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    repeated_at: datetime | None = None


class Pending(SQLModel, table=True):
    """Something that happens only when its owner confirms it (commands.md 1.8): of a seat,
    or (``person_id``) of a person."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat: int | None = None
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    what: str  # resign, forget me
    created_at: datetime
    expires_at: datetime
    settled_at: datetime | None = None
