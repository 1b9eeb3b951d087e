"""`/games`, `/games/ID`, `/games/ID/replay`: finished games; running ones are not there."""

from flask import Blueprint, Response, abort, make_response, render_template, request
from sqlmodel import Session

from pbem.archive.search import PAGE_SIZE, Wanted
from pbem.translation import _
from pbem.web import installation
from pbem.web.archive import graphs, listing, replaying
from pbem.web.archive.finished import finished_game
from pbem.web.archive.highlights import highlights
from pbem.web.archive.listing import BadQuery, Listing, page_of, query_of, wanted_in
from pbem.web.archive.reader import Opened, opened
from pbem.web.security import public

blueprint = Blueprint("archive", __name__, template_folder="templates")

ALL = "all"
"""Of a replay in which every hand is open."""


@blueprint.get("/games")
def games() -> Response:
    """The archive's list, searched and cut into pages."""
    with installation().store.read() as session:
        wanted, found = asked_for(session)
        drivers, victims = listing.drivers_and_victims()
        page = render_template(
            "archive/games.html",
            found=found,
            query=query_of(wanted),
            total=listing.total(session),
            decks=listing.decks(session),
            drivers=drivers,
            victims=victims,
        )
    return public(make_response(page))


def asked_for(session: Session, size: int = PAGE_SIZE) -> tuple[Wanted, Listing]:
    """The search of this request's address, and the page it asks for; 404 for an address
    that is none of ours."""
    try:
        wanted = wanted_in(request.args)
        before, after = request.args.get("before"), request.args.get("after")
        return wanted, page_of(session, wanted, before, after, size)
    except BadQuery:
        abort(404)


@blueprint.get("/games/<int:game_id>")
def game(game_id: int) -> Response:
    with installation().store.read() as session:
        here = opened(session, game_id, early=True)
        page = render_template(
            "archive/game.html", shown=finished_game(session, here), game=here.game, here=here
        )
    return same_again(here.answer(make_response(page)))


@blueprint.get("/games/<int:game_id>/replay")
def replay(game_id: int) -> Response:
    """One step: `?turn=N` (0: the deal; without it the deal), `&seat=S` (or `all`)."""
    with installation().store.read() as session:
        here = opened(session, game_id, early=True)
        last = replaying.walked(session, here.game).facts.turns
        turn = _number("turn", last, 0)
        eyes, seat = _eyes(here), request.args.get("seat") or None
        if seat not in [value for value, _label in eyes]:
            abort(404)
        every_hand = seat == ALL
        own = None if every_hand or seat is None else int(seat)
        shown = replaying.shown(session, here.game, here.names, turn, own, every_hand)
        steps = shown.facts.steps
        page = render_template(
            "archive/replay.html",
            here=here,
            game=here.game,
            shown=shown,
            seat=seat,
            eyes=eyes,
            curves=graphs.curves(shown.facts.course, here.names, turn),
            balance=graphs.balance([step.balance for step in steps], turn),
            highlights=highlights(shown.facts, here.names, shown.view.deck),
        )
    return same_again(here.answer(make_response(page)))


def same_again(response: Response) -> Response:
    """Whoever has the page already is told so, instead of being sent it again."""
    response.add_etag()
    response.make_conditional(request)
    return response


def _eyes(here: Opened) -> list[tuple[str | None, str]]:
    """Whose view may be looked at: the `seat` of the address, and what it is called."""
    eyes: list[tuple[str | None, str]] = [(None, _("Public"))]
    eyes += [(str(seat), here.names[seat]) for seat in here.eyes()]
    return eyes if here.early else [*eyes, (ALL, _("All hands"))]


def _number(field: str, most: int, default: int) -> int:
    value = request.args.get(field, str(default))
    if not (value.isascii() and value.isdigit() and len(value) < 6 and int(value) <= most):
        abort(404)
    return int(value)
