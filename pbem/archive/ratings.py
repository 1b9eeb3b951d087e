"""How strong people play: a rating by the model of Plackett and Luce (`openskill`), which
knows games of three to five.  Games count in the order in which they ended.

A game counts for those who sat in their seat from the first turn to the last, and if there
were two of them at least; bots have no rating and move nobody's.  Each seat keeps the rating
it had after its game: the next game of its holder goes on from there.

A game that comes late, or does not count any more, changes what later ones come to.  They are
counted anew a few at a time (`recount`); meanwhile everybody's rating is what it was, until
his last game has been counted."""

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from pbem.archive.moments import Moment, after, before
from pbem.store.bounded import Span, rest
from pbem.store.models import FinishedGame, FinishedSeat, Person, Rating, Recount
from pbem.store.session import Store

MODEL = PlackettLuce()
GAMES_A_UNIT = 50
BATCH = 2000


def take_in(session: Session, seats: list[FinishedSeat]) -> None:
    """Let a game count, whose seats these are: at once, constant work, where none of its
    people has played a later one; else in its place, when `recount` comes there."""
    if not _counts(seats):
        return
    if any(_has_later(session, seat.person_id, _moment(seat)) for seat in _rated(seats)):
        _count_anew(session, _moment(seats[0]))
    else:
        _rate(session, seats, are_last=True)


def take_out(session: Session, moment: Moment, people: list[int]) -> None:
    """A game that ended then does not count any more, and its seats are gone; it counted for
    these people."""
    for person_id in people:
        row = session.get(Rating, person_id)
        if row is not None:
            row.rated -= 1
            session.add(row)
        if _has_later(session, person_id, moment):
            _count_anew(session, moment)
        elif row is not None:
            last = _last(session, person_id, moment)
            if last is None:
                session.delete(row)
            else:
                row.mu, row.sigma = last
    session.flush()


def recount(store: Store, limit: int = BATCH) -> int:
    """Count anew up to `limit` of the games for which that is due, or a few more; returns how
    many there were."""
    counted = 0
    while counted < limit:
        if counted:
            rest()
        with store.work() as session:
            row = session.get(Recount, 1, with_for_update=True)
            if row is None:
                break
            counted += _go_on(session, row)
    return counted


def shown(mu: float, sigma: float) -> int:
    """The figure people read: what somebody is at least worth, 1000 for a beginner."""
    return round(1000 + 40 * (mu - 3 * sigma))


def _counts(seats: list[FinishedSeat]) -> bool:
    """Whether a game with these seats counts."""
    return len({seat.person_id for seat in _rated(seats)}) > 1


def _rated(seats: list[FinishedSeat]) -> list[FinishedSeat]:
    return [seat for seat in seats if seat.rated and seat.person_id is not None]


def _moment(seat: FinishedSeat) -> Moment:
    return seat.finished_at, seat.game_id


def _rate(session: Session, seats: list[FinishedSeat], are_last: bool = False) -> None:
    """Let one game count, from what its people had come to before it.  `are_last`: it is
    known that none of them has played a later one."""
    rated = _rated(seats)
    teams = [[_before(session, seat)] for seat in rated]
    results = MODEL.rate(teams, ranks=[float(seat.place) for seat in rated])
    for seat, [new] in zip(rated, results, strict=True):
        is_new = seat.mu is None
        seat.mu, seat.sigma = new.mu, new.sigma
        session.add(seat)
        is_last = are_last or not _has_later(session, seat.person_id, _moment(seat))
        if is_last or is_new:
            _show(session, seat, is_last, is_new)
    session.flush()


def _show(session: Session, seat: FinishedSeat, is_last: bool, is_new: bool) -> None:
    """What a game came to is its player's rating, if it was his last."""
    row = session.get(Rating, seat.person_id)
    if row is None:
        person = session.get(Person, seat.person_id)
        if person is None or person.erased_at is not None:
            return  # who is forgotten has no rating; what it was counts for the others
        row = Rating(person_id=seat.person_id or 0, mu=seat.mu or 0, sigma=seat.sigma or 0)
    if is_last:
        row.mu, row.sigma = seat.mu or 0, seat.sigma or 0
    row.rated += is_new
    session.add(row)


def _before(session: Session, seat: FinishedSeat) -> PlackettLuceRating:
    """What a player had come to before the game of this seat."""
    last = _last(session, seat.person_id, _moment(seat))
    return MODEL.rating() if last is None else MODEL.create_rating(list(last))


def _last(session: Session, person_id: int | None, moment: Moment) -> tuple[float, float] | None:
    """What the last game of a person that counted before a moment came to."""
    newest = (
        col(FinishedSeat.finished_at).desc(),
        col(FinishedSeat.game_id).desc(),
        col(FinishedSeat.seat).desc(),
    )
    found = session.exec(
        select(FinishedSeat.mu, FinishedSeat.sigma)
        .where(*_counted_of(person_id), before(FinishedSeat, moment))
        .order_by(*newest)
        .limit(1)
    ).first()
    if found is None or found[0] is None or found[1] is None:
        return None
    return found[0], found[1]


def _has_later(session: Session, person_id: int | None, moment: Moment) -> bool:
    """Whether a game of this person has counted that ended after a moment."""
    later = select(FinishedSeat.id).where(*_counted_of(person_id), after(FinishedSeat, moment))
    return session.exec(later.limit(1)).first() is not None


def _counted_of(person_id: int | None) -> tuple[ColumnElement[bool], ...]:
    return col(FinishedSeat.person_id) == person_id, col(FinishedSeat.mu).is_not(None)


def _count_anew(session: Session, since: Moment) -> None:
    """All games that ended at this moment or after it are to be counted anew."""
    until = since[0], since[1] - 1
    row = session.get(Recount, 1, with_for_update=True)
    if row is None:
        session.add(Recount(finished_at=until[0], game_id=until[1]))
    elif until < (row.finished_at, row.game_id):
        row.finished_at, row.game_id = until
    session.flush()


def _go_on(session: Session, row: Recount) -> int:
    """Count the next few games anew; how many they were."""
    games = session.exec(
        select(FinishedGame.finished_at, FinishedGame.game_id)
        .where(after(FinishedGame, (row.finished_at, row.game_id)))
        .order_by(col(FinishedGame.finished_at), col(FinishedGame.game_id))
        .limit(GAMES_A_UNIT)
    ).all()
    span, counted = Span(), 0
    for finished_at, game_id in games:
        seats = select(FinishedSeat).where(FinishedSeat.game_id == game_id)
        found = list(session.exec(seats.order_by(col(FinishedSeat.seat))))
        if _counts(found):
            _rate(session, found)
        row.finished_at, row.game_id = finished_at, game_id
        counted += 1
        if span.is_over:
            break
    if counted < GAMES_A_UNIT and counted == len(games):
        session.delete(row)
    return counted
