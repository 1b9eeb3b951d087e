"""Letters to the people of several tables, put into the outbox together."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col

from pbem.letters import correspondence
from pbem.letters.correspondence import Correspondence
from pbem.letters.outbox import Draft, put
from pbem.letters.site import Site
from pbem.store import Game, Letter, TablePreference
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
        self._wishes: dict[int, dict[int, TablePreference]] = {}
        self._posted: list[Posted] = []
        self._needless: list[int] = []
        self._read([id_of(game) for game in games])

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

    def wishes(self, game: Game) -> dict[int, TablePreference]:
        """What its people have chosen for its letters, by person."""
        return self._wishes[id_of(game)]

    def post(self, letters: Sequence[Posted], needless: Collection[int]) -> None:
        """These letters go with the others; the numbers `needless` need not go any more."""
        self._posted += letters
        self._needless += needless

    def put(self) -> None:
        """Put into the outbox what was posted so far."""
        posted, needless = self._posted, self._needless
        self._posted, self._needless = [], []
        send(self._session, self._site, self._now, posted, needless)

    def read_again(self, game: Game) -> None:
        """Something else has written to this table, or changed who sits there."""
        self.put()
        self._session.flush()
        self._read([id_of(game)])

    def _read(self, games: Sequence[int]) -> None:
        held = seated_at(self._session, games)
        people = {one.person_id for some in held.values() for one in some}
        self._held |= held
        self._reached |= reached(self._session, people - {None})  # type: ignore[arg-type]
        self._letters |= correspondence.correspondence(self._session, games)
        self._wishes |= wishes_at(self._session, games)


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
