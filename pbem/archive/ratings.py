"""How strong people play: a rating by the model of Plackett and Luce (`openskill`), which
knows games of three to five.  Games count in the order in which they ended.

A game counts for those who sat in their seat from the first turn to the last, and if there
were two of them at least; bots have no rating and move nobody's."""

from collections.abc import Iterator

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlmodel import Session, col, func, select

from pbem.archive.moments import Moment, after, before
from pbem.store.models import FinishedSeat, Rating

MODEL = PlackettLuce()
BATCH = 500


def rate(session: Session, seats: list[FinishedSeat]) -> None:
    """Let one game count, whose seats these are; constant work."""
    rated = _rated(seats)
    if not count(seats):
        return
    held = [_held(session, seat) for seat in rated]
    teams = [[_as_rating(row)] for row in held]
    for seat, row, [new] in zip(
        rated, held, MODEL.rate(teams, ranks=[float(seat.place) for seat in rated]), strict=True
    ):
        row.mu, row.sigma, row.rated = new.mu, new.sigma, row.rated + 1
        seat.mu, seat.sigma = new.mu, new.sigma
        session.add_all([row, seat])


def count(seats: list[FinishedSeat]) -> bool:
    """Whether a game with these seats counts."""
    return len({seat.person_id for seat in _rated(seats)}) > 1


def is_last(session: Session, moment: Moment) -> bool:
    """Whether no game has counted that ended after this moment."""
    later = select(FinishedSeat.id).where(
        col(FinishedSeat.mu).is_not(None), after(FinishedSeat, moment)
    )
    return session.exec(later.limit(1)).first() is None


def rerate(session: Session, since: Moment) -> None:
    """Count anew all games that ended at or after a moment: one of them came late, or does
    not count any more."""
    session.flush()
    later = after(FinishedSeat, since, inclusive=True)
    touched = select(FinishedSeat.person_id).where(later).distinct()
    for person_id in session.exec(touched).all():
        if person_id is not None:
            _reset(session, person_id, since)
    for game in _games_from(session, since):
        rate(session, game)
        session.flush()


def shown(mu: float, sigma: float) -> int:
    """The figure people read: what somebody is at least worth, 1000 for a beginner."""
    return round(1000 + 40 * (mu - 3 * sigma))


def _rated(seats: list[FinishedSeat]) -> list[FinishedSeat]:
    return [seat for seat in seats if seat.rated and seat.person_id is not None]


def _held(session: Session, seat: FinishedSeat) -> Rating:
    row = session.get(Rating, seat.person_id)
    if row is None:
        new = MODEL.rating()
        row = Rating(person_id=seat.person_id or 0, mu=new.mu, sigma=new.sigma)
        session.add(row)
    return row


def _as_rating(row: Rating) -> PlackettLuceRating:
    return MODEL.create_rating([row.mu, row.sigma])


def _reset(session: Session, person_id: int, since: Moment) -> None:
    """His rating as it was before a moment."""
    earlier = (
        FinishedSeat.person_id == person_id,
        col(FinishedSeat.mu).is_not(None),
        before(FinishedSeat, since),
    )
    newest = col(FinishedSeat.finished_at).desc(), col(FinishedSeat.game_id).desc()
    last = session.exec(select(FinishedSeat).where(*earlier).order_by(*newest).limit(1)).first()
    row = session.get(Rating, person_id)
    if last is None or last.mu is None or last.sigma is None:
        if row is not None:
            session.delete(row)
    else:
        row = row or Rating(person_id=person_id, mu=last.mu, sigma=last.sigma)
        row.mu, row.sigma = last.mu, last.sigma
        row.rated = session.exec(
            select(func.count()).select_from(FinishedSeat).where(*earlier)
        ).one()
        session.add(row)
    session.flush()


def _games_from(session: Session, since: Moment) -> Iterator[list[FinishedSeat]]:
    """The seats of each game from a moment on, game by game in order."""
    start, inclusive = since, True
    while True:
        games = session.exec(
            select(FinishedSeat.finished_at, FinishedSeat.game_id)
            .where(col(FinishedSeat.rated), after(FinishedSeat, start, inclusive))
            .distinct()
            .order_by(col(FinishedSeat.finished_at), col(FinishedSeat.game_id))
            .limit(BATCH)
        ).all()
        for _, game_id in games:
            yield list(
                session.exec(
                    select(FinishedSeat)
                    .where(FinishedSeat.game_id == game_id)
                    .order_by(col(FinishedSeat.seat))
                )
            )
        if len(games) < BATCH:
            return
        start, inclusive = games[-1], False
