"""A game that ends before its last turn: by consent, by its moderator, or in silence.

The rules know no such end, so nobody wins (`status` is ended, not over) and the record stays
valid, without a result; by the game's choice the points as they stand are kept with it."""

from datetime import datetime
from typing import Any

from sqlmodel import Session

from engine.view import view
from pbem.desk import ballots, waits
from pbem.desk.opened import tell_opened
from pbem.letters import Site, announce
from pbem.store import Game
from pbem.store.log import Author, append
from pbem.store.options import options_of
from pbem.store.positions import position_now


def end(session: Session, site: Site, now: datetime, author: Author, game: Game, why: str) -> bool:
    """End a running game; False where none runs.  `why`: consent, moderator, silence."""
    if game.status != "running":
        return False
    position = position_now(game)
    facts: dict[str, Any] = {"by": why, "points": None}
    if options_of(game).on_silence == "standings":
        facts["points"] = list(view(position, None).points)
    ballots.close(session, now, game, "void")
    game.status, game.finished_at = "ended", now
    game.paused_at = game.pause_ends_at = game.offers_end_at = None
    game.bot_waits = False
    append(session, game, "ended", now, author, public=facts)
    waits.follow(session, game, position, now)
    game.alarm_at = game.due_at = None
    session.add(game)
    announce.ended(session, site, now, game, facts)
    tell_opened(session, site, now, author, game)
    return True
