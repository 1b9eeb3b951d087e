"""A game that fails is halted alone; mended, it goes on, and the time in between is nobody's."""

import logging
from datetime import datetime, timedelta

from sqlmodel import Session, col, update

from pbem.desk import deadlines, pausing, waits
from pbem.letters import Site, announce
from pbem.store import Game, Store
from pbem.store.log import Author, append
from pbem.store.positions import replayed, store_position
from pbem.store.trouble import is_the_databases_own

log = logging.getLogger(__name__)

ATTEMPTS = 3
AGAIN = (timedelta(minutes=1), timedelta(minutes=5))  # after a table has failed


def failed(session: Session, site: Site, now: datetime, author: Author, game: Game) -> bool:
    """Count a failure of one table; at the third it is halted, its people and whoever looks
    after it are told.  True if it is."""
    game.failures += 1
    if game.failures >= ATTEMPTS:
        halt(session, site, now, author, game)
    else:
        game.alarm_at = now + AGAIN[game.failures - 1]
    session.add(game)
    return game.halted_at is not None


def failed_alone(
    store: Store, site: Site, now: datetime, author: Author, game_id: int, error: Exception
) -> None:  # fmt: skip
    """Count a failure in a unit of work of its own, unless it is the database's: that says
    nothing against the table.  One that is too broken even to be counted is halted without a
    word: nobody else waits because of it."""
    if is_the_databases_own(error):
        return
    try:
        with store.work() as session:
            failed(session, site, now, author, session.get_one(Game, game_id))
    except Exception:
        log.critical("game %s is halted, and nobody can be told", game_id, exc_info=True)
        with store.work() as session:
            session.exec(
                update(Game)
                .where(col(Game.id) == game_id)
                .values(halted_at=now, alarm_at=None, bot_waits=False)
            )


def halt(session: Session, site: Site, now: datetime, author: Author, game: Game) -> None:
    """Stop a table: nothing is done there until somebody has looked."""
    if game.halted_at is not None:
        return
    game.halted_at, game.alarm_at, game.bot_waits = now, None, False
    session.add(game)
    append(session, game, "halted", now, author, public={})
    log.critical("game %s is halted: it failed %s times", game.id, ATTEMPTS)
    announce.halted(session, site, now, game)


def resume(session: Session, site: Site, now: datetime, author: Author, game: Game) -> bool:
    """Let a halted game go on, from the position that its log gives; False if it is not
    halted.  Raises what the engine or the log raise while they are not mended."""
    if game.halted_at is None:
        return False
    since, game.halted_at, game.failures = game.halted_at, None, 0
    if game.status == "running":
        position = replayed(session, game)
        store_position(game, position)
        append(session, game, "mended", now, author, public={})
        waits.follow(session, game, position, now)
        if game.paused_at is None:
            pausing.credit(session, now, author, game, since, "halted")
        game.bot_waits = waits.moves_at_once(session, game, position)
        deadlines.set_alarm(session, game, now)
        announce.paused(session, site, now, game, "mended", by=author.person_id)
    else:
        game.alarm_at = game.expires_at
    session.add(game)
    return True
