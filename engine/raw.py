"""Moves as tuples of numbers: what the engine works with inside.

A raw move is ``(GATHER, card)``, ``(BOARD, play)``, ``(BOARD, play, play)``, ``(PET, card)`` or
``(PASS,)``; a raw play is ``(card, cabin, out, mark, take)``.  Cards, cabins and kinds are numbers
as in `engine.tables`, and `NONE` stands where something does not apply.  A move of frozen objects
with names costs some twenty times as much to make, and a turn may have 1,500 legal ones.
"""

from collections.abc import Iterator, Sequence
from typing import Any, overload

from engine.cards import KINDS, Deck
from engine.moves import Board, Gather, Move, Pass, Pet, Play
from engine.tables import CARDS, MARKABLE, NONE, RawPlay, Tables, cabin_name, cabin_number

GATHER, BOARD, PET, PASS = range(4)

RawMove = tuple[Any, ...]

_MARKS = {KINDS[kind]: kind for kind in MARKABLE}


def decode(tables: Tables, raw: RawMove) -> Move:
    """The friendly move of a raw one."""
    action = raw[0]
    if action == BOARD:
        return Board(tuple(_decode_play(tables, play) for play in raw[1:]))
    if action == GATHER:
        return Gather(_name(tables, raw[1]))
    if action == PET:
        return Pet(None if raw[1] == NONE else _name(tables, raw[1]))
    return Pass()


def _decode_play(tables: Tables, play: RawPlay) -> Play:
    card, cabin, out, mark, take = play
    return Play(
        _name(tables, card),
        cabin_name(cabin),
        None if out == NONE else _name(tables, out),
        None if mark == NONE else KINDS[mark],
        None if take == NONE else _name(tables, take),
    )


def _name(tables: Tables, card: int) -> str:
    assert card < CARDS, "an unknown card has no name"
    return tables.cards[card].name


def encode(deck: Deck, move: Move) -> RawMove | None:
    """The raw move of a friendly one; None when it names what no deck or ark can have."""
    try:
        match move:
            case Board(plays):
                return (BOARD, *[_encode_play(deck, play) for play in plays])
            case Gather(take):
                return (GATHER, deck.number(take))
            case Pet(card):
                return (PET, NONE if card is None else deck.number(card))
            case Pass():
                return (PASS,)
    except KeyError:
        return None


def _encode_play(deck: Deck, play: Play) -> RawPlay:
    cabin = cabin_number(play.cabin)
    if cabin is None:
        raise KeyError(play.cabin)
    number = deck.number
    return (
        number(play.card),
        cabin,
        NONE if play.out is None else number(play.out),
        NONE if play.mark is None else _MARKS[play.mark],
        NONE if play.take is None else number(play.take),
    )


class MoveList(Sequence[Move]):
    """Moves, made when they are looked at; `raw` holds them as tuples of numbers."""

    __slots__ = ("_deck", "raw")

    def __init__(self, deck: Deck, raw: list[RawMove]) -> None:
        self._deck = deck
        self.raw = raw

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> "MoveList": ...
    def __getitem__(self, index: int | slice) -> "Move | MoveList":
        if isinstance(index, slice):
            return MoveList(self._deck, self.raw[index])
        return decode(self._deck.tables, self.raw[index])

    def __len__(self) -> int:
        return len(self.raw)

    def __iter__(self) -> Iterator[Move]:
        tables = self._deck.tables
        return (decode(tables, raw) for raw in self.raw)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and encode(self._deck, move) in self.raw

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MoveList):
            return self._deck == other._deck and self.raw == other.raw
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<MoveList of {len(self)} moves>"
