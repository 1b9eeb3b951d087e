"""Positions from the little that matters, seen from seat 0."""

from engine.cards import Deck
from engine.position import Position
from engine.view import View, view
from tests.commands.reading import HOUSE


def seat_view(
    *,
    left: str = "sheep|hamster|rabbit|cat|squirrel",
    right: str = "deer|dog|bison",
    hand: str = "",
    display: str = "zebra grain-1 pig",
    phase: str = "main",
    seat: int = 0,
    timbers: int = 4,
    deck: Deck = HOUSE,
) -> View:
    """The view of seat 0; cabins are divided by ``|``, cards by spaces."""
    position = Position(deck, 3)
    used = [
        deck.number(name) for name in f"{left} {right} {hand} {display}".replace("|", " ").split()
    ]
    assert len(used) == len(set(used)), "a card in two places"
    for side, cabins in enumerate((left, right)):
        for row, crew in enumerate(cabins.split("|")):
            for name in crew.split():
                position.ark.enter(deck.tables, deck.number(name), 2 * row + side)
    position.hands[0] = tuple(deck.number(name) for name in hand.split())
    position.display = tuple(deck.number(name) for name in display.split())
    position.stack = tuple(number for number in range(55) if number not in used)
    position.timbers = [timbers, 4, 4]
    position.phase = phase
    position.seat = seat
    return view(position, 0)
