"""What one seat, or a spectator, may know (R10).

A view is built up from what is allowed, never from a position minus its secrets; a test permutes
every card the seat cannot know and demands the same view.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from engine.ark import Ark
from engine.cards import KINDS, RAIN_CARD, Deck
from engine.game import legal_moves
from engine.playing import halves
from engine.position import KIND_COUNT, Position
from engine.raw import MoveList
from engine.scoring import Score, points_now, score
from engine.tables import CARDS, LEFT, NONE, RAIN, RIGHT, UNKNOWN


@dataclass(frozen=True)
class View:
    """Names and numbers only; tuples over seats unless said otherwise."""

    deck: Deck
    players: int
    seat: int | None
    """Whose view it is; None for a spectator."""
    phase: str
    to_move: tuple[int, ...]
    """The seats that are to move; several in the pet phase, none when over."""
    turn: int
    """Turns done."""
    ark: Mapping[str, tuple[tuple[str, ...], ...]]
    """By side, ``L`` and ``R``: the cabins from the bow, each in its order of entering."""
    balance: int
    """Weight on the right minus weight on the left (R2.2)."""
    display: tuple[str, ...]
    stack_count: int
    """Cards in the stack, rain cards among them."""
    rain: int
    """Rain cards revealed."""
    timbers: tuple[int, ...]
    hand_counts: tuple[int, ...]
    """In the pet phase as they were before it (R10.1)."""
    marks: tuple[Mapping[str, float], ...]
    """Markers by kind; one and a half is 1.5."""
    points: tuple[int, ...]
    """Points of the markers and timbers as they stand, pets not counted."""
    pets_set: tuple[bool | None, ...]
    """Who set a card aside; None until that is public (R10.1)."""
    passed: tuple[int, ...]
    """The seats that are out."""
    resumes: int | None = None
    """In the pet phase: whose turn it is after it (R7.1)."""
    hand: tuple[str, ...] | None = None
    """The own hand, in the order the cards came; None for a spectator."""
    pet: str | None = None
    """The own card set aside."""
    pet_chosen: bool = False
    """Has this seat answered for its pet?"""
    hands: tuple[tuple[str, ...], ...] | None = None
    """All hands, once the game is over (R10.3), as `pets`, `stack` and `result`."""
    pets: tuple[str | None, ...] | None = None
    stack: tuple[str, ...] | None = None
    result: Score | None = None

    def to_json(self) -> dict[str, Any]:
        """The view in JSON types; the deck by its name."""
        form = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}
        return {**form, "deck": self.deck.name}

    def legal(self) -> MoveList:
        """The legal moves of the seat; empty for a spectator."""
        if self.seat is None:
            return MoveList(self.deck, [])
        return legal_moves(imagine(self), self.seat)


def _plain(value: object) -> object:
    if isinstance(value, Score):
        return value.to_json()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


def view(position: Position, seat: int | None) -> View:
    """What the seat may know of the position, or a spectator (None).

    Of an imagined position, cards that nobody knows are left out.
    """
    cards = position.tables.cards
    tables, ark, players = position.tables, position.ark, range(position.players)

    def names(numbers: tuple[int, ...] | list[int]) -> tuple[str, ...]:
        return tuple([cards[number].name for number in numbers if number < CARDS])

    choosing = position.phase == "pets"
    all_chosen = position.answered == (1 << position.players) - 1
    own: dict[str, Any] = {}
    if seat is not None:
        pet = position.pets[seat]
        own["hand"] = names(position.hands[seat])
        own["pet"] = tables.names[pet] if pet != NONE else None
        own["pet_chosen"] = bool(position.answered >> seat & 1)
    if position.phase == "over":
        own["hands"] = tuple(names(hand) for hand in position.hands)
        own["pets"] = tuple(tables.names[pet] if pet != NONE else None for pet in position.pets)
        own["stack"] = tuple(tables.names[card] for card in position.stack[position.drawn :])
        own["result"] = score(position)
    return View(
        deck=position.deck,
        players=position.players,
        seat=seat,
        phase=position.phase,
        to_move=position.to_move,
        turn=position.turn,
        ark=MappingProxyType(
            {
                "L": tuple(names(crew) for crew in ark.side(LEFT)),
                "R": tuple(names(crew) for crew in ark.side(RIGHT)),
            }
        ),
        balance=ark.balance,
        display=names(position.display),
        stack_count=len(position.stack) - position.drawn,
        rain=position.rain,
        timbers=tuple(position.timbers),
        hand_counts=tuple(
            len(position.hands[other]) + (choosing and position.pets[other] not in (NONE, UNKNOWN))
            for other in players
        ),
        marks=tuple(
            {kind: halves(position.marks[KIND_COUNT * other + n]) for n, kind in enumerate(KINDS)}
            for other in players
        ),
        points=points_now(position),
        pets_set=tuple(pet != NONE if all_chosen else None for pet in position.pets),
        passed=position.passed,
        resumes=position.seat if choosing else None,
        **own,
    )


def imagine(view: View) -> Position:
    """A position made from a view alone.

    Cards the view does not know are unknown there: other hands and pets, the whole stack.  All of
    `engine.game` works on it; what would come off the stack stays unknown, and no rain comes.
    """
    deck = view.deck
    number = deck.number
    position = Position(deck, view.players)
    position.turn, position.phase, position.rain = view.turn, view.phase, view.rain
    if view.phase in ("main", "end"):
        position.seat = view.to_move[0]
    left, right = ([map(number, crew) for crew in view.ark[side]] for side in "LR")
    position.ark = Ark.loaded(deck.tables, left, right)
    position.display = tuple(map(number, view.display))
    position.stack = (UNKNOWN,) * view.stack_count
    position.timbers = list(view.timbers)
    position.marks = [int(2 * row[kind]) for row in view.marks for kind in KINDS]
    position.out = sum(1 << seat for seat in view.passed)
    position.hands = [(UNKNOWN,) * count for count in view.hand_counts]
    everybody = (1 << view.players) - 1
    if view.phase == "pets":
        assert view.resumes is not None
        position.seat = view.resumes
        position.answered = everybody - sum(1 << seat for seat in view.to_move)
        position.pets = [NONE if seat in view.to_move else UNKNOWN for seat in range(view.players)]
    elif view.pets_set[0] is not None:
        position.answered = everybody
        position.pets = [UNKNOWN if chosen else NONE for chosen in view.pets_set]
    if view.seat is not None:
        assert view.hand is not None
        position.hands[view.seat] = tuple(map(number, view.hand))
        position.pets[view.seat] = NONE if view.pet is None else number(view.pet)
    if view.hands is not None and view.pets is not None and view.stack is not None:
        position.hands = [tuple(map(number, hand)) for hand in view.hands]
        position.pets = [NONE if pet is None else number(pet) for pet in view.pets]
        position.stack = tuple(RAIN if name == RAIN_CARD else number(name) for name in view.stack)
    return position
