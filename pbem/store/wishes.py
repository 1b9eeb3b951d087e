"""Which letters a person wants, and how they look: at one table, else at all."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem.store.models import Person, TablePreference
from pbem.store.rows import id_of


@dataclass(frozen=True)
class Wishes:
    """What holds for a table: ``own`` is what was chosen for it alone."""

    letters: str  # every, mine, digest
    mail_format: str  # html, text
    own: TablePreference | None = None


def wishes_of(session: Session, person: Person, game_id: int | None) -> Wishes:
    """What a person wants of the letters of one table (None: of none)."""
    own = None if game_id is None else session.get(TablePreference, (person.id, game_id))
    return _wishes(person, own)


def wishes_at(session: Session, games: Collection[int]) -> dict[int, dict[int, TablePreference]]:
    """What was chosen for each of these tables alone, by person; asked once for all of them."""
    found: dict[int, dict[int, TablePreference]] = {number: {} for number in games}
    for row in session.exec(_AT_TABLES, params={"games": list(games)}):
        found[row.game_id][row.person_id] = row
    return found


_AT_TABLES = select(TablePreference).where(
    col(TablePreference.game_id).in_(bindparam("games", expanding=True))
)


def wishes_by(session: Session, person_id: int) -> dict[int | None, TablePreference]:
    """What a person has chosen for single tables, by table."""
    rows = session.exec(select(TablePreference).where(TablePreference.person_id == person_id))
    return {row.game_id: row for row in rows}


def letters_wanted(person: Person, own: TablePreference | None) -> str:
    return _wishes(person, own).letters


def format_wanted(person: Person, own: TablePreference | None) -> str:
    return _wishes(person, own).mail_format


def wish(
    session: Session, person: Person, game_id: int | None, *,
    letters: str | None = None, mail_format: str | None = None,
) -> None:  # fmt: skip
    """Choose for one table, or (`game_id` None) for all that have no choice of their own."""
    if game_id is None:
        person.letters = letters or person.letters
        person.mail_format = mail_format or person.mail_format
        session.add(person)
        return
    own = session.get(TablePreference, (person.id, game_id))
    own = own or TablePreference(person_id=id_of(person), game_id=game_id)
    own.letters = letters or own.letters
    own.mail_format = mail_format or own.mail_format
    session.add(own)


def as_elsewhere(session: Session, person: Person, game_id: int) -> None:
    """Nothing of its own holds for this table any more."""
    if (own := session.get(TablePreference, (person.id, game_id))) is not None:
        session.delete(own)


def _wishes(person: Person, own: TablePreference | None) -> Wishes:
    if own is None:
        return Wishes(person.letters, person.mail_format)
    letters, mail_format = own.letters or person.letters, own.mail_format or person.mail_format
    return Wishes(letters, mail_format, own)
