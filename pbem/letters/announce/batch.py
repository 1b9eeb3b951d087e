"""Letters to the people of several tables, put into the outbox together."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem.letters import correspondence
from pbem.letters.correspondence import Correspondence
from pbem.letters.outbox import Draft, put
from pbem.letters.site import Site
from pbem.store import Game, Letter, TablePreference, Wait
from pbem.store.people import Holder, reached, seated_at
from pbem.store.rows import id_of
from pbem.store.wishes import wishes_at

Posted = tuple[Draft, int | None]
"""A letter, and the number of the one whose conversation it joins."""


class Batch:
    """What letters to some tables need is asked once for all of these, and what is posted
    goes into the outbox with `put`: the caller does not forget that."""

    def __init__(self, session: Session, site: Site, now: datetime, games: Sequence[Game]) -> None:
        self._session, self._site, self._now = session, site, now
        self._held: dict[int, list[Holder]] = {}
        self._letters: dict[int, Correspondence] = {}
        self._reached: dict[int, str] = {}
        self._posted: list[Posted] = []
        self._needless: list[int] = []
        self._answered: list[Wait] = []
        self._read(games)

    def held(self, game: Game) -> list[Holder]:
        """Who holds the seats of a table, by seat."""
        return self._held[id_of(game)]

    def letters(self, game: Game) -> Correspondence:
        """What was written to its seats before."""
        return self._letters[id_of(game)]

    def reached(self, game: Game) -> dict[int, str]:
        """Its people whom letters reach, and where."""
        people = {one.person_id for one in self.held(game)}
        return {number: at for number, at in self._reached.items() if number in people}

    @property
    def everybody(self) -> dict[int, str]:
        """All people of these tables whom letters reach, organisers and moderators too."""
        return self._reached

    def wishes(self, game: Game) -> dict[int, TablePreference]:
        """What its people have chosen for its letters, by person."""
        return self._wishes[id_of(game)]

    @cached_property
    def _wishes(self) -> dict[int, dict[int, TablePreference]]:
        return wishes_at(self._session, self._held.keys())

    def post(self, letters: Sequence[Posted], needless: Collection[int]) -> None:
        """These letters go with the others; the numbers `needless` need not go any more."""
        self._posted += letters
        self._needless += needless

    def answered(self, wait: Wait) -> None:
        """Nobody is to be reminded of this wait any more."""
        self._answered.append(wait)

    def put(self) -> None:
        """Put into the outbox what was posted so far."""
        withdraw_answered(self._session, self._answered)
        posted, needless = self._posted, self._needless
        self._posted, self._needless, self._answered = [], [], []
        send(self._session, self._site, self._now, posted, needless)

    def read_again(self, game: Game) -> None:
        """Something else has written to this table, or changed who sits there."""
        self.put()
        self._session.flush()
        self._read([game])

    def _read(self, games: Sequence[Game]) -> None:
        numbers = [id_of(game) for game in games]
        held = seated_at(self._session, numbers)
        people = {one.person_id for some in held.values() for one in some}
        people |= {one for game in games for one in (game.organiser_id, game.moderator_id)}
        self._held |= held
        self._reached |= reached(self._session, people - {None})  # type: ignore[arg-type]
        self._letters |= correspondence.correspondence(self._session, numbers)


def withdraw_answered(session: Session, waits: Sequence[Wait]) -> None:
    """A reminder of several tables that has not gone out need not, once none of them waits
    any more, as `waits` do not; while one does, it goes out without the others."""
    if not waits:
        return
    people = {wait.person_id for wait in waits}
    unsent = session.exec(_UNSENT_REMINDERS, params={"people": list(people)}).all()
    if not unsent:
        return
    numbers = {number for _letter, context in unsent for number in context["waits"]}
    rows = session.exec(_STILL_OPEN, params={"waits": list(numbers)})
    still = {row.id for row in rows if row.ended_at is None}  # one may not be written yet
    needless = [letter for letter, context in unsent if still.isdisjoint(context["waits"])]
    correspondence.withdraw(session, col(Letter.id).in_(needless))


_UNSENT_REMINDERS = select(Letter.id, Letter.context).where(
    col(Letter.person_id).in_(bindparam("people", expanding=True)),
    col(Letter.kind) == "reminders",
    col(Letter.state).in_(correspondence.UNSENT),
)
_STILL_OPEN = select(Wait).where(
    col(Wait.id).in_(bindparam("waits", expanding=True)), col(Wait.ended_at).is_(None)
)


def send(
    session: Session, site: Site, now: datetime, posted: Sequence[Posted],
    needless: Collection[int],
) -> None:  # fmt: skip
    """Take letters that are `needless` now out of the outbox, and put these into it."""
    threads = correspondence.threads(session, {first for _, first in posted if first})
    if needless:
        correspondence.withdraw(session, col(Letter.id).in_(needless))
    drafts = [
        draft if first is None else replace(draft, **threads[first])  # type: ignore[arg-type]
        for draft, first in posted
    ]
    put(session, site, now, drafts)
