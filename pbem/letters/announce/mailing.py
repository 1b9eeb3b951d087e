"""Letters to the people of one table, put into the outbox together."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.letters.announce.batch import Batch, Posted, send
from pbem.letters.correspondence import correspondence
from pbem.letters.outbox import drafted
from pbem.letters.queue import STATE
from pbem.letters.site import Site
from pbem.store import Game, Person, Wait
from pbem.store.people import Holder, holders, reached
from pbem.store.positions import position_now
from pbem.store.rows import id_of


class Mailing:
    """Who is to be written to is asked once, and so is what they were sent before."""

    def __init__(
        self,
        session: Session,
        site: Site,
        now: datetime,
        game: Game,
        held: Sequence[Holder] | None = None,
        batch: Batch | None = None,
    ) -> None:
        """`held`: the table's holders, for a caller who knows them; `batch`: that which the
        letters go with."""
        self._session, self._site, self._now, self._game = session, site, now, game
        self._batch = batch
        if batch is None:
            held = holders(session, game) if held is None else held
            people = [holder.person_id for holder in held if holder.person_id is not None]
            self._reached = reached(session, people)
            self._letters = correspondence(session, [id_of(game)])[id_of(game)]
        else:
            held = batch.held(game)
            self._reached, self._letters = batch.reached(game), batch.letters(game)
        self._seats = {one.seat: one.person_id for one in held if one.person_id in self._reached}
        self._dues: dict[int, datetime | None] | None = None
        self._needless: set[tuple[int, str]] = set()
        self._beside: list[Posted] = []
        self._posted: list[tuple[str, int, int | None, dict[str, Any]]] = []

    def people(self) -> list[tuple[int, Person]]:
        """The seats that a person holds whom letters reach."""
        return [
            (seat, self._session.get_one(Person, person_id))
            for seat, person_id in self._seats.items()
        ]

    def has(self, seat: int, kind: str) -> bool:
        """Whether a seat was sent such a letter before."""
        return self._letters.has(seat, kind)

    def until(self, seat: int) -> dict[str, Any]:
        """The deadline of a seat as it is now, as a letter keeps it: its own where the
        table waits for several, else that of the table."""
        if self._dues is None and len(position_now(self._game).to_move) == 1:
            self._dues = {}
        if self._dues is None:
            self._dues = dict(
                self._session.exec(
                    select(Wait.seat, Wait.due_at).where(
                        Wait.game_id == self._game.id, col(Wait.ended_at).is_(None)
                    )
                ).all()
            )
        due = self._dues.get(seat, self._game.due_at)
        return {} if due is None else {"due": due.isoformat()}

    def withdraw(self, seat: int, kinds: Iterable[str]) -> None:
        """Letters of these kinds to this seat that have not gone out need not go any more;
        with what is sent."""
        self._needless |= {(seat, kind) for kind in kinds}

    def post(self, kind: str, seat: int, follows: Iterable[str] = (), **details: Any) -> None:
        """One letter; it joins the conversation that the first letter of the kinds `follows`
        to this seat has opened."""
        self._posted.append((kind, seat, self._letters.first(seat, follows), details))

    def post_to(self, kind: str, person_id: int, **details: Any) -> None:
        """One letter about the table to somebody who need not sit there."""
        known = self._reached if self._batch is None else self._batch.everybody
        address = known.get(person_id) or reached(self._session, [person_id]).get(person_id)
        if address is not None:
            details |= {"person_id": person_id, "game": self._game}
            self._beside.append((drafted(kind, address, **details), None))

    def send(self) -> None:
        """Put what was posted into the outbox, and take out what is needless now."""
        for kind, seat, *_ in self._posted:
            if kind in STATE:
                self.withdraw(seat, STATE)
        needless = self._letters.take_unsent(self._needless)
        posted: list[Posted] = []
        for kind, seat, first, details in self._posted:
            person_id = self._seats[seat]
            details |= {"person_id": person_id, "game": self._game, "seat": seat}
            posted.append((drafted(kind, self._reached[person_id], **details), first))
        posted += self._beside
        if self._batch is None:
            send(self._session, self._site, self._now, posted, needless)
        else:
            self._batch.post(posted, needless)
