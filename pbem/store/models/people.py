"""People, their addresses, and who wants no mail."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from pbem.store.models.base import one_of


class Person(SQLModel, table=True):
    """Somebody who plays, organises or moderates."""

    __table_args__ = (
        one_of("language", "en", "zh-Hant", "zh-Hans", "de"),
        one_of("letters", "every", "mine", "digest"),
        one_of("mail_format", "html", "text"),
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
