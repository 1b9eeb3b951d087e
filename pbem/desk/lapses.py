"""How often the holder of a seat was late before an event, as the log tells it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.store import Event

NOT_HIS = frozenset({"clock", "bot"})
"""Channels of turns that were done for a player."""
HANDED_ON = frozenset({"substituted", "returned", "left-to-bot", "resigned"})


@dataclass(frozen=True)
class Lapses:
    """As `Seat` counts them: deadlines missed in a row, and graces of its holder."""

    misses: int
    graces: int


def lapses_of(log: Sequence[Event], seat: int, upto: int) -> Lapses:
    """Those of a seat after event `upto` of its table's log."""
    misses = graces = 0
    for event in log:
        if event.seat != seat or event.seq > upto:
            continue
        if event.kind == "missed":
            misses = event.public["misses"]
        elif event.kind == "deadline-moved" and event.public["why"] == "grace":
            graces += 1
        elif event.kind in HANDED_ON or (event.kind == "turn" and event.channel not in NOT_HIS):
            misses = 0
            graces = 0 if event.kind == "substituted" else graces
    return Lapses(misses, graces)
