"""The tables.  What may be in a column is checked by the database itself: table
models do not validate.  Events name people by number only, so that a person can be
erased without breaking a game."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, LargeBinary, Text, UniqueConstraint, text
from sqlmodel import Field, MetaData, SQLModel

SQLModel.metadata.naming_convention = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
).naming_convention


def _one_of(column: str, *values: str) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


class Person(SQLModel, table=True):
    """Somebody who plays, organises or moderates."""

    __table_args__ = (
        _one_of("language", "en", "zh-Hant", "zh-Hans", "de"),
        _one_of("letters", "every", "mine"),
        _one_of("mail_format", "html", "text"),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str
    language: str = "en"
    zone: str | None = None  # IANA name; unknown at first
    letters: str = "every"
    mail_format: str = "html"
    created_at: datetime
    erased_at: datetime | None = None


class Address(SQLModel, table=True):
    """A mail address of a person, lower case.  Letters go to the primary one."""

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    address: str = Field(unique=True)
    primary: bool = True
    confirmed_at: datetime | None = None
    created_at: datetime


class Blocked(SQLModel, table=True):
    """Addresses whose owner wrote "never again", as keyed hashes."""

    digest: str = Field(primary_key=True)
    created_at: datetime


class Game(SQLModel, table=True):
    """A table: from the first invitation to the result.  ``position`` is a cache that a
    replay of the events can rebuild; ``due_at`` is the deadline of the present wait and
    ``alarm_at`` the next time the clock has something to do here."""

    __table_args__ = (
        _one_of("status", "inviting", "running", "over", "expired", "ended"),
        CheckConstraint("players BETWEEN 3 AND 5", name="players"),
        Index("ix_game_alarm_at", "alarm_at"),
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
    rematch_of: int | None = Field(default=None, foreign_key="game.id")


class Invitation(SQLModel, table=True):
    """One place at a table before the start.  A bot's place is accepted from the first."""

    __table_args__ = (
        UniqueConstraint("game_id", "place"),
        UniqueConstraint("game_id", "person_id"),
        _one_of("state", "invited", "accepted", "declined", "withdrawn"),
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

    __table_args__ = (UniqueConstraint("game_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    number: int


class Tenure(SQLModel, table=True):
    """Who held a seat from which event to which.  ``until_seq`` empty: holds it now."""

    __table_args__ = (CheckConstraint("(person_id IS NULL) <> (bot IS NULL)", name="holder"),)

    id: int | None = Field(default=None, primary_key=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    bot: str | None = None
    from_seq: int
    until_seq: int | None = None


class Event(SQLModel, table=True):
    """What happened at a table; appended, never changed.

    ``move`` is the `move` of ark-record for a turn (secret: a pet's names its card).
    ``happenings`` are the engine's events, each with its public and private parts; for
    other kinds ``public`` and ``private`` (by seat number as text) say it.  Nothing is
    shown to anybody but what `pbem.store.log` builds from these for that seat.
    """

    __table_args__ = (UniqueConstraint("game_id", "seq"),)

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


class Mail(SQLModel, table=True):
    """The inbox: every mail as it came, stored before the sender gets his 250."""

    __table_args__ = (
        _one_of("state", "new", "done", "held", "ignored", "quarantined"),
        Index("ix_mail_state_id", "state", "id"),
        Index("ix_mail_message_id", "message_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    received_at: datetime
    channel: str  # smtp, lmtp, imap, pipe, webhook
    envelope_from: str
    envelope_to: list[str] = Field(sa_type=JSON)
    raw: bytes = Field(sa_type=LargeBinary)
    digest: str = Field(index=True)  # SHA-256 of raw
    state: str = "new"
    attempts: int = 0
    error: str | None = None
    kind: str | None = None  # of `explain`
    message_id: str | None = None
    person_id: int | None = Field(default=None, foreign_key="person.id")
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat: int | None = None
    text: str | None = None  # the new text, for subtraction from later quotes
    receipt: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    handled_at: datetime | None = None


class Deed(SQLModel, table=True):
    """What was done once and must not be done again (commands.md 1.7).

    ``key`` is a digest of what makes two orders the same; ``answer`` the first answer."""

    key: str = Field(primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    at: datetime
    answer: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    repeated_at: datetime | None = None


class Letter(SQLModel, table=True):
    """The outbox: one row a letter, written in the transaction that caused it and
    rendered from the position at ``seq`` when it is delivered."""

    __table_args__ = (
        _one_of(
            "state",
            "queued", "sending", "sent", "retry", "unknown", "failed", "replaced", "paused",
        ),
        Index("ix_letter_state_next_at", "state", "next_at"),
        Index("ix_letter_game_id_seat", "game_id", "seat"),
        UniqueConstraint("once"),
    )  # fmt: skip

    id: int | None = Field(default=None, primary_key=True)
    kind: str  # a folder of mail_templates/
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    to_address: str
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    seq: int | None = None  # the event after which the table is shown
    decision: int | None = None
    context: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    message_id: str
    in_reply_to: str | None = None
    references: str = ""
    answers_mail_id: int | None = Field(default=None, foreign_key="mail.id", index=True)
    once: str | None = None  # "remind:GAME:SEAT:DECISION:RUNG": at most one letter of this key
    state: str = "queued"
    attempts: int = 0
    created_at: datetime
    next_at: datetime
    sent_at: datetime | None = None
    error: str | None = None
    subject: str | None = None  # as sent
    text: str | None = None  # as sent, the reply address cut out
    html: str | None = None


class Pending(SQLModel, table=True):
    """Something that happens only when its owner confirms it (commands.md 1.8)."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: int
    what: str  # resign
    created_at: datetime
    expires_at: datetime
    settled_at: datetime | None = None


class Token(SQLModel, table=True):
    """A reply address or a personal link, by the SHA-256 of its token.  The token itself
    is an HMAC computed anew wherever it has to be written."""

    __table_args__ = (_one_of("purpose", "seat", "invitation", "person", "page"),)

    digest: str = Field(primary_key=True)
    purpose: str
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat: int | None = None
    invitation_id: int | None = Field(default=None, foreign_key="invitation.id")
    decision: int | None = None
    generation: int = 0
    created_at: datetime
    revoked_at: datetime | None = None
