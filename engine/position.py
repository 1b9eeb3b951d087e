"""A position: everything there is to know in a game, compact.

Inside, cards and cabins are numbers (`engine.tables`), seats are 0 to players - 1, kinds 0 to 4,
markers are counted in halves.  `engine.view` shows what a seat may see of it.
"""

from typing import Any

from engine.ark import Ark
from engine.cards import Deck
from engine.tables import NONE

KIND_COUNT = 5
DISPLAY_SIZE = 3
RAIN_OF_PETS = 2
RAIN_OF_END = 5


class Position:
    """A game at one moment.  Changed only by `engine.game.apply`; compared by value."""

    __slots__ = (
        "answered",
        "ark",
        "deck",
        "display",
        "drawn",
        "hands",
        "marks",
        "out",
        "pets",
        "phase",
        "players",
        "rain",
        "seat",
        "stack",
        "tables",
        "timbers",
        "turn",
    )

    def __init__(self, deck: Deck, players: int) -> None:
        self.deck = deck
        self.tables = deck.tables
        self.players = players
        self.turn = 0
        """Turns done since the set-up."""
        self.phase = "main"
        """main, pets, end or over."""
        self.seat = 0
        """Whose turn it is; in the pet phase, whose turn it is after it (R7.1)."""
        self.rain = 0
        """Rain cards revealed."""
        self.ark = Ark()
        self.hands: list[tuple[int, ...]] = [()] * players
        """By seat, in the order the cards came."""
        self.display: tuple[int, ...] = ()
        self.stack: tuple[int, ...] = ()
        """The whole stack of the set-up, top first, of which the first `drawn` are gone."""
        self.drawn = 0
        self.timbers = [4] * 3 if players == 3 else [3, 3, 3, 4, 4][:players]  # R3.2
        self.marks = [0] * (KIND_COUNT * players)
        """Half-markers: entry 5 * seat + kind."""
        self.pets = [NONE] * players
        self.answered = 0
        """Mask of the seats that have answered for a pet."""
        self.out = 0
        """Mask of the seats that have passed (R8.1)."""

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that are to move: one, in the pet phase all that have not answered."""
        if self.phase == "pets":
            return tuple(seat for seat in range(self.players) if not self.answered >> seat & 1)
        return () if self.phase == "over" else (self.seat,)

    @property
    def passed(self) -> tuple[int, ...]:
        """The seats that are out."""
        return tuple(seat for seat in range(self.players) if self.out >> seat & 1)

    def copy(self) -> "Position":
        """A position of its own that shares nothing changeable with this one."""
        twin = Position.__new__(Position)
        twin.deck = self.deck
        twin.tables = self.tables
        twin.players = self.players
        twin.turn = self.turn
        twin.phase = self.phase
        twin.seat = self.seat
        twin.rain = self.rain
        twin.ark = self.ark.copy()
        twin.hands = self.hands[:]
        twin.display = self.display
        twin.stack = self.stack
        twin.drawn = self.drawn
        twin.timbers = self.timbers[:]
        twin.marks = self.marks[:]
        twin.pets = self.pets[:]
        twin.answered = self.answered
        twin.out = self.out
        return twin

    def _compact(self) -> dict[str, Any]:
        ark = self.ark
        return {
            "players": self.players,
            "turn": self.turn,
            "phase": self.phase,
            "seat": self.seat,
            "rain": self.rain,
            "ark": [[list(crew) for crew in ark.side(side)] for side in (0, 1)],
            "hands": [list(hand) for hand in self.hands],
            "display": list(self.display),
            "stack": list(self.stack[self.drawn :]),
            "timbers": list(self.timbers),
            "marks": list(self.marks),
            "pets": list(self.pets),
            "answered": self.answered,
            "out": self.out,
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.deck == other.deck and self._compact() == other._compact()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Position after turn {self.turn}, phase {self.phase}, to move {self.to_move}>"

    def to_json(self) -> dict[str, Any]:
        """Everything, secrets included, in JSON types; cards are numbers of the deck."""
        return {"deck": self.deck.name, **self._compact()}

    @classmethod
    def from_json(cls, form: dict[str, Any], deck: Deck) -> "Position":
        """The position `to_json` described; the deck has to be the same one."""
        if form["deck"] != deck.name:
            raise ValueError(f"the position belongs to the deck {form['deck']!r}")
        position = cls(deck, form["players"])
        for name in ("turn", "phase", "seat", "rain", "answered", "out"):
            setattr(position, name, form[name])
        position.ark = Ark.loaded(deck.tables, *form["ark"])
        position.hands = [tuple(hand) for hand in form["hands"]]
        position.display = tuple(form["display"])
        position.stack = tuple(form["stack"])
        position.timbers = list(form["timbers"])
        position.marks = list(form["marks"])
        position.pets = list(form["pets"])
        return position
