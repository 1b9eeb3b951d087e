"""The people as a list: searched, filtered, a page at a time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from pbem.moderation.lists import PAGE
from pbem.moderation.lists.reach import MOST_DIGITS, named
from pbem.store import Address, Person, Role, names
from pbem.store.people import person_by_address
from pbem.store.roles import Powers, players_of

STATES = {
    "bouncing": "mail does not reach", "roles": "moderators", "substitutes": "ready to substitute",
    "muted": "muted", "blocked": "blocked", "erased": "erased",
}  # fmt: skip


@dataclass(frozen=True)
class WantedPeople:
    """Which people; empty means all."""

    text: str = ""  # a number, a word of a name, an address
    state: str = ""
    before: int | None = None  # the number the last page ended with

    def query(self) -> dict[str, str]:
        """The filter as an address says it, the page left out."""
        said = {"q": self.text, "state": self.state}
        return {name: value for name, value in said.items() if value}


@dataclass(frozen=True)
class PersonRow:
    """Somebody on the list."""

    id: int
    name: str
    language: str
    created_at: datetime
    erased_at: datetime | None
    muted_at: datetime | None
    blocked_at: datetime | None


def people(session: Session, powers: Powers, wanted: WantedPeople) -> list[PersonRow]:
    """The people that are wanted, the newest first, one more than a page if there are more.
    Who moderates single games finds their players only."""
    query = select(
        Person.id, Person.name, Person.language, Person.created_at, Person.erased_at,
        Person.muted_at, Person.blocked_at,
    )  # type: ignore[call-overload]  # fmt: skip
    for condition in _conditions(session, powers, wanted):
        query = query.where(condition)
    rows = session.exec(query.order_by(col(Person.id).desc()).limit(PAGE + 1))
    return [PersonRow(*row) for row in rows]


def reaches(session: Session, powers: Powers, person_id: int) -> bool:
    """Whether a person is within a moderator's reach."""
    return powers.everywhere or person_id in players_of(session, powers.games)


def _conditions(
    session: Session, powers: Powers, wanted: WantedPeople
) -> Iterable[ColumnElement[bool]]:
    if not powers.everywhere:
        yield col(Person.id).in_(players_of(session, powers.games))
    if wanted.before is not None:
        yield col(Person.id) < wanted.before
    match wanted.state:
        case "bouncing":
            waiting = select(Address.person_id).where(col(Address.bounced_at).is_not(None))
            yield col(Person.id).in_(waiting)
        case "roles":
            yield col(Person.id).in_(select(Role.person_id).where(col(Role.revoked_at).is_(None)))
        case "substitutes":
            yield col(Person.substitute_since).is_not(None)
        case "muted":
            yield col(Person.muted_at).is_not(None)
        case "blocked":
            yield col(Person.blocked_at).is_not(None)
        case "erased":
            yield col(Person.erased_at).is_not(None)
    if wanted.text:
        yield _matching(session, wanted.text, powers.everywhere)


def _matching(session: Session, text: str, by_address: bool) -> ColumnElement[bool]:
    """By number, a word of the name, or an address, for those who may read addresses."""
    if text.isascii() and text.isdigit():
        return col(Person.id) == int(text[:MOST_DIGITS])
    if "@" in text and by_address:
        found = person_by_address(session, text)
        return col(Person.id) == (None if found is None else found.id)
    return named(session, Person.id, names.people_called(text))
