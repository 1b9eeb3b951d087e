"""People who show themselves: how they fared in all their games, and how strong they play."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from pbem.archive import ratings
from pbem.archive.names import folded
from pbem.store import FinishedGame, FinishedSeat, Profile, Rating
from pbem.store.models.archive import SHARES

HISTORY = 200
MOST_LISTED = 500


@dataclass(frozen=True)
class Standing:
    """Of all finished games of a person that count."""

    games: int
    victories: float
    points: float  # on average
    rated: int
    rating: int | None  # None: no game has counted for one
    history: tuple[int, ...]  # the rating after each of the last games that counted


@dataclass(frozen=True)
class Ranked:
    profile: Profile
    rating: int
    rated: int


def profile_of(session: Session, person_id: int) -> Profile | None:
    return session.exec(select(Profile).where(Profile.person_id == person_id)).first()


def is_taken(session: Session, name: str, person_id: int) -> bool:
    """Whether somebody else goes by this name."""
    other = select(Profile.id).where(
        Profile.name_key == folded(name), Profile.person_id != person_id
    )
    return session.exec(other).first() is not None


def choose(session: Session, person_id: int, name: str, public: bool, now: datetime) -> Profile:
    """Show a person to all by this name, or (`public` false) to nobody any more."""
    row = profile_of(session, person_id)
    if row is None:
        row = Profile(
            person_id=person_id, name=name, name_key=folded(name), public=public, created_at=now
        )
    row.name, row.name_key, row.public = name, folded(name), public
    session.add(row)
    session.flush()
    return row


def standing(session: Session, person_id: int) -> Standing:
    """How somebody fared; two short walks along his own games."""
    own = FinishedSeat.person_id == person_id
    count, won, points = session.exec(
        select(
            func.count(col(FinishedSeat.id)),
            func.coalesce(func.sum(FinishedSeat.won), 0),
            func.coalesce(func.avg(FinishedSeat.total), 0),
        ).where(own)
    ).one()
    last = session.exec(
        select(FinishedSeat.mu, FinishedSeat.sigma)
        .where(own, col(FinishedSeat.mu).is_not(None))
        .order_by(col(FinishedSeat.finished_at).desc(), col(FinishedSeat.game_id).desc())
        .limit(HISTORY)
    ).all()
    history = tuple(
        ratings.shown(mu, sigma) for mu, sigma in reversed(last) if mu is not None and sigma
    )
    row = session.get(Rating, person_id)
    return Standing(
        games=count,
        victories=round(won / SHARES, 2),
        points=round(float(points), 1),
        rated=0 if row is None else row.rated,
        rating=None if row is None else ratings.shown(row.mu, row.sigma),
        history=history,
    )


def ranking(session: Session) -> list[Ranked]:
    """Those who show themselves and have a rating, the strongest first."""
    rows = session.exec(
        select(Profile, Rating)
        .join(Rating, col(Rating.person_id) == col(Profile.person_id))
        .where(col(Profile.public))
        .order_by((col(Rating.mu) - 3 * col(Rating.sigma)).desc(), col(Profile.id))
        .limit(MOST_LISTED)
    )
    return [Ranked(profile, ratings.shown(row.mu, row.sigma), row.rated) for profile, row in rows]


def games_of(session: Session, person_id: int, limit: int) -> list[tuple[datetime, int]]:
    """His newest games, by what `search` calls a moment; public ones only."""
    rows = session.exec(
        select(FinishedSeat.finished_at, FinishedSeat.game_id)
        .join(FinishedGame, col(FinishedGame.game_id) == col(FinishedSeat.game_id))
        .where(FinishedSeat.person_id == person_id, col(FinishedGame.listed))
        .order_by(col(FinishedSeat.finished_at).desc(), col(FinishedSeat.game_id).desc())
        .limit(limit)
    )
    return list(rows)
