"""`/me/seats`: how punctual somebody is, seats that wait for him, that he could take, and
those he has to decide on as the moderator of their table."""

from dataclasses import dataclass
from datetime import datetime

from flask import abort, redirect, render_template, request, url_for
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response

from pbem.desk import offering, reliability
from pbem.desk.deciding import DECISIONS, decide
from pbem.desk.reliability import ENOUGH, Punctuality
from pbem.desk.succession import returns_to
from pbem.letters.affairs import pace_of
from pbem.letters.moments import span
from pbem.store import Game, Person, Seat, Tenure
from pbem.store.log import Author
from pbem.store.people import holders, seat_of
from pbem.store.tenures import seats_held
from pbem.web import installation
from pbem.web.play import orders
from pbem.web.play.orders import OrderForm
from pbem.web.play.routes import blueprint
from pbem.web.play.visitor import visitor

MOST = 50
WILLING = {"substitute-on": True, "substitute-off": False}
FORCED = {"forced-on": True, "forced-off": False}


@dataclass(frozen=True)
class OfferedSeat:
    """A seat somebody could take, or take again."""

    game: Game
    pace: str
    people: tuple[str, ...]
    until: datetime | None = None
    seat: int = 0
    holder: str = ""


@blueprint.get("/me/seats")
def seats() -> str:
    """Seats on offer, readiness to substitute, and how punctual one has been."""
    here = installation()
    with here.store.read() as session:
        who = visitor(session)
        kept = orders.kept(session, who, request.args.get("answer", ""))
        punctuality = reliability.punctuality_of(session, who.id)
        return render_template(
            "play/seats.html",
            who=who,
            punctuality=punctuality,
            enough=ENOUGH,
            median=_median(punctuality),
            waiting=own_seats(session, who.id),
            offered=offered_seats(session, who.person),
            deciding=undecided_seats(session, who.id),
            answer=None if kept is None else kept.answer,
        )


@blueprint.post("/me/seats")
def take_seat() -> Response:
    """`join N` by a button, or one of the two choices of the page."""
    with installation().store.work() as session:
        who = visitor(session)
        chosen = request.form.get("do", "")
        if who.person.blocked_at is not None and chosen != "join":
            abort(403)  # to `join` the desk says why
        if chosen in WILLING:
            now = installation().clock()
            who.person.substitute_since = now if WILLING[chosen] else None
            session.add(who.person)
            return redirect(url_for("play.seats", _anchor="substitute"), 303)
        if chosen in FORCED:
            who.person.play_forced = FORCED[chosen]
            session.add(who.person)
            return redirect(url_for("play.seats", _anchor="forced"), 303)
        if chosen in DECISIONS:
            _decide(session, who.id, chosen)
            return redirect(url_for("play.seats"), 303)
        key, number = request.form.get("key", ""), request.form.get("game", "")
        if chosen != "join" or not orders.KEY.fullmatch(key) or not number.isdecimal():
            abort(400)
        form = OrderForm(f"join {number[:9]}", key, None)
        orders.take(session, who, form)
    installation().nudge()
    return redirect(url_for("play.seats", answer=form.answer_id, _anchor="answer"), 303)


def _decide(session: Session, person_id: int, decision: str) -> None:
    """What the moderator of a table says about a seat that is offered."""
    here = installation()
    fields = (request.form.get("game", ""), request.form.get("seat", ""))
    if not all(one.isdecimal() and len(one) < 10 for one in fields):
        abort(400)
    number, seat = map(int, fields)
    game = session.get(Game, number)
    if game is None or game.moderator_id != person_id:
        abort(404)
    decide(session, here.site, here.clock(), Author("moderator", person_id), game, seat, decision)


def undecided_seats(session: Session, person_id: int) -> list[OfferedSeat]:
    """The offered seats of the tables that somebody looks after."""
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(
            Game.moderator_id == person_id,
            Game.status == "running",
            col(Seat.offered_at).is_not(None),
        )
        .order_by(col(Seat.offered_at))
    )
    return [_offered(session, game, seat.offer_ends_at, seat.number) for game, seat in rows]


def own_seats(session: Session, person_id: int) -> list[OfferedSeat]:
    """The seats that a bot keeps for somebody."""
    games = session.exec(
        select(Game)
        .where(
            Game.status == "running",
            col(Game.id).in_(
                select(Seat.game_id)
                .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
                .where(Tenure.person_id == person_id, col(Tenure.until_seq).is_not(None))
            ),
        )
        .order_by(col(Game.id).desc())
    )
    return [
        _offered(session, game)
        for game in games
        if any(
            returns_to(session, game, seat, person_id)
            for seat in seats_held(session, game, person_id)
        )
    ]


def offered_seats(session: Session, person: Person) -> list[OfferedSeat]:
    """The seats that somebody who is ready to substitute could take now."""
    if person.substitute_since is None or person.id is None:
        return []
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(
            col(Seat.offered_at).is_not(None),
            Game.status == "running",
            col(Game.halted_at).is_(None),
        )
        .order_by(col(Seat.offered_at))
        .limit(MOST)
    )
    number = person.id
    return [
        _offered(session, game, seat.offer_ends_at)
        for game, seat in rows
        if seat_of(session, game, number) is None
        and not offering.was_there(session, game, seat.number, number)
    ]


def _offered(
    session: Session, game: Game, until: datetime | None = None, seat: int = 0
) -> OfferedSeat:
    held = holders(session, game)
    names = tuple(one.name for one in held if one.bot is None)
    return OfferedSeat(game, pace_of(game), names, until, seat, held[seat].name)


def _median(punctuality: Punctuality) -> str:
    return "" if punctuality.median_seconds is None else span(punctuality.median_seconds)
