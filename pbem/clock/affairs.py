"""What is due at a table beside turns: a vote, a pause or an offer that ends, a long silence."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, func, select

from pbem.desk import affairs, deadlines, ending, offering, pausing, voting
from pbem.letters import Site, announce
from pbem.store import Event, Game, Wait
from pbem.store.log import Author, append
from pbem.store.options import options_of

CLOCK = Author("clock")
PEOPLE = ("mail", "web")


def look_after(
    session: Session, site: Site, now: datetime, game: Game, running: Sequence[Wait] | None = None
) -> bool:
    """Do what is due at a running table for its own sake; True if there was anything.
    `running`: its open waits, for a caller who knows them."""
    before = game.seq
    if _over(game.vote_ends_at, now):
        voting.expire(session, site, now, game)
    if game.paused_at is not None and _over(game.pause_ends_at, now):
        pausing.resume(session, site, now, CLOCK, game, "over")
    if _over(game.offers_end_at, now) and game.paused_at is None:
        offering.end_offers(session, site, now, CLOCK, game)
    done = game.status == "running" and _silence(session, site, now, game, running)
    if not done and game.seq == before:
        return False
    if game.status == "running":
        deadlines.set_alarm(session, game, now)
    return True


def _silence(
    session: Session, site: Site, now: datetime, game: Game, running: Sequence[Wait] | None
) -> bool:
    """Tell a table that it will end, or end it, if it has been silent for so long; True if
    something of it was due."""
    options = options_of(game)
    running = deadlines.open_waits(session, game) if running is None else list(running)
    if not _over(affairs.silence_alarm(game, options, running), now):
        return False
    game.active_at = _last_word(session, game)
    alarm = affairs.silence_alarm(game, options, running)
    if not _over(alarm, now):  # somebody has done something meanwhile
        return True
    since = affairs.silent_since(game, running)
    if since is None or game.silence_told_at is None or game.silence_told_at < since:
        game.silence_told_at = now
        append(session, game, "silence", now, CLOCK, public={})
        ends = affairs.silence_alarm(game, options, running)
        announce.silence(session, site, now, game, ends or now)
    else:
        ending.end(session, site, now, CLOCK, game, "silence")
    return True


def _last_word(session: Session, game: Game) -> datetime | None:
    """When somebody last did something at this table."""
    return session.exec(
        select(func.max(Event.at)).where(Event.game_id == game.id, col(Event.channel).in_(PEOPLE))
    ).one()


def _over(at: datetime | None, now: datetime) -> bool:
    return at is not None and at <= now
