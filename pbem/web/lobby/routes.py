"""`/lobby`: tables with places for anybody, and taking one."""

from dataclasses import dataclass

from flask import Blueprint, abort, render_template, request
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response

from pbem.archive.names import first_names
from pbem.desk.tables import invitations
from pbem.letters.affairs import pace_of
from pbem.store import Game, Person
from pbem.store.people import address_of
from pbem.web import installation
from pbem.web.play import orders
from pbem.web.play.orders import OrderForm
from pbem.web.play.routes import answered
from pbem.web.play.visitor import known_visitor, visitor
from pbem.web.security import personal

blueprint = Blueprint("lobby", __name__, template_folder="templates")
blueprint.after_request(personal)

MOST = 50


@dataclass(frozen=True)
class Open:
    """A table with free places."""

    game: Game
    organiser: str
    people: tuple[str, ...]  # who has come so far, by first name
    unanswered: tuple[str, ...]  # who is asked and has not answered
    bots: int
    free: int
    pace: str
    own: bool  # the visitor has a place there


@blueprint.get("/lobby")
def tables() -> str:
    with installation().store.read() as session:
        who = known_visitor(session)
        return render_template(
            "lobby/tables.html",
            tables=open_tables(session, None if who is None else who.id),
            may_open_games=installation().settings.site.may_open_games,
        )


@blueprint.get("/lobby/<int:game_id>")
def table(game_id: int) -> str:
    """One of them, with a button for whoever is known here, else a field for an address."""
    with installation().store.read() as session:
        who = known_visitor(session)
        game = _open_table(session, game_id)
        kept = None if who is None else orders.kept(session, who, request.args.get("answer", ""))
        return render_template(
            "lobby/table.html",
            who=who,
            table=_listed(session, game, None if who is None else who.id),
            answer=None if kept is None else kept.answer,
        )


@blueprint.post("/lobby/<int:game_id>")
def take_place(game_id: int) -> Response:
    """`join N`, as by mail.  The link came by mail, so the address is his."""
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        _open_table(session, game_id)
        key = request.form.get("key", "")
        if not orders.KEY.fullmatch(key):
            abort(400)
        main = address_of(session, who.id)
        if main is not None and main.confirmed_at is None:
            main.confirmed_at = here.clock()
            session.add(main)
        form = OrderForm(f"join {game_id}", key, None)
        orders.take(session, who, form)
    here.nudge()
    return answered(form.answer_id, game_id)


def open_tables(session: Session, person_id: int | None = None) -> list[Open]:
    """The tables with a free place, the newest first."""
    games = session.exec(
        select(Game)
        .where(col(Game.lobby), Game.status == "inviting")
        .order_by(col(Game.created_at).desc())
        .limit(MOST)
    )
    listed = [_listed(session, game, person_id) for game in games]
    return [one for one in listed if one.free]


def _listed(session: Session, game: Game, person_id: int | None) -> Open:
    there = invitations(session, game)
    people = [
        (session.get_one(Person, one.person_id), one.state)
        for one in there
        if one.person_id is not None
    ]
    names = first_names(person.name for person, _state in people)
    come, unanswered = (
        tuple(name for name, (_, state) in zip(names, people, strict=True) if state == wanted)
        for wanted in ("accepted", "invited")
    )
    organiser = session.get(Person, game.organiser_id) if game.organiser_id is not None else None
    return Open(
        game,
        "" if organiser is None else first_names([organiser.name])[0],
        come,
        unanswered,
        sum(one.bot is not None for one in there),
        game.players - len(there),
        pace_of(game),
        any(person.id == person_id for person, _state in people),
    )


def _open_table(session: Session, game_id: int) -> Game:
    found = session.get(Game, game_id) if game_id < 2**31 else None
    if found is None or not found.lobby or found.status != "inviting":
        abort(404)
    return found
