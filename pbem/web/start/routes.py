"""`/`: what this is and how it works.  `/health`, `/robots.txt`: for machines."""

from flask import Blueprint, Response, jsonify, make_response, render_template
from sqlalchemy import func
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from pbem.clock import is_stopped, late
from pbem.store import Game
from pbem.web import installation
from pbem.web.security import public

blueprint = Blueprint("start", __name__, template_folder="templates")

# Search engines may read what is the same for everybody, and no page of a game or person.
ROBOTS = """\
User-agent: *
Allow: /$
Allow: /rules
Allow: /help
Disallow: /
"""


@blueprint.get("/")
def index() -> Response:
    with installation().store.read() as session:
        counts = _counts(session)
    page = render_template(
        "start/index.html",
        running=counts.get("running", 0),
        finished=counts.get("over", 0),
        may_open_games=installation().settings.site.may_open_games,
    )
    return public(make_response(page))


@blueprint.get("/health")
def health() -> tuple[Response, int]:
    """Is the database there, and is nothing late that should have happened?  200 or 503,
    and what is wrong in JSON.  A clock that was stopped on purpose is told, and is no fault."""
    try:
        with installation().store.read() as session:
            found, stopped = late(session, installation().clock()), is_stopped(session)
    except SQLAlchemyError:
        return jsonify(ok=False, database=False), 503
    if found:
        return jsonify(ok=False, database=True, late=found), 503
    return jsonify(ok=True, database=True, clock="stopped" if stopped else "running"), 200


@blueprint.get("/robots.txt")
def robots() -> Response:
    return public(Response(ROBOTS, mimetype="text/plain"))


def _counts(session: Session) -> dict[str, int]:
    """How many games have which status."""
    rows = session.exec(select(Game.status, func.count()).group_by(col(Game.status)))
    return dict(rows.all())
