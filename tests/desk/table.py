"""A table for tests: opened and begun without mail, orders given as its players would."""

from dataclasses import dataclass

from sqlmodel import col, select

from engine.moves import Board, Gather, Move, Pass, Pet, notation
from engine.view import View, view
from pbem.desk import Answer, Order, tables
from pbem.desk.options import options_for
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.store import Event, Game, Letter
from pbem.store.log import Author, events_of
from pbem.store.people import holders
from pbem.store.positions import position_now
from tests.remembered import remembered

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")


@dataclass
class Table:
    """One game of an installation, and its players' hands on it."""

    installation: Installation
    game_id: int

    @classmethod
    def begun(
        cls, installation: Installation, players: int = 3, bots: tuple[str, ...] = (),
        seed: str = "seed", hours: float = 48, time: str | None = None, **options: object,
    ) -> "Table":  # fmt: skip
        """`players` people and then `bots`, seats in that order.  `time` is a time control
        instead of `hours`, `options` those of the game that are not the usual ones."""
        control = round(hours * 3600) if time is None else time
        (game_id,) = remembered(
            installation,
            ("a game", players, bots, seed, control, repr(options)),
            lambda: cls._begun(installation, players, bots, seed, control, options),
        )
        return cls(installation, game_id)

    @staticmethod
    def _begun(
        installation: Installation, players: int, bots: tuple[str, ...], seed: str,
        control: int | str, options: dict[str, object],
    ) -> tuple[int]:  # fmt: skip
        now, author = installation.clock(), Author("cli")
        with installation.store.work() as session:
            people = [
                find_or_add_person(session, now, name, f"{name}@example.net", confirmed=True)
                for name in NAMES[:players]
            ]
            game = tables.open_table(
                session, installation.site, now, installation.entropy, author,
                name="Sunday club",
                places=[*(Place(person.id) for person in people), *(Place(bot=b) for b in bots)],
                organiser_id=people[0].id,
                options=options_for(installation.settings, control).model_copy(update=options),
                server_seed=seed,
                announced=False,
            )  # fmt: skip
            for one in tables.invitations(session, game):
                one.state = "accepted"
            tables.begin(session, installation.site, now, author, game, draw_seats=False)
            assert game.id is not None
            return (game.id,)

    def order(self, seat: int, text: str, channel: str = "web", **details: object) -> Answer:
        """Give an order as the holder of a seat."""
        with self.installation.store.work() as session:
            game = session.get_one(Game, self.game_id)
            person_id = holders(session, game)[seat].person_id
            order = Order(
                text, Author(channel, person_id), game_id=self.game_id, seat=seat, **details
            )  # type: ignore[arg-type]
            return self.installation.desk.take_order(session, order)

    def play(self, move: Move, seat: int | None = None) -> Answer:
        return self.order(self.to_move()[0] if seat is None else seat, written(move))

    def game(self) -> Game:
        with self.installation.store.read() as session:
            return session.get_one(Game, self.game_id)

    def to_move(self) -> tuple[int, ...]:
        return position_now(self.game()).to_move

    def view(self, seat: int | None) -> View:
        return view(position_now(self.game()), seat)

    def events(self) -> list[Event]:
        with self.installation.store.read() as session:
            return events_of(session, session.get_one(Game, self.game_id))

    def letters(self, seat: int | None = None, kind: str | None = None) -> list[Letter]:
        query = select(Letter).where(Letter.game_id == self.game_id).order_by(col(Letter.id))
        if seat is not None:
            query = query.where(Letter.seat == seat)
        if kind is not None:
            query = query.where(Letter.kind == kind)
        with self.installation.store.read() as session:
            return list(session.exec(query))


def written(move: Move) -> str:
    """A move as a player may write it."""
    assert isinstance(move, Gather | Board | Pet | Pass)
    return notation(move)
