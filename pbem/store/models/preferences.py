"""What a person wants of letters at single tables."""

from sqlmodel import Field, SQLModel

from pbem.store.models.base import one_of


class TablePreference(SQLModel, table=True):
    """What a person has chosen for the letters of one table; None: as for all others."""

    __tablename__ = "table_preference"
    __table_args__ = (
        one_of("letters", "every", "mine", "digest"),
        one_of("mail_format", "html", "text"),
    )

    person_id: int = Field(foreign_key="person.id", primary_key=True)
    game_id: int = Field(foreign_key="game.id", primary_key=True, index=True)
    letters: str | None = None
    mail_format: str | None = None
