"""A table's clocks stand still for a while: by vote, by its moderator, or once a game by a
player who cannot help it.  Turns may come all the same."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.desk import deadlines, ends
from pbem.letters import Site, announce
from pbem.store import Event, Game, Outage
from pbem.store.log import Author, append
from pbem.store.options import options_of


def pause(
    session: Session, site: Site, now: datetime, author: Author, game: Game, why: str,
    until: datetime | None = None,
) -> bool:  # fmt: skip
    """Stop a table's clocks, `until` then at the most; False if they stand.  `why`: vote,
    moderator, emergency."""
    if game.status != "running" or game.paused_at is not None:
        return False
    game.paused_at, game.pause_ends_at = now, until
    game.paused_by = author.person_id if why == "emergency" else None
    facts = {"why": why, "by": author.person_id, "until": None if until is None else
             until.isoformat()}  # fmt: skip
    append(session, game, "paused", now, author, public=facts)
    for wait in deadlines.open_waits(session, game):
        wait.paused = True
        deadlines.move(session, game, wait, now, author, "pause")
    deadlines.set_alarm(session, game, now)
    announce.paused(session, site, now, game, why, until=until, by=author.person_id)
    return True


def resume(
    session: Session, site: Site, now: datetime, author: Author, game: Game, why: str = "resumed"
) -> bool:
    """Let the clocks run again, each credited with the time in between; False if they do."""
    if game.paused_at is None:
        return False
    since, game.paused_at = game.paused_at, None
    game.pause_ends_at = game.paused_by = None
    append(session, game, "resumed", now, author, public={"why": why, "by": author.person_id})
    credit(session, now, author, game, since, "pause")
    announce.paused(session, site, now, game, why, by=author.person_id)
    return True


def credit(
    session: Session, now: datetime, author: Author, game: Game, since: datetime, why: str
) -> None:
    """The time since then was nobody's at this table: every clock of it is set on, and
    whatever it has set an end for."""
    session.add(Outage(kind="stop", game_id=game.id, starts_at=since, ends_at=now, noted_at=now))
    session.flush()
    for wait in deadlines.open_waits(session, game):
        wait.paused = True
        deadlines.move(session, game, wait, now, author, why)
    ends.set_on(session, game, now, author, why, [(since, now)])
    deadlines.set_alarm(session, game, now)


def emergency(
    session: Session, site: Site, now: datetime, author: Author, game: Game
) -> datetime | None:
    """A player's own pause, once a game; until when, or None where he has had it, or the
    clocks stand, or the game has none."""
    if not may_stop(session, game, author.person_id):
        return None
    until = now + timedelta(hours=options_of(game).emergency_pause_hours)
    return until if pause(session, site, now, author, game, "emergency", until) else None


def may_stop(session: Session, game: Game, person_id: int | None) -> bool:
    """Whether somebody could stop the clocks of this table by himself."""
    return (
        bool(options_of(game).emergency_pause_hours)
        and game.paused_at is None
        and not emergency_used(session, game, person_id)
    )


def emergency_used(session: Session, game: Game, person_id: int | None) -> bool:
    """Whether somebody has had his emergency pause at this table."""
    pauses = session.exec(
        select(Event.public).where(
            Event.game_id == game.id, Event.kind == "paused", col(Event.person_id) == person_id
        )
    )
    return any(facts.get("why") == "emergency" for facts in pauses)
