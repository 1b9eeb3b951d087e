"""`/`: what this is and how it works.  `/health`, `/robots.txt`: for machines."""

from flask import Blueprint, Response, jsonify, make_response, render_template
from sqlalchemy import func
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from pbem.store import Game
from pbem.web import installation
from pbem.web.health import health_of
from pbem.web.loopback import asks_from_here
from pbem.web.moderator.guard import is_moderator
from pbem.web.security import public

blueprint = Blueprint("start", __name__, template_folder="templates")

OK, LATE = {"status": "ok"}, {"status": "late"}

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
    """How the server is, for machines: 200 or 503.  What is wrong, how full the disk is and
    which version runs is told on the server's own machine and to moderators; strangers read
    `ok` or `late`.  A clock that was stopped on purpose is told, and is no fault."""
    here, told = installation(), asks_from_here()
    try:
        with here.store.read() as session:
            found = health_of(session, here)
            told = told or is_moderator(session)
    except SQLAlchemyError:
        return jsonify({"ok": False, "database": False} if told else LATE), 503
    brief = OK if found.ok else LATE
    return jsonify(found.to_json() if told else brief), 200 if found.ok else 503


@blueprint.get("/robots.txt")
def robots() -> Response:
    return public(Response(ROBOTS, mimetype="text/plain"))


def _counts(session: Session) -> dict[str, int]:
    """How many games have which status."""
    rows = session.exec(select(Game.status, func.count()).group_by(col(Game.status)))
    return dict(rows.all())
