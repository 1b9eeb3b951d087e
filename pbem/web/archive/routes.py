"""`/games`, `/games/ID`, `/games/ID.ark.json`: finished games; running ones are not there."""

from flask import Blueprint, Response, abort, make_response, render_template, request
from sqlmodel import Session

from pbem.store import Game
from pbem.web import installation
from pbem.web.archive import finished
from pbem.web.security import public

blueprint = Blueprint("archive", __name__, template_folder="templates")

MOST_PAGES = 1_000_000


@blueprint.get("/games")
def games() -> Response:
    number = _page()
    with installation().store.read() as session:
        total = finished.count(session)
        pages = max(1, -(-total // finished.PAGE_SIZE))
        if number > pages:
            abort(404)
        page = render_template(
            "archive/games.html",
            listed=finished.listed(session, number),
            total=total,
            page=number,
            pages=pages,
        )
    return public(make_response(page))


@blueprint.get("/games/<int:game_id>")
def game(game_id: int) -> Response:
    with installation().store.read() as session:
        shown = finished.finished_game(session, _finished(session, game_id))
        page = render_template("archive/game.html", shown=shown)
    return _unlisted(public(make_response(page)))


@blueprint.get("/games/<int:game_id>.ark.json")
def record(game_id: int) -> Response:
    with installation().store.read() as session:
        text = finished.record_text(session, _finished(session, game_id))
    response = Response(text, mimetype="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="game-{game_id}.ark.json"'
    return _unlisted(public(response))


def _finished(session: Session, game_id: int) -> Game:
    """A game that is over; 404 otherwise, whether it is running or never was."""
    found = session.get(Game, game_id) if game_id < 2**31 else None
    if found is None or found.status != "over":
        abort(404)
    return found


def _page() -> int:
    value = request.args.get("page", "1")
    digits = value.isascii() and value.isdigit() and len(value) < 10
    if not digits or not 1 <= int(value) <= MOST_PAGES:
        abort(404)
    return int(value)


def _unlisted(response: Response) -> Response:
    """People play here under their names: search engines keep out."""
    response.headers["X-Robots-Tag"] = "noindex"
    return response
