"""What those who run the server have for themselves: a second factor, deputies, time off."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel


class SecondFactor(SQLModel, table=True):
    """A moderator's device that makes codes (RFC 6238).  Its secret is derived from ``nonce``
    and the installation's key: the database alone makes no code.  ``step`` is the last time
    step a code was taken of: none counts twice."""

    __tablename__ = "second_factor"

    person_id: int = Field(foreign_key="person.id", primary_key=True)
    nonce: str
    created_at: datetime
    confirmed_at: datetime | None = None  # asked for at every sign-in from then on
    step: int = 0


class RecoveryCode(SQLModel, table=True):
    """A code that stands in for the device once; stored as a keyed hash."""

    __tablename__ = "recovery_code"

    digest: str = Field(primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    created_at: datetime
    used_at: datetime | None = None


class Deputy(SQLModel, table=True):
    """Who is asked while a moderator is away; he needs a role of his own to act."""

    __table_args__ = (CheckConstraint("person_id <> deputy_id", name="another"),)

    person_id: int = Field(foreign_key="person.id", primary_key=True)
    deputy_id: int = Field(foreign_key="person.id", primary_key=True)
    named_at: datetime


class Leave(SQLModel, table=True):
    """A moderator's time off as a moderator; his seats have absences of their own.  The days
    are those of his zone, both included."""

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    first_day: str  # ISO
    last_day: str
    starts_at: datetime
    ends_at: datetime
    created_at: datetime
    ended_at: datetime | None = None  # he was back earlier, or took it back
