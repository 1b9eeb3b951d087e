"""Which turns stand: a rollback goes back to an earlier event, and what came between is
undone, though it stays in the log.

Each rollback is kept with the game as (its event, the event it goes back to, 1 if the
messages in between are undone, too).  One may go back to an event that an earlier one has
undone; then what stood at that event stands again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, or_, true
from sqlmodel import and_, col

from pbem.store.models import Event, Game


@dataclass(frozen=True)
class Undone:
    """Events with `after` < seq < `before` do not count; ``messages``: what was said neither."""

    after: int
    before: int
    messages: bool


def undone(game: Game, upto: int | None = None) -> list[Undone]:
    """What does not count as the game stood after event `upto` (None: now), in order."""
    upto = game.seq if upto is None else upto
    found: list[Undone] = []
    for seq, to, messages in reversed(game.rollbacks or ()):
        if seq <= upto:
            found.append(Undone(to, seq, bool(messages)))
            upto = to
    return found[::-1]


def stands(event: Event, gaps: Sequence[Undone]) -> bool:
    """Whether an event counts: turns (and messages) that were undone do not, all else does."""
    return not any(
        gap.after < event.seq < gap.before
        and (event.kind == "turn" or (event.kind == "say" and gap.messages))
        for gap in gaps
    )


def turns_that_stand(gaps: Sequence[Undone]) -> ColumnElement[bool]:
    """The same of turns, as a condition of a query."""
    return and_(
        true(),
        *(or_(col(Event.seq) <= gap.after, col(Event.seq) >= gap.before) for gap in gaps),
    )
