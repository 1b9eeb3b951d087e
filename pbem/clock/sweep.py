"""What is due at the tables, done once: reminders, missed deadlines, expiry.

What is due is data (`Game.alarm_at`), so a restart loses nothing; every table is a unit
of work of its own, so one that fails does not hold up the next; and every letter has a
key, so a second firing sends nothing.
"""

import logging
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.desk import tables, waits
from pbem.installation import Installation
from pbem.letters import announce
from pbem.store import Game
from pbem.store.log import Author, append
from pbem.store.positions import position_now

log = logging.getLogger(__name__)
CLOCK = Author("clock")


def sweep(installation: Installation, limit: int = 200) -> int:
    """Do what is due by now at up to `limit` tables; returns how many were dealt with."""
    now = installation.clock()
    with installation.store.read() as session:
        due = session.exec(
            select(Game.id)
            .where(col(Game.alarm_at) <= now)
            .order_by(col(Game.alarm_at))
            .limit(limit)
        ).all()
    handled = 0
    for game_id in due:
        try:
            with installation.store.work() as session:
                handled += _wake(session, installation, game_id, now)
        except Exception:
            log.exception("the clock could not deal with game %s", game_id)
    return handled


def _wake(session: Session, installation: Installation, game_id: int | None, now: datetime) -> int:
    game = session.get(Game, game_id)
    if game is None or game.alarm_at is None or game.alarm_at > now:
        return 0  # done meanwhile
    if game.status == "inviting":
        if game.expires_at is not None and game.expires_at <= now:
            tables.expire(session, installation.site, now, game)
        else:
            tables.remind_invited(session, installation.site, now, game)
    elif game.status == "running":
        _wake_running(session, installation, game, now)
    else:
        game.alarm_at = None
        session.add(game)
    return 1


def _wake_running(
    session: Session, installation: Installation, game: Game, now: datetime
) -> None:
    """A reminder for everybody the table waits for, or, at the deadline, word to all."""
    seats = waits.humans_to_move(session, game, position_now(game))
    if game.due_at is not None and game.due_at <= now:
        append(session, game, "deadline", now, CLOCK, public={"seats": seats})
        announce.deadline_missed(session, installation.site, now, game, seats)
    elif (rung := waits.rung_reached(game, now)) is not None:
        for seat in seats:
            announce.reminder(session, installation.site, now, game, seat, rung)
    game.alarm_at = waits.next_alarm(game, now)
    session.add(game)
