"""Reading an order before its unit of work, so that a long text keeps nobody waiting.

How a text is read depends on nothing but the order and its context (the table as it stands,
the writer's language …).  Whoever reads ahead notes both; the desk reads again only when
something of it has changed meanwhile.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from engine.cards import builtin_deck
from pbem.commands import Context, Line, Reading, read
from pbem.desk import once
from pbem.desk.counter import Counter
from pbem.desk.moving import PREVIEW
from pbem.store.positions import deck_of
from pbem.store.rows import id_of

TURNS = once.TURN_COMMANDS | {PREVIEW}


@dataclass(frozen=True)
class Ahead:
    """How an order was read, and its turn's key (commands.md 1.7); both hold for `basis`."""

    basis: tuple[Any, ...]
    reading: Reading
    turn_key: str | None


def only_turns(lines: Iterable[Line]) -> bool:
    """Whether a text is turns and nothing but turns (or previews, or prose), so that doing what
    it says writes nothing but what belongs to its table."""
    return all(line.ignored is not None or (line.meant or line.command) in TURNS for line in lines)


def read_order(counter: Counter, ahead: Ahead | None = None) -> Ahead:
    """The reading of the order on the counter: `ahead`, if that holds still."""
    context = context_of(counter)
    basis = _basis(counter, context)
    if ahead is not None and ahead.basis == basis:
        return ahead
    order = counter.order
    return Ahead(basis, read(order.text, context, order.breaks), _turn_key(counter))


def context_of(counter: Counter, with_view: bool = True) -> Context:
    """What reading may depend on, for this order."""
    order, game = counter.order, counter.game
    return Context(
        deck=builtin_deck() if game is None else deck_of(game),
        language="en" if counter.writer is None else counter.writer.language,
        sender=order.sender,
        names=tuple(holder.name for holder in counter.holders),
        view=counter.view if with_view else None,
        addressed=order.addressed,
        game=order.game_id,
        forming=game is not None and game.status == "inviting",
        today=counter.today,
    )


def _basis(counter: Counter, context: Context) -> tuple[Any, ...]:
    """Deck and view follow from the game and the number of its newest event."""
    order, game = counter.order, counter.game
    rest = [
        getattr(context, one.name) for one in fields(context) if one.name not in ("deck", "view")
    ]
    at = None if game is None else (game.id, game.seq, game.decision)
    return order.text, order.breaks, order.seat, order.decision, at, *rest


def _turn_key(counter: Counter) -> str | None:
    """What makes this turn the same as an earlier one; without the view, because it must
    stay the same when the position has moved on."""
    order, game = counter.order, counter.game
    if game is None or order.seat is None or counter.view is None:
        return None
    plain = read(order.text, context_of(counter, with_view=False), order.breaks)
    decision = game.decision if order.decision is None else order.decision
    return once.turn_key(id_of(game), order.seat, decision, plain)
