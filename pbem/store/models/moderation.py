"""Who runs the server: roles, signed-in browsers, and what was done by whom."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Connection, Index, event
from sqlalchemy.orm import Mapper
from sqlmodel import Field, SQLModel

from pbem.store.models.base import index_where, one_of


class Role(SQLModel, table=True):
    """What a person may do beside playing: ``owner`` (everything), ``moderator`` of all
    games, or of one (``game_id``).  Revoked, never deleted: the audit names its holder."""

    __table_args__ = (
        one_of("kind", "owner", "moderator"),
        CheckConstraint("kind = 'moderator' OR game_id IS NULL", name="reach"),
    )

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    kind: str
    game_id: int | None = Field(default=None, foreign_key="game.id")
    granted_at: datetime
    granted_by: int | None = Field(default=None, foreign_key="person.id")  # None: on the server
    revoked_at: datetime | None = None


class Sitting(SQLModel, table=True):
    """A moderator's browser, signed in.  Its cookie holds a random secret, this row the
    SHA-256 of it only."""

    id: int | None = Field(default=None, primary_key=True)
    digest: str = Field(unique=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    browser: str = ""  # what it calls itself, so that its owner knows it again in the list
    created_at: datetime
    used_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    awaits_code: bool = Field(  # of the second factor: until it comes, nothing is open
        default=False, sa_column_kwargs={"server_default": "0"}
    )


class Pause(SQLModel, table=True):
    """Failures in a row of one kind from one side, and until when no further try counts.
    ``key`` is a keyed hash: no address stands here in clear."""

    key: str = Field(primary_key=True)
    failures: int = 0
    failed_at: datetime
    until: datetime


class Audit(SQLModel, table=True):
    """What somebody with a role did; appended, never changed.

    People are named by number only, so that one can be erased and this stays whole.
    ``person_id`` empty: whoever has the command line of the server."""

    __table_args__ = (
        Index("ix_audit_mail_id", "mail_id"),
        Index("ix_audit_game_id", "game_id"),
        Index("ix_audit_person_id", "person_id"),
        Index("ix_audit_subject_id", "subject_id"),
        Index("ix_audit_action_id", "action", "id"),
        index_where("ix_audit_letter_id", "letter_id", where="letter_id IS NOT NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    at: datetime
    person_id: int | None = Field(default=None, foreign_key="person.id")
    channel: str  # moderator (the pages), cli, web (a player's own page)
    action: str  # read-again, treat-as, discard, open-mail, download-mail, send-again, …
    mail_id: int | None = Field(default=None, foreign_key="mail.id")
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    subject_id: int | None = Field(default=None, foreign_key="person.id")  # whom it concerns
    reason: str = ""
    outcome: str = ""
    details: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)


class BulkAction(SQLModel, table=True):
    """An action on so many that it is done a few at a time (`pbem.moderation.bulk`): who does
    what and why says its entry in the audit, this row how far it has come.

    ``values`` are its parameters as they were given; they go when it has ended."""

    __tablename__ = "bulk_action"
    __table_args__ = (index_where("ix_bulk_action_open", "audit_id", where="ended_at IS NULL"),)

    audit_id: int = Field(primary_key=True, foreign_key="audit.id")
    values: dict[str, str] = Field(sa_type=JSON)
    shown_at: datetime  # what was not there when it was shown is left alone
    total: int  # how many there were to be dealt with
    done: int = 0
    failed: int = 0  # of itself: each stands in the log
    last: int = 0  # the number up to which all are dealt with
    ended_at: datetime | None = None


class BulkGame(SQLModel, table=True):
    """A game that such an action was done to: what its inverse goes through."""

    __tablename__ = "bulk_game"

    audit_id: int = Field(primary_key=True, foreign_key="bulk_action.audit_id")
    game_id: int = Field(primary_key=True, foreign_key="game.id")


@event.listens_for(Audit, "before_update")
@event.listens_for(Audit, "before_delete")
def _refuse(_mapper: Mapper[Audit], _connection: Connection, _row: Audit) -> None:
    raise TypeError("the audit is appended to, never changed")
