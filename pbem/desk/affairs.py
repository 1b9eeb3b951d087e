"""When a table has something to be done that is nobody's turn: a vote that ends, a pause, an
offered seat, a long silence.  Worked out from rows the caller has at hand."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.store import Game, Wait
from pbem.timing import GameOptions

SILENCE_NOTICE = timedelta(days=7)  # before a table ends because nobody says anything


def alarms(game: Game, options: GameOptions, running: Sequence[Wait]) -> list[datetime | None]:
    """When the clock has to look at a table for its own sake; `running`: its open waits."""
    return [
        game.vote_ends_at,
        game.offers_end_at if game.paused_at is None else game.pause_ends_at,
        silence_alarm(game, options, running),
    ]


def silence_alarm(game: Game, options: GameOptions, running: Sequence[Wait]) -> datetime | None:
    """When a table on which no time runs has been silent long enough to be told that it will
    end, or, told so, to end."""
    since = silent_since(game, running)
    if since is None:
        return None
    whole = timedelta(days=options.silence_days)
    if game.silence_told_at is None or game.silence_told_at < since:
        return since + max(whole / 2, whole - SILENCE_NOTICE)
    return max(since + whole, game.silence_told_at + min(whole / 2, SILENCE_NOTICE))


def silent_since(game: Game, running: Sequence[Wait]) -> datetime | None:
    """Since when nothing has happened there, as far as is known; None while a deadline runs."""
    moments = [wait.since for wait in running]
    if game.paused_at is not None:
        moments.append(game.paused_at)
    elif not running or any(wait.due_at is not None for wait in running):
        return None
    if game.active_at is not None:
        moments.append(game.active_at)
    return max(moments, default=None)
