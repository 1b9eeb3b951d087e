"""A running table of three people, opened as an operator opens one."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from engine.game import legal_moves
from engine.moves import from_json, notation
from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.installation import Installation
from pbem.store import Game, Letter
from pbem.store.log import Author, events_of
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.store.tokens import Bearer
from tests.remembered import remembered

ADDRESSES = ("ann@example.org", "bo@example.org", "cy@example.org")


@dataclass(frozen=True)
class Table:
    """Seat 0 is Ann's, 1 Bo's, 2 Cy's."""

    installation: Installation
    game_id: int
    people: tuple[int, int, int]

    def bearer(self, seat: int) -> Bearer:
        """What the reply address of a seat's newest letter stands for."""
        with self.installation.store.read() as session:
            decision = session.get_one(Game, self.game_id).decision
        return Bearer("seat", self.people[seat], self.game_id, seat, decision=decision)

    def reply_address(self, seat: int) -> str:
        installation = self.installation
        return installation.site.reply_address(installation.keys.token(self.bearer(seat)))

    def legal(self, seat: int) -> list[str]:
        """The legal turns of a seat, as a player may write them."""
        with self.installation.store.read() as session:
            position = position_now(session.get_one(Game, self.game_id))
            return [notation(move) for move in legal_moves(position, seat)]

    def moves(self) -> list[str]:
        """The turns so far, in the same notation."""
        with self.installation.store.read() as session:
            game = session.get_one(Game, self.game_id)
            return [notation(from_json(one.move)) for one in events_of(session, game) if one.move]

    def letters(self, seat: int | None = None, kind: str | None = None) -> list[Letter]:
        """The letters so far, oldest first."""
        query = select(Letter).order_by(col(Letter.id))
        if seat is not None:
            query = query.where(Letter.seat == seat)
        if kind is not None:
            query = query.where(Letter.kind == kind)
        with self.installation.store.read() as session:
            found = list(session.exec(query))
            session.expunge_all()
            return found


def open_table(installation: Installation, name: str = "Sunday club", seed: str = "one") -> Table:
    game_id, *people = remembered(
        installation, ("a table", name, seed), lambda: _opened(installation, name, seed)
    )
    ann, bo, cy = people
    return Table(installation, game_id, (ann, bo, cy))


def _opened(installation: Installation, name: str, seed: str) -> tuple[int, ...]:
    """The numbers of the game and of its people, seat by seat."""
    now, author = installation.clock(), Author("cli")
    with installation.store.work() as session:
        people = [
            find_or_add_person(session, now, address.partition("@")[0].title(), address, True)
            for address in ADDRESSES
        ]
        game = tables.open_table(
            session,
            installation.site,
            now,
            installation.entropy,
            author,
            name=name,
            places=[tables.Place(person.id) for person in people],
            server_seed=seed,
            announced=False,
        )
        accept_all(session, game)
        tables.begin(session, installation.site, now, author, game, draw_seats=False)
        assert game.id is not None
        return game.id, *(one.person_id or 0 for one in holders(session, game))


def accept_all(session: Session, game: Game) -> None:
    for one in tables.invitations(session, game):
        one.state = "accepted"
        session.add(one)
