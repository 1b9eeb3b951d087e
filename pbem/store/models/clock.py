"""What the clock keeps: for whom a table waits, absences, outages, and its own pulse."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field, SQLModel

from pbem.store.models.base import Row, index_where, one_of

_OPEN = "ended_at IS NULL"


class Wait(Row, table=True):
    """A table waits, or has waited, for one seat.  ``due_at`` follows from the rest
    (`pbem.desk.deadlines`); it is kept so that what is due can be found."""

    __table_args__ = (
        index_where("ux_wait_open", "game_id", "seat", where=_OPEN, unique=True),
        index_where("ix_wait_open_person", "person_id", where=_OPEN),
        index_where("ix_wait_open_outage", "outage_id", where=_OPEN),
        Index("ix_wait_person_id", "person_id"),
        index_where(  # not of open ones, or whoever asks for those would be led through all
            "ix_wait_ended_at",
            "ended_at",
            "outcome",
            "took_seconds",
            "missed",
            where="ended_at IS NOT NULL",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: int
    person_id: int = Field(foreign_key="person.id")
    decision: int  # of the game when it began
    since: datetime
    due_at: datetime | None = None
    terms: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)  # `timing.Terms`
    bank_seconds: int | None = None  # in the bank when it began, the increment included
    extended_at: datetime | None = None  # grace, or more time: so many seconds from then on
    extended_seconds: int = 0
    graced: bool = False  # this wait has had its grace
    missed: int = 0  # deadlines missed in this wait
    reminded_at: datetime | None = None
    outage_id: int = 0  # the newest outage it has been credited with
    paused: bool = Field(  # a pause of its table lay in it
        default=False, sa_column_kwargs={"server_default": "0"}
    )
    standing: bool = Field(  # no time runs for it: the seat is offered, or nobody is kept waiting
        default=False, sa_column_kwargs={"server_default": "0"}
    )
    revision: int = Field(  # how often its deadline was moved (RFC 5545 3.8.7.4)
        default=0, sa_column_kwargs={"server_default": "0"}
    )
    took_seconds: int | None = None  # counted, from asking to the turn of the player himself
    unsure: bool = False  # began while the machine's clock could not be trusted
    ended_at: datetime | None = None
    outcome: str | None = None  # turn; void (the seat was not asked any more); or who did it


class Absence(SQLModel, table=True):
    """Somebody is away: at all his tables, or (``game_id``) at one.  The days are his own,
    both included; ``starts_at`` and ``ends_at`` the instants they mean in his zone."""

    __table_args__ = (one_of("kind", "declared", "automatic"),)

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    kind: str = "declared"
    first_day: str  # ISO
    last_day: str
    starts_at: datetime
    ends_at: datetime
    created_at: datetime
    ended_at: datetime | None = None  # he was back earlier
    cancelled_at: datetime | None = None  # before it began


class Outage(SQLModel, table=True):
    """A span in which nobody's time ran: every running clock is credited with it; one of a
    table (``game_id``), in which it was paused or halted, is for that table only."""

    __table_args__ = (one_of("kind", "server", "mail", "stop", "jump"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    kind: str
    starts_at: datetime
    ends_at: datetime
    noted_at: datetime


class Reminder(SQLModel, table=True):
    """A reminder that was written.  ``key`` names wait, deadline and rung: a moved deadline
    has rungs of its own, and no rung is ever reminded of twice."""

    key: str = Field(primary_key=True)
    wait_id: int = Field(foreign_key="wait.id", index=True)
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    at: datetime


class Heartbeat(SQLModel, table=True):
    """The one row (``id`` 1) by which the server knows that it was there.

    ``boot`` and ``steady`` are the machine's own count of seconds since it was started,
    which no change of its time moves.  ``loop_…`` is the newest loop mail, by which it knows
    that its mail comes through (`pbem.clock.loop`)."""

    id: int = Field(default=1, primary_key=True)
    at: datetime
    boot: str = ""
    steady: float = 0.0
    suspect_since: datetime | None = None  # by the clock as it was last believed
    suspect_why: str = ""
    stopped_at: datetime | None = None  # the panic switch
    outage_id: int = 0  # the newest outage
    alerted_at: datetime | None = None  # something was late
    loop_id: str | None = None  # Message-ID of the one that is under way
    loop_sent_at: datetime | None = None
    loop_back_at: datetime | None = None  # when one last came back
    mail_out_since: datetime | None = None  # they do not come back: nothing is due
