"""A table played by mail from end to end: who sits there, and how a turn is made.

The players know what their letters say, and answer these; what the harness itself knows
(legal moves, whose turn it is) it reads from the server's database.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from sqlmodel import col, select

from engine.moves import Board, Move, to_json
from engine.position import Position
from engine.view import View, view
from pbem.store import Event, Game, Letter, Mail
from pbem.store.people import address_of, holders
from pbem.store.positions import position_now
from tests.e2e.layouts import Answer, laid_out
from tests.e2e.phrasings import Writer
from tests.e2e.server import Server, wait_until
from tests.e2e.sink import Delivery, Sink

ASKING = ("your-turn", "choose-pet")
UNDER_WAY = ("queued", "sending", "retry", "unknown")


@dataclass(frozen=True)
class Player:
    name: str
    address: str

    @property
    def written(self) -> str:
        return f"{self.name} <{self.address}>"


ANN, BO, CY, DI, EVE = (
    Player(name, f"{name.lower()}@example.net") for name in ("Ann", "Bo", "Cy", "Di", "Eve")
)


@dataclass(frozen=True)
class Now:
    """A table as it stands."""

    status: str
    decision: int
    seq: int
    position: Position
    addresses: tuple[str, ...]
    """Of the seats' holders; empty for a bot."""


