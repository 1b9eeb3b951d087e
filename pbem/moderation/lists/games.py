"""All games as a list: searched, filtered, sorted, a page at a time.

Pages are cut behind the last row of the one before (keyset), each order by an index of its
own, so that the thousandth page of a hundred thousand games costs what the first one does.
The wide columns (position, deal) are never loaded for it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, tuple_
from sqlmodel import Session, col, func, or_, select

from pbem.moderation.lists import PAGE
from pbem.moderation.lists.keyset import stamp
from pbem.moderation.lists.reach import MOST_DIGITS, named, within
from pbem.moderation.lists.waiting import AwaitedSeat, asked_at
from pbem.store import Game, Invitation, Seat, Tenure, names
from pbem.store.people import person_by_address
from pbem.store.roles import Powers

STATES = {
    "running": "running", "overdue": "overdue", "halted": "halted", "paused": "paused",
    "offered": "a seat is free", "inviting": "being filled", "over": "over",
    "ended": "ended early", "expired": "never began",
}  # fmt: skip
SORTS = {"newest": "newest first", "due": "next deadline first", "waiting": "waiting longest first"}
MOST_PEOPLE = 20
"""How many people of a name are looked at when games are searched by a player."""


@dataclass(frozen=True)
class WantedGames:
    """Which games, in which order, behind which one; empty means all."""

    text: str = ""  # a number, a word of the table's or a player's name, an address
    state: str = ""
    sort: str = "newest"
    behind: tuple[datetime | None, int] | None = None  # sort key and number of the last row

    def query(self) -> dict[str, str]:
        """The filter as an address says it, the page left out."""
        sort = "" if self.sort == "newest" else self.sort
        said = {"q": self.text, "state": self.state, "sort": sort}
        return {name: value for name, value in said.items() if value}


@dataclass(frozen=True)
class GameRow:
    """A game on the list."""

    id: int
    name: str
    status: str
    players: int
    decision: int
    created_at: datetime
    finished_at: datetime | None
    waiting_since: datetime | None
    due_at: datetime | None
    paused_at: datetime | None
    halted_at: datetime | None
    voided_at: datetime | None
    asked: tuple[AwaitedSeat, ...] = ()

    def key(self, sort: str) -> str:
        """Where the next page begins, as an address says it."""
        at = {"due": self.due_at, "waiting": self.waiting_since}.get(sort)
        return f"{self.id}" if at is None else f"{stamp(at)}~{self.id}"


def games(session: Session, powers: Powers, wanted: WantedGames, now: datetime) -> list[GameRow]:
    """The games that are wanted, one more than a page if there are more."""
    query = select(
        Game.id, Game.name, Game.status, Game.players, Game.decision, Game.created_at,
        Game.finished_at, Game.waiting_since, Game.due_at, Game.paused_at, Game.halted_at,
        Game.voided_at,
    )  # type: ignore[call-overload, misc]  # fmt: skip
    for condition in _conditions(session, powers, wanted, now):
        query = query.where(condition)
    found = [GameRow(*row) for row in session.exec(query.order_by(*_order(wanted)).limit(PAGE + 1))]
    asked = asked_at(session, [row.id for row in found if row.status == "running"])
    return [replace(row, asked=tuple(asked.get(row.id, ()))) for row in found]


def _order(wanted: WantedGames) -> list[Any]:
    if wanted.sort == "due":
        return [col(Game.due_at), col(Game.id)]
    if wanted.sort == "waiting":
        return [col(Game.waiting_since), col(Game.id)]
    return [col(Game.id).desc()]


def _conditions(
    session: Session, powers: Powers, wanted: WantedGames, now: datetime
) -> Iterable[ColumnElement[bool]]:
    yield from within(powers, Game.id)
    yield from _of_state(wanted.state, now)
    if wanted.sort == "due":
        yield col(Game.due_at).is_not(None)
    if wanted.sort == "waiting":
        yield col(Game.waiting_since).is_not(None)
    if wanted.sort != "newest" and wanted.state not in STATES:
        yield col(Game.status) == "running"  # the others wait for nobody
    if wanted.behind is not None:
        at, number = wanted.behind
        if at is None:
            yield col(Game.id) < number
        else:
            key = col(Game.due_at) if wanted.sort == "due" else col(Game.waiting_since)
            yield tuple_(key, col(Game.id)) > tuple_(at, number)
    if wanted.text:
        yield _matching(session, wanted.text, powers.everywhere)


def _of_state(state: str, now: datetime) -> Iterable[ColumnElement[bool]]:
    match state:
        case "":
            return
        case "overdue":
            yield col(Game.status) == "running"
            yield col(Game.due_at) < now
            yield col(Game.paused_at).is_(None)
        case "halted":
            yield col(Game.halted_at).is_not(None)
            yield col(Game.status) == "running"
        case "paused":
            yield col(Game.paused_at).is_not(None)
            yield col(Game.status) == "running"
        case "offered":
            yield col(Game.id).in_(select(Seat.game_id).where(col(Seat.offered_at).is_not(None)))
            yield col(Game.status) == "running"
        case _:
            yield col(Game.status) == state


def _matching(session: Session, text: str, by_address: bool) -> ColumnElement[bool]:
    """By number, or by the name of the table or of somebody there, or his address."""
    if text.isascii() and text.isdigit():
        return col(Game.id) == int(text[:MOST_DIGITS])
    if "@" in text and by_address:
        person = person_by_address(session, text)
        people = [] if person is None else [person.id]
        return _games_of(people)
    called = names.people_called(text).distinct().limit(MOST_PEOPLE)
    people = list(session.connection().execute(called).scalars())
    named_so = named(session, Game.id, names.games_called(text))
    return or_(named_so, _games_of(people)) if people else named_so


def _games_of(people: Iterable[int | None]) -> ColumnElement[bool]:
    """The games these people hold or held a seat of, or are asked to."""
    numbers = list(people)
    seated = (
        select(Seat.game_id)
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(col(Tenure.person_id).in_(numbers))
    )
    asked = select(Invitation.game_id).where(col(Invitation.person_id).in_(numbers))
    return col(Game.id).in_(seated.union(asked))


def counts(session: Session, powers: Powers) -> dict[str, int]:
    """How many games there are of each status, within reach."""
    query = select(Game.status, func.count()).group_by(col(Game.status))
    return dict(session.exec(query.where(*within(powers, Game.id))).all())
