"""A game that has ended, step by step: the table after each turn, from every seat.

A game that is over may be seen whole (R10.3); yet each view is built as it was then, by
`engine.view` of the position at that step, so that one sees what that seat saw.  Whose view
may be looked at says the page's reader (`Opened.eyes`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sqlmodel import Session

from engine.cards import KINDS
from engine.game import Position
from engine.moves import Pet, to_json
from engine.record import Turn, read, start, walk, write
from engine.view import View, view
from pbem.archive.facts import Facts, facts_so_far
from pbem.archive.records import record_of, standing_turns
from pbem.commands import print_command
from pbem.commands.speech import command_word
from pbem.letters.ark import Picture, picture
from pbem.letters.cards import Face, cards_of
from pbem.letters.sentences import Teller, new_cabins, new_cards
from pbem.store import Game
from pbem.store.log import seen_by
from pbem.translation import _, language

COMMANDS = {"gather": "take", "board": "play", "pet": "pet", "pass": "pass"}


@dataclass(frozen=True)
class Walked:
    """All of a game: what is known of it, and the position after each turn (0: the deal)."""

    facts: Facts
    positions: tuple[Position, ...]
    turns: tuple[Turn, ...]

    def view(self, turn: int, seat: int | None) -> View:
        return view(self.positions[turn], seat)


@dataclass(frozen=True)
class Hand:
    """A hand that is open to the reader."""

    seat: int
    name: str
    cards: tuple[Face, ...]
    pet: Face | None


@dataclass(frozen=True)
class ShownStep:
    """One step of a replay, for one reader."""

    turn: int
    last: int
    seat: int | None
    every_hand: bool
    view: View
    ark: Picture
    told: tuple[str, ...]
    hands: tuple[Hand, ...]
    display: tuple[Face, ...]
    facts: Facts
    moves: tuple[str, ...]
    kinds: tuple[str, ...] = KINDS

    @property
    def mover(self) -> int | None:
        """Whose turn it was that led here."""
        return self.facts.steps[self.turn].mover


def walked(session: Session, game: Game) -> Walked:
    """All steps of a game that has ended; kept for the readers who go through it."""
    record = record_of(session, game)
    record.names = record.proof = None  # what does not change the steps
    return _walk(write(record))


@lru_cache(maxsize=32)
def _walk(text: str) -> Walked:
    [record] = read(text)
    positions = [start(record)]
    positions += [position.copy() for _turn, _events, position in walk(record)]
    return Walked(facts_so_far(record), tuple(positions), tuple(record.turns))


def shown(
    session: Session, game: Game, names: Sequence[str], turn: int, seat: int | None,
    every_hand: bool = False,
) -> ShownStep:  # fmt: skip
    """The table after a turn (0: after the deal) as a seat saw it, or everybody; `every_hand`
    opens all hands."""
    steps = walked(session, game)
    table = steps.view(turn, seat)
    seen = []
    if turn:
        event = standing_turns(session, game)[turn - 1]
        seen = seen_by([event], seat)
    teller = Teller(cards_of(table.deck), names, seat)
    return ShownStep(
        turn=turn,
        last=steps.facts.turns,
        seat=seat,
        every_hand=every_hand,
        view=table,
        ark=picture(table, new_cards(seen), new_cabins(seen)),
        told=tuple(teller.tell(seen)) or untold(steps, names, turn),
        hands=tuple(_hands(steps, names, turn, seat, every_hand)),
        display=tuple(cards_of(table.deck).face(name) for name in table.display),
        facts=steps.facts,
        moves=tuple(_moves(steps, seat)),
    )


def move_words(turn: Turn, tongue: str | None = None) -> str:
    """A move as its reader would write it, or in another language."""
    form = to_json(turn.move)
    return print_command(COMMANDS[str(form["type"])], form, tongue or language())


def _moves(steps: Walked, seat: int | None) -> Iterator[str]:
    """All moves in words; until a game is over, a pet is its player's secret."""
    for turn in steps.turns:
        if isinstance(turn.move, Pet) and steps.facts.score is None and turn.seat != seat:
            yield command_word("pet", language())
        else:
            yield move_words(turn)


def _hands(
    steps: Walked, names: Sequence[str], turn: int, seat: int | None, every_hand: bool
) -> Iterator[Hand]:
    for other, name in enumerate(names):
        if other == seat or every_hand:
            own = steps.view(turn, other)
            cards = cards_of(own.deck)
            pet = None if own.pet is None else cards.face(own.pet)
            yield Hand(other, name, tuple(map(cards.face, own.hand or ())), pet)


def untold(steps: Walked, names: Sequence[str], turn: int) -> tuple[str, ...]:
    """What nobody but its player knew then, and what was before the first turn."""
    if turn == 0:
        first = names[steps.positions[0].to_move[0]]
        return (_("The cards are dealt; {who} begins.", who=first),)
    return (_("{who} has chosen in secret.", who=names[steps.turns[turn - 1].seat]),)
