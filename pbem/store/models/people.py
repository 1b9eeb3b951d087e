"""People, their addresses, and who wants no mail."""

from datetime import datetime

from sqlalchemy import JSON, Index
from sqlmodel import Field, SQLModel

from pbem.store.models.base import index_where, one_of


class Person(SQLModel, table=True):
    """Somebody who plays, organises or moderates."""

    __table_args__ = (
        one_of("language", "en", "zh-Hant", "zh-Hans", "de"),
        one_of("letters", "every", "mine", "digest"),
        one_of("mail_format", "html", "text"),
        Index("ix_person_name", "name"),
        index_where(
            "ix_person_substitute", "substitute_since", "id", where="substitute_since IS NOT NULL"
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str
    language: str = "en"
    zone: str | None = None  # IANA name; unknown at first
    letters: str = "every"
    mail_format: str = "html"
    created_at: datetime
    erased_at: datetime | None = None
    # Of his reply addresses and links: one up, and all earlier ones are void.
    generation: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    quiet: str | None = None  # hours without reminders, in his zone: 22:00-07:00
    reminders: list[str] | None = Field(default=None, sa_type=JSON)  # rungs; None: the usual
    table_talk: bool = Field(  # messages of other players come by mail
        default=True, sa_column_kwargs={"server_default": "1"}
    )
    zone_proposed: str | None = None  # UTC+8: what his mail's time says; proposed once
    automatic_absence: bool = Field(  # after a missed deadline, once a game
        default=False, sa_column_kwargs={"server_default": "0"}
    )
    play_forced: bool = Field(  # his only legal move is done for him at once
        default=False, sa_column_kwargs={"server_default": "0"}
    )
    substitute_since: datetime | None = None  # ready to take other people's seats
    page_generation: int = Field(  # how often the link to his pages was made new
        default=0, sa_column_kwargs={"server_default": "0"}
    )
    digest_hour: int = Field(  # of the day's letter about all tables, in his zone
        default=7, sa_column_kwargs={"server_default": "7"}
    )
    digest_at: datetime | None = Field(default=None, index=True)  # when the next one is due
    calendar_files: bool = Field(  # letters that ask for a turn bring their deadline (.ics)
        default=False, sa_column_kwargs={"server_default": "0"}
    )
    muted_at: datetime | None = None  # what he says is passed on at no table
    blocked_at: datetime | None = None  # he comes to no new table, and nothing he says is done
    ark_picture: bool = Field(  # letters that show the table bring the ark (PNG)
        default=False, sa_column_kwargs={"server_default": "0"}
    )


class Address(SQLModel, table=True):
    """A mail address of a person, lower case.  Letters go to the primary one.

    ``bounce_score`` is what it was at ``bounced_at``, the last bounce that counted; it
    decays (`pbem.store.bounce_scores`).  While ``paused_at`` is set, letters to it wait."""

    __table_args__ = (
        index_where("ix_address_bounced_at", "bounced_at", where="bounced_at IS NOT NULL"),
        index_where("ix_address_paused_at", "paused_at", where="paused_at IS NOT NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    address: str = Field(unique=True)
    primary: bool = True
    confirmed_at: datetime | None = None
    created_at: datetime
    bounce_score: float | None = None
    bounced_at: datetime | None = None
    bounce_status: str | None = None  # what the last bounce said, in one line
    paused_at: datetime | None = None


class AddressChange(SQLModel, table=True):
    """An address a person asked for: confirmed at the new one, told to the old one, which
    may undo it.  Kept while it can still matter, for it holds addresses in clear."""

    __tablename__ = "address_change"
    __table_args__ = (one_of("action", "change", "add"),)

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    action: str
    address: str  # lower case
    old_address: str | None = None  # the main one at the moment of the change
    created_at: datetime
    expires_at: datetime  # to be confirmed until then
    confirmed_at: datetime | None = None
    undo_until: datetime | None = None
    undone_at: datetime | None = None


class EarlierName(SQLModel, table=True):
    """What a person was called before: letters and messages of that time say it still, so it
    is looked for, too, when he is forgotten."""

    __tablename__ = "earlier_name"

    person_id: int = Field(foreign_key="person.id", primary_key=True)
    name: str = Field(primary_key=True)


class Erasure(SQLModel, table=True):
    """Somebody was forgotten, and traces of him are still to be wiped out of what others
    wrote and got.  The row holds what is looked for, and goes when all is done."""

    person_id: int = Field(foreign_key="person.id", primary_key=True)
    addresses: list[str] = Field(sa_type=JSON)
    names: list[str] = Field(sa_type=JSON)  # all he ever had here, his pseudonym among them
    tables: list[int] = Field(sa_type=JSON)  # his games: elsewhere his name is another's
    created_at: datetime


class Blocked(SQLModel, table=True):
    """Addresses whose owner wrote "never again", as keyed hashes."""

    digest: str = Field(primary_key=True)
    created_at: datetime
