"""The `state` of ark-record: a whole position, with names."""

from typing import Any

from engine.cards import KINDS, RAIN_CARD, Deck
from engine.playing import halves
from engine.position import KIND_COUNT, Position
from engine.setup import setup_of
from engine.tables import LEFT, NONE, RAIN, RIGHT


def state(position: Position) -> dict[str, Any]:
    """The whole position, secrets included; a fresh value in JSON types."""
    names = position.tables.names
    marks = position.marks
    return {
        **setup_of(position),
        "rain": position.rain,
        "timbers": list(position.timbers),
        "marks": [
            {kind: halves(marks[KIND_COUNT * seat + n]) for n, kind in enumerate(KINDS)}
            for seat in range(position.players)
        ],
        "pets": [names[pet] if pet != NONE else None for pet in position.pets],
        "passed": list(position.passed),
        "phase": position.phase,
        "to_move": list(position.to_move),
    }


def from_state(
    state: dict[str, Any], players: int, deck: Deck, first: int | None = None
) -> Position:
    """The position of a state.

    `first` is the seat whose turn it is after the pet phase, which a state does not tell; else it
    is not needed.  Whether the position can come up in a game is not asked; KeyError for a card
    the deck does not have.
    """
    numbers = {card.name: number for number, card in enumerate(deck.cards)} | {RAIN_CARD: RAIN}
    position = Position(deck, players)
    for side, letter in ((LEFT, "L"), (RIGHT, "R")):
        for row, crew in enumerate(state["ark"][letter]):
            for name in crew:
                position.ark.enter(deck.tables, numbers[name], 2 * row + side)
    position.hands = [tuple(numbers[name] for name in hand) for hand in state["hands"]]
    position.display = tuple(numbers[name] for name in state["display"])
    position.stack = tuple(numbers[name] for name in state["stack"])
    position.rain = state["rain"]
    position.timbers = list(state["timbers"])
    position.marks = [int(2 * row[kind]) for row in state["marks"] for kind in KINDS]
    position.pets = [NONE if name is None else numbers[name] for name in state["pets"]]
    position.out = sum(1 << seat for seat in state["passed"])
    position.phase = state["phase"]
    everybody = (1 << players) - 1
    if position.phase == "pets":
        position.answered = everybody - sum(1 << seat for seat in state["to_move"])
        position.seat = first or 0
    else:
        position.answered = everybody if position.rain >= 2 else 0
        position.seat = state["to_move"][0] if state["to_move"] else 0
    return position
