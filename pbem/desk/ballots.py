"""The open vote of a table, and who has said what to it."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.store import Ballot, Game, Vote
from pbem.store.log import Author, append
from pbem.store.people import holders


def open_vote(session: Session, game: Game) -> Vote | None:
    """What the table is asked at the moment."""
    return session.exec(
        select(Vote).where(Vote.game_id == game.id, col(Vote.closed_at).is_(None))
    ).first()


def close(session: Session, now: datetime, game: Game, outcome: str) -> Vote | None:
    """Close the open vote without doing anything."""
    vote = open_vote(session, game)
    game.vote_ends_at = None
    session.add(game)
    if vote is not None:
        vote.closed_at, vote.outcome = now, outcome
        session.add(vote)
        append(
            session, game, "vote-over", now, Author("clock"),
            public={"vote": vote.id, "what": vote.what, "outcome": outcome},
        )  # fmt: skip
        session.flush()
    return vote


def voters(session: Session, game: Game) -> Sequence[int]:
    """The people who hold a seat now."""
    return [one.person_id for one in holders(session, game) if one.person_id is not None]


def ballots(session: Session, vote: Vote) -> dict[int, bool]:
    rows = session.exec(select(Ballot).where(Ballot.vote_id == vote.id))
    return {row.person_id: row.agrees for row in rows}
