"""A game of Ark: deal it, ask what is legal, do it (R3, R4, R7, R8)."""

from engine.checking import allowed, fits, victims, violations
from engine.legal import legal_raw
from engine.moves import Move
from engine.playing import Event, perform
from engine.position import Position
from engine.raw import MoveList, encode
from engine.refusals import IllegalMove, Violation
from engine.setup import new_game

__all__ = [
    "Event",
    "IllegalMove",
    "MoveList",
    "Position",
    "Violation",
    "apply",
    "fits",
    "legal_moves",
    "new_game",
    "victims",
    "violations",
]


def legal_moves(position: Position, seat: int) -> MoveList:
    """Every legal move of the seat, once each; empty when it is not to move."""
    return MoveList(position.deck, legal_raw(position, seat))


def apply(position: Position, seat: int, move: Move) -> list[Event]:
    """Do the move, and say what happened.  The position is changed in place.

    Raises `IllegalMove` with every broken rule, the position unchanged.
    """
    raw = encode(position.deck, move)
    if raw is None or not allowed(position, seat, raw):
        raise IllegalMove(violations(position, seat, move))
    events: list[Event] = []
    perform(position, seat, raw, events)
    return events
