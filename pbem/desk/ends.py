"""What a table has set an end for: its filling, a vote, an offered seat, a silence.  Time that
was nobody's is not taken from them either."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session, col, select

from pbem.desk.ballots import open_vote
from pbem.store import Game, Seat
from pbem.store.log import Author, append
from pbem.timing.off import Interval, credited, overlap, without

Later = Callable[[datetime, datetime], datetime]
"""From an end, and when it was set, to the end it has now."""


def are_set(game: Game) -> bool:
    """Whether anything of a table's own ends at a set time."""
    if game.status == "inviting":
        return game.expires_at is not None
    ends = (game.vote_ends_at, game.offers_end_at, game.silence_told_at)
    return any(one is not None for one in ends)


def set_on(
    session: Session, game: Game, now: datetime, author: Author, why: str,
    gone: Sequence[Interval], known: Sequence[Interval] = (),
) -> bool:  # fmt: skip
    """Let all of them end later by these intervals, as far as they lie in them; an event says
    so.  `known`: those they were credited with before.  `why`: outage, halted, pause (which
    is a silence, too).  True if any has moved; whoever calls sets the alarm."""
    later = partial(credited, outages=gone, known=known)
    moved = {
        name: end.isoformat()
        for name, end in (
            ("expires", _filling(game, later)),
            ("vote", _vote(session, game, later)),
            ("offers", _offers(session, game, later)),
            ("silence", None if why == "pause" else _silence(game, now, without(gone, known))),
        )
        if end is not None
    }
    if moved:
        session.add(game)
        append(session, game, "ends-moved", now, author, public={"why": why, **moved})
    return bool(moved)


def _filling(game: Game, later: Later) -> datetime | None:
    if game.status != "inviting" or game.expires_at is None:
        return None
    end = later(game.expires_at, game.created_at)
    if end == game.expires_at:
        return None
    game.expires_at = end
    return end


def _vote(session: Session, game: Game, later: Later) -> datetime | None:
    vote = None if game.vote_ends_at is None else open_vote(session, game)
    if vote is None:
        return None
    end = later(vote.expires_at, vote.opened_at)
    if end == vote.expires_at:
        return None
    game.vote_ends_at = vote.expires_at = end
    session.add(vote)
    return end


def _offers(session: Session, game: Game, later: Later) -> datetime | None:
    """The new end of the first of them."""
    if game.offers_end_at is None:
        return None
    ends, any_moved = [], False
    offered = select(Seat).where(Seat.game_id == game.id, col(Seat.offer_ends_at).is_not(None))
    for seat in session.exec(offered):
        if seat.offered_at is None or seat.offer_ends_at is None:
            continue
        end = later(seat.offer_ends_at, seat.offered_at)
        any_moved |= end != seat.offer_ends_at
        seat.offer_ends_at = end
        session.add(seat)
        ends.append(end)
    if not any_moved:
        return None
    game.offers_end_at = min(ends)
    return game.offers_end_at


def _silence(game: Game, now: datetime, gone: Sequence[Interval]) -> datetime | None:
    """Since when the table is taken to know that it will end."""
    if game.status != "running" or game.silence_told_at is None:
        return None
    more = overlap(gone, game.silence_told_at, now)
    if more == timedelta():
        return None
    game.silence_told_at += more
    return game.silence_told_at