class Table:
    """One game on a server, played by people whose mails this writes."""

    def __init__(
        self, server: Server, sink: Sink, game_id: int, players: Iterable[Player], seed: str
    ) -> None:
        self.server, self.sink, self.game_id = server, sink, game_id
        self.players = {player.address: player for player in players}
        self.rng = random.Random(seed)
        self.writer = Writer(self.rng)
        self.mails: dict[str, str] = {}
        """Message-ID → address of every mail that was taken with 250."""
        self.taken: Counter[str] = Counter()
        """Message-ID → how many copies of it were taken."""
        self.last: tuple[bytes, Delivery, str] | None = None
        """The mail of the last turn: its bytes, the letter it answers, its Message-ID."""
        self._latest = self.last
        self._ids = (f"<{seed}-{number}@mail.example.net>" for number in count(1))

    # -- looking

    def now(self) -> Now:
        with self.server.store.read() as session:
            game = session.get_one(Game, self.game_id)
            found = (address_of(session, one.person_id or 0) for one in holders(session, game))
            addresses = tuple("" if one is None else one.address for one in found)
            return Now(game.status, game.decision, game.seq, position_now(game), addresses)

    def ready(self) -> Now:
        """The table when it waits for a person (the bots have moved), or is over."""

        def waiting() -> Now | None:
            now = self.now()
            people = [now.addresses[seat] for seat in now.position.to_move]
            return now if now.status == "over" or any(people) else None

        return wait_until(waiting, "the bots to move")

    def over(self) -> bool:
        return self.now().status == "over"

    def letter_to(self, seat: int, now: Now) -> Delivery:
        """The letter that asks this seat for its turn, when it has been delivered."""

        def message_id() -> str | None:
            with self.server.store.read() as session:
                return session.exec(
                    select(Letter.message_id)
                    .where(
                        Letter.game_id == self.game_id,
                        Letter.seat == seat,
                        Letter.decision == now.decision,
                        col(Letter.kind).in_(ASKING),
                        Letter.state != "replaced",
                    )
                    .order_by(col(Letter.id).desc())
                ).first()

        wanted = wait_until(message_id, f"a letter asking seat {seat} for its turn")
        address = now.addresses[seat]
        return self.sink.wait_for(
            lambda one: one.envelope_to == address and one.message_id == wanted,
            f"letter {wanted} to {address}",
        )

    def settled(self, message_id: str) -> Mail:
        """The mail, when the server has dealt with it (its last copy, if there are more)."""

        def dealt_with() -> Mail | None:
            with self.server.store.read() as session:
                broken = session.exec(select(Mail.error).where(Mail.state == "quarantined")).all()
                assert not broken, broken
                if session.exec(select(Mail.id).where(Mail.state == "new")).first() is not None:
                    return None
                return session.exec(
                    select(Mail).where(Mail.message_id == message_id).order_by(col(Mail.id).desc())
                ).first()

        return wait_until(dealt_with, f"the mail {message_id} to be read")

    def outbox_empty(self) -> bool:
        with self.server.store.read() as session:
            left = select(Letter.id).where(col(Letter.state).in_(UNDER_WAY))
            return session.exec(left).first() is None

    def turns_of(self, message_id: str) -> list[Event]:
        """The turns that copies of this mail made."""
        with self.server.store.read() as session:
            return list(
                session.exec(
                    select(Event)
                    .join(Mail, col(Mail.id) == col(Event.mail_id))
                    .where(Mail.message_id == message_id, Event.kind == "turn")
                )
            )

    # -- writing

    def new_id(self) -> str:
        return next(self._ids)

    def compose(self, letter: Delivery, text: str, message_id: str) -> bytes:
        """An answer to a letter from the one it went to, as some mail program sends it."""
        player = self.players[letter.envelope_to]
        return laid_out(Answer(player.name, player.address, letter, text, message_id), self.rng)

    def answer(self, letter: Delivery, text: str) -> str:
        """Answer a letter; returns the Message-ID of a mail that was taken."""
        message_id = self.new_id()
        raw = self.compose(letter, text, message_id)
        self.post(raw, letter, message_id)
        self._latest = raw, letter, message_id
        return message_id

    def post(self, raw: bytes, letter: Delivery, message_id: str) -> None:
        self.server.send(raw, letter.envelope_to, letter.reply_address)
        self.mails[message_id] = letter.envelope_to
        self.taken[message_id] += 1

    def write_to(self, address: str, sender: Player, text: str, subject: str = "Ark") -> str:
        """A new mail, in answer to nothing."""
        message_id = self.new_id()
        raw = (
            f"From: {sender.written}\r\nTo: {address}\r\nSubject: {subject}\r\n"
            f"Message-ID: {message_id}\r\n\r\n{text}\r\n"
        )
        self.server.send(raw.encode(), sender.address, address)
        self.mails[message_id] = sender.address
        self.taken[message_id] += 1
        return message_id

    # -- playing

    def choose(self, seen: View) -> Move:
        """A legal move: gathers, single plays and pairs alike often."""
        kinds: dict[str, list[Move]] = {}
        for move in seen.legal():
            kind = f"{len(move.plays)} plays" if isinstance(move, Board) else type(move).__name__
            kinds.setdefault(kind, []).append(move)
        return self.rng.choice(kinds[self.rng.choice(sorted(kinds))])

    def play_turn(self) -> str:
        """Let one of those to move answer his letter with a turn; the Message-ID."""
        now = self.ready()
        seat = self.rng.choice([one for one in now.position.to_move if now.addresses[one]])
        seen, letter = view(now.position, seat), self.letter_to(seat, now)
        assert_tells(letter, seen)
        move = self.choose(seen)
        text = self.writer.mail(move, seen, self.players[now.addresses[seat]].name)
        message_id = self.answer(letter, text)
        mail = self.settled(message_id)
        turns = self.turns_of(message_id)
        told = f"{text!r} for {to_json(move)} at {letter.subject!r}: {mail.receipt}"
        assert [turn.move for turn in turns] == [to_json(move)], told
        self.last = self._latest
        return message_id


def assert_tells(letter: Delivery, seen: View) -> None:
    """The letter names every card its reader needs for his turn."""
    said = letter.text.casefold().replace("-", " ")
    for name in (*(seen.hand or ()), *seen.display):
        # Copies of a provision that are alike go without their number (commands.md 3.9).
        assert name.rstrip("1234-").replace("-", " ") in said, f"{name} is not in {letter.text}"
