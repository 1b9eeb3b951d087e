"""A mailbox that is read by IMAP: how far, and what was found in it."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from pbem.store.models.base import one_of


class Mailbox(SQLModel, table=True):
    """How far a folder has been read.  Up to ``last_uid`` every mail was looked at, as long
    as the server says the same UIDVALIDITY (RFC 3501 2.3.1.1)."""

    __table_args__ = (one_of("state", "idle", "polling", "broken", "stopped"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)  # user@host:port/folder
    uid_validity: int | None = Field(default=None, sa_type=BigInteger)
    last_uid: int = Field(default=0, sa_type=BigInteger)
    state: str = "stopped"  # idle: the server tells of new mail; polling: we ask
    error: str | None = None  # why it is broken
    changed_at: datetime
    looked_at: datetime | None = None  # when all of it had last been read


class MailboxEntry(SQLModel, table=True):
    """A mail in a mailbox that is not simply done: ``taken`` until it is flagged, moved or
    deleted there; others stay, so that somebody can look what was left alone."""

    __table_args__ = (
        UniqueConstraint("mailbox_id", "uid"),
        one_of("verdict", "taken", "no concern", "too large"),
        Index("ix_mailboxentry_mailbox_id_verdict", "mailbox_id", "verdict"),
    )

    id: int | None = Field(default=None, primary_key=True)
    mailbox_id: int = Field(foreign_key="mailbox.id")
    uid: int = Field(sa_type=BigInteger)
    verdict: str
    found_at: datetime
    size: int
    sender: str
    subject: str
    message_id: str = ""
