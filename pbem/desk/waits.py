"""Whom a table waits for, and until when: deadline and the clock's next alarm."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from engine.game import Position
from pbem.store import Game
from pbem.store.people import Holder, holders

REMINDERS = (0.5, 0.8, 0.95)  # of the time for a turn


def id_of(game: Game) -> int:
    if game.id is None:
        raise ValueError("this game has not been stored yet")
    return game.id


def bots_to_move(
    session: Session, game: Game, position: Position, held: Sequence[Holder] | None = None
) -> list[tuple[int, str]]:
    """(seat, name of the bot) of the bots that are to move.  `held`: the table's holders,
    for a caller who knows them."""
    held = holders(session, game) if held is None else held
    bots = {holder.seat: holder.bot for holder in held}
    return [(seat, name) for seat in position.to_move if (name := bots.get(seat)) is not None]


def humans_to_move(
    session: Session, game: Game, position: Position, held: Sequence[Holder] | None = None
) -> list[int]:
    """The seats to move that a person holds; bots move at once and have no deadline."""
    held = holders(session, game) if held is None else held
    people = {holder.seat for holder in held if holder.bot is None}
    return [seat for seat in position.to_move if seat in people]


def begin_wait(
    session: Session, game: Game, position: Position, now: datetime,
    held: Sequence[Holder] | None = None,
) -> None:  # fmt: skip
    """Start the clock for whoever is to move now; stop it when nobody is."""
    game.waiting_since = now
    waiting = game.status == "running" and humans_to_move(session, game, position, held)
    game.due_at = now + timedelta(seconds=game.turn_seconds) if waiting else None
    game.alarm_at = next_alarm(game, now)
    session.add(game)


def next_alarm(game: Game, now: datetime) -> datetime | None:
    """The next rung of the reminders after `now`, else the deadline, else nothing."""
    if game.due_at is None or game.waiting_since is None:
        return None
    span = game.due_at - game.waiting_since
    times = [game.waiting_since + span * rung for rung in REMINDERS] + [game.due_at]
    return next((time for time in times if time > now), None)


def rung_reached(game: Game, now: datetime) -> int | None:
    """How many reminders are due by now (1 …); None before the first."""
    if game.due_at is None or game.waiting_since is None:
        return None
    span = game.due_at - game.waiting_since
    reached = sum(now >= game.waiting_since + span * rung for rung in REMINDERS)
    return reached or None
