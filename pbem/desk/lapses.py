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

    misses: int = 0
    graces: int = 0

    def forgiven(self, then: "Lapses") -> "Lapses":
        """Those that are left when a table goes back to when they were these."""
        return Lapses(min(self.misses, then.misses), min(self.graces, then.graces))


def lapses_of(log: Sequence[Event], seat: int, upto: int) -> Lapses:
    """Those of a seat after event `upto` of its table's log."""
    found = [(0, Lapses())]  # after which event they came to what
    for event in log:
        now = found[-1][1]
        if event.seq > upto:
            break
        if event.kind == "rollback":
            then = next(one for seq, one in reversed(found) if seq <= event.public.get("to", 0))
            found.append((event.seq, now.forgiven(then)))
        elif event.seat == seat:
            found.append((event.seq, _after(event, now)))
    return found[-1][1]


def _after(event: Event, now: Lapses) -> Lapses:
    """What an event of a seat makes of them."""
    if event.kind == "missed":
        return Lapses(event.public["misses"], now.graces)
    if event.kind == "deadline-moved" and event.public["why"] == "grace":
        return Lapses(now.misses, now.graces + 1)
    if event.kind == "substituted":
        return Lapses()
    if event.kind in HANDED_ON or (event.kind == "turn" and event.channel not in NOT_HIS):
        return Lapses(0, now.graces)
    return now
