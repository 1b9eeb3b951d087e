"""A table with real people, a real game and a real database, to show letters of: for
the gallery of screenshots, the golden letters and the benchmark."""

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from sqlmodel import Session, SQLModel, select

from engine.cards import Deck, builtin_deck
from engine.game import Position, apply, new_game
from engine.moves import Gather, Move, Pet, to_json
from engine.record import setup_of
from engine.shuffle import Generator
from engine.view import view
from pbem.letters import announce
from pbem.letters.site import Site
from pbem.settings import Settings
from pbem.store import Address, Game, Invitation, Person, Seat, Store, Tenure
from pbem.store.log import Author, append
from pbem.store.people import person_by_address
from pbem.store.positions import position_now, store_position
from pbem.store.rows import id_of
from pbem.store.tokens import Keys
from pbem.translation import language

START = datetime(2026, 11, 30, 12, 30, tzinfo=UTC)
PEOPLE = (
    ("Ann", "ann@example.org", "Europe/Berlin"),
    ("Bo", "bo@example.net", "America/New_York"),
    ("Cy", "cy@example.com", "Asia/Hong_Kong"),
    ("Di", "di@example.org", None),
    ("Eve", "eve@example.net", "UTC"),
)
Chooser = Callable[[Position, int, Generator], Move]


def site(settings: Settings | None = None) -> Site:
    """A site with a fixed key: the same letters every time."""
    return Site(settings or Settings(), Keys(b"a key for letters that nobody gets"))


class Stage:
    """One table; its letters are announced as the desk does it.  Its people want them in the
    language spoken when it is set up."""

    def __init__(
        self, session: Session, site: Site, players: int = 4, seed: str = "stage",
        *, name: str = "Sunday club", names: Sequence[str] = (), bots: Sequence[int] = (),
        deck: Deck | None = None, organiser: int = 0,
    ) -> None:  # fmt: skip
        self.session, self.site, self.now = session, site, START
        self.seed, self.chance = seed, Generator(seed)
        self.people = self._people(players, names)
        digest = hashlib.sha256(seed.encode()).hexdigest()
        self.game = Game(
            name=name, players=players, turn_seconds=48 * 3600,
            organiser_id=self._people(5, names)[organiser].id,
            zone="Europe/Berlin", created_at=self.now, expires_at=self.now + timedelta(days=7),
            server_seed=digest, salt=digest[:32], commitment=digest[::-1],
        )  # fmt: skip
        if deck is not None:
            self.game.deck = deck.name
        session.add(self.game)
        session.flush()
        self.invitations = [self._invite(place, bot=place in bots) for place in range(players)]

    def _people(self, players: int, names: Sequence[str]) -> list[Person]:
        return [
            self._person(names[number] if number < len(names) else name, address, zone)
            for number, (name, address, zone) in enumerate(PEOPLE[:players])
        ]

    def _person(self, name: str, address: str, zone: str | None) -> Person:
        """One who has this address already sits at this table, too."""
        person = person_by_address(self.session, address)
        if person is None:
            person = Person(name=name, zone=zone, language=language(), created_at=self.now)
            self.session.add(person)
            self.session.flush()
            own = Address(person_id=id_of(person), address=address, created_at=self.now)
            self.session.add(own)
        person.name = name
        return person

    def _invite(self, place: int, *, bot: bool) -> Invitation:
        invitation = Invitation(
            game_id=id_of(self.game), place=place, created_at=self.now,
            person_id=None if bot else self.people[place].id, bot="greedy" if bot else None,
            state="accepted" if bot or not place else "invited",
            word="rainbow" if place == 1 else "",
        )  # fmt: skip
        self.session.add(invitation)
        self.session.flush()
        return invitation

    def begin(self) -> "Stage":
        """Everybody accepts and the game begins; seats in the order of the people."""
        game = self.game
        for seat, invitation in enumerate(self.invitations):
            invitation.state = "accepted"
            row = Seat(game_id=id_of(game), number=seat)
            self.session.add(row)
            self.session.flush()
            self.session.add(
                Tenure(
                    seat_id=id_of(row), from_seq=1,
                    person_id=invitation.person_id, bot=invitation.bot,
                )
            )  # fmt: skip
        append(self.session, game, "started", self.now, Author("clock"), public={})
        game.seed, game.seating = self.seed, list(range(game.players))
        game.status, game.started_at, game.expires_at = "running", self.now, None
        position = new_game(self.seed, game.players, builtin_deck())
        game.setup = setup_of(position)
        store_position(game, position)
        self._wait()
        announce.game_begins(self.session, self.site, self.now, game)
        return self

    @property
    def position(self) -> Position:
        return position_now(self.game)

    def play(self, move: Move, seat: int | None = None) -> None:
        """One turn, with its trace and its letters."""
        game, position = self.game, self.position
        seat = position.to_move[0] if seat is None else seat
        self.now += timedelta(hours=3)
        before = position.phase
        happenings = apply(position, seat, move)
        append(
            self.session, game, "turn", self.now, Author("mail"),
            seat=seat, move=to_json(move), happenings=happenings,
        )  # fmt: skip
        game.decision += not isinstance(move, Pet)
        store_position(game, position)
        if not isinstance(move, Pet) or position.phase != before:
            self._wait()
        if position.phase == "over":
            game.status, game.finished_at, game.due_at = "over", self.now, None
            announce.game_over(self.session, self.site, self.now, game)
        else:
            announce.after_turn(self.session, self.site, self.now, game, seat)

    def _wait(self) -> None:
        self.game.waiting_since = self.now
        self.game.due_at = self.now + timedelta(seconds=self.game.turn_seconds)
        self.session.add(self.game)
        self.session.flush()

    def leave(self, seat: int) -> None:
        """The holder of a seat leaves, and a bot plays it from now on."""
        row = self.session.exec(
            select(Seat).where(Seat.game_id == self.game.id, Seat.number == seat)
        ).one()
        held = self.session.exec(select(Tenure).where(Tenure.seat_id == row.id)).one()
        author = Author("mail", held.person_id)
        event = append(self.session, self.game, "resigned", self.now, author, seat=seat, public={})
        held.until_seq = event.seq
        self.session.add(Tenure(seat_id=id_of(row), bot="greedy", from_seq=event.seq))
        self.session.flush()
        announce.resigned(self.session, self.site, self.now, self.game, seat)

    def until(
        self, done: Callable[[Position], bool], choose: Chooser | None = None, most: int = 500
    ) -> "Stage":
        """Play until `done`, or until the game is over."""
        choose = choose or lively
        for _ in range(most):
            position = self.position
            if position.phase == "over" or done(position):
                break
            seat = position.to_move[0]
            self.play(choose(position, seat, self.chance), seat)
        return self


def lively(position: Position, seat: int, chance: Generator) -> Move:
    """A move of chance that boards more than it gathers: the ark fills up."""
    moves = view(position, seat).legal()
    aboard = [move for move in moves if not isinstance(move, Gather)]
    if aboard and chance.below(3):
        return aboard[chance.below(len(aboard))]
    return moves[chance.below(len(moves))]


def open_store(url: str = "sqlite://") -> Store:
    """A store of its own, with all tables."""
    store = Store(url)
    SQLModel.metadata.create_all(store.engine)
    return store
