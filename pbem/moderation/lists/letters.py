"""The outbox as a list: filtered, searched, a page at a time; and how letters arrive."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from pbem.moderation.lists import PAGE
from pbem.moderation.lists.reach import within
from pbem.store import Letter
from pbem.store.people import person_by_address
from pbem.store.roles import Powers

STATES = ("failed", "unknown", "retry", "queued", "sending", "paused", "sent", "replaced")
TROUBLE = ("failed", "unknown", "retry")
MOST = frozenset({"sent", "replaced"})
"""The states most letters end in."""
AGAIN = frozenset({"failed", "unknown", "retry", "paused"})
"""States a letter can be sent (once more) from."""
LAST = 5000
"""How many of the newest letters say how each domain takes them."""


@dataclass(frozen=True)
class WantedLetters:
    """Which letters; empty means all."""

    state: str = ""
    to: str = ""  # an address, folded
    game_id: int | None = None
    before: int | None = None  # the number the last page ended with

    @property
    def searches(self) -> bool:
        """Whether finding a letter says something about what stands in it."""
        return bool(self.to)


@dataclass(frozen=True)
class LetterRow:
    """A letter on the list."""

    id: int
    kind: str
    to_address: str
    person_id: int | None
    game_id: int | None
    seat: int | None
    state: str
    attempts: int
    created_at: datetime
    next_at: datetime
    sent_at: datetime | None
    error: str | None

    @property
    def may_go_again(self) -> bool:
        return self.state in AGAIN


@dataclass(frozen=True)
class Domain:
    """How the letters to one domain fare."""

    name: str
    states: dict[str, int]

    @property
    def letters(self) -> int:
        return sum(self.states.values())

    def count(self, *states: str) -> int:
        return sum(self.states.get(state, 0) for state in states)


def letters(session: Session, powers: Powers, wanted: WantedLetters) -> list[LetterRow]:
    """The newest letters that are wanted, one more than a page if there are more."""
    query = select(
        Letter.id, Letter.kind, Letter.to_address, Letter.person_id, Letter.game_id,
        Letter.seat, Letter.state, Letter.attempts, Letter.created_at, Letter.next_at,
        Letter.sent_at, Letter.error,
    )  # type: ignore[call-overload, misc]  # fmt: skip
    for condition in _conditions(session, powers, wanted):
        query = query.where(condition)
    rows = session.exec(query.order_by(col(Letter.id).desc()).limit(PAGE + 1))
    return [LetterRow(*row) for row in rows]


def counts(session: Session, powers: Powers) -> dict[str, int]:
    """How many letters there are of each state, within reach."""
    query = select(Letter.state, func.count()).group_by(Letter.state)
    found = dict(session.exec(query.where(*within(powers, Letter.game_id))).all())
    return {state: found.get(state, 0) for state in STATES}


def domains(session: Session) -> list[Domain]:
    """How the newest letters fared, by the domain they went to, the most of them first."""
    newest = session.exec(select(func.max(Letter.id))).one() or 0
    domain = func.substr(Letter.to_address, func.instr(Letter.to_address, "@") + 1)
    if session.connection().dialect.name == "postgresql":
        domain = func.split_part(Letter.to_address, "@", 2)
    rows = session.exec(
        select(domain, Letter.state, func.count())
        .where(col(Letter.id) > newest - LAST, Letter.to_address != "")
        .group_by(domain, col(Letter.state))
    )
    found: dict[str, dict[str, int]] = {}
    for name, state, count in rows:
        found.setdefault(name, {})[state] = count
    listed = [Domain(name, states) for name, states in found.items()]
    return sorted(listed, key=lambda one: (-one.letters, one.name))


def _conditions(
    session: Session, powers: Powers, wanted: WantedLetters
) -> list[ColumnElement[bool]]:
    found = within(powers, Letter.game_id)
    if wanted.state in MOST:  # by number: to sort them all by the index of states takes longer
        found.append(func.lower(Letter.state) == wanted.state)
    elif wanted.state:
        found.append(col(Letter.state) == wanted.state)
    if wanted.game_id is not None:
        found.append(col(Letter.game_id) == wanted.game_id)
    if wanted.to:
        person = person_by_address(session, wanted.to)  # None: it is among those to strangers
        found.append(col(Letter.person_id) == (None if person is None else person.id))
        found.append(col(Letter.to_address) == wanted.to)
    if wanted.before is not None:
        found.append(col(Letter.id) < wanted.before)
    return found
