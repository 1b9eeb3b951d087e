"""`/players`: people who show themselves; `/me/profile`: whether one does, and by which name."""

import csv
import io

from flask import Response as FlaskResponse
from flask import abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from pbem.archive import profiles
from pbem.archive.names import folded
from pbem.archive.search import Found
from pbem.commands.player_names import FAULTS, name_fault
from pbem.store import Profile
from pbem.translation import _
from pbem.web import installation
from pbem.web.archive import graphs, listing
from pbem.web.archive.downloads import safe
from pbem.web.archive.routes import blueprint, same_again
from pbem.web.play.visitor import visitor
from pbem.web.security import personal, public

GAMES = 50
RESERVED = ("seat", "bot", "sitz", "platz", "座位", "机器人", "機器人")


@blueprint.get("/players")
def players() -> FlaskResponse:
    with installation().store.read() as session:
        page = render_template("archive/players.html", ranking=profiles.ranking(session))
    return same_again(public(make_response(page)))


@blueprint.get("/players.csv")
def players_csv() -> FlaskResponse:
    with installation().store.read() as session:
        ranking = profiles.ranking(session)
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["player", "name", "rating", "games"])
    rows.writerows(
        [one.profile.id, safe(one.profile.name), one.rating, one.rated] for one in ranking
    )
    return same_again(public(FlaskResponse(out.getvalue(), mimetype="text/csv")))


@blueprint.get("/players/<int:profile_id>")
def player(profile_id: int) -> FlaskResponse:
    """The page of somebody who shows himself; 404 for all others, as if they were not."""
    with installation().store.read() as session:
        row = session.get(Profile, profile_id) if profile_id < 2**31 else None
        if row is None or not row.public:
            abort(404)
        standing = profiles.standing(session, row.person_id)
        moments = profiles.games_of(session, row.person_id, GAMES)
        page = render_template(
            "archive/player.html",
            profile=row,
            standing=standing,
            history=graphs.history(standing.history) if len(standing.history) > 1 else None,
            listed=listing.listed(session, Found(tuple(moments), None, None)),
        )
    return same_again(public(make_response(page)))


@blueprint.get("/me/profile")
def own_profile() -> FlaskResponse:
    with installation().store.read() as session:
        return _form(session)


@blueprint.post("/me/profile")
def choose_profile() -> Response:
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        shows = request.form.get("public") == "yes"
        name = " ".join(request.form.get("name", "").split()) or _first_name(who.person.name)
        fault = _fault(session, name, who.id)
        if fault is not None:
            answer = _form(session, name, fault)
            answer.status_code = 422
            return answer
        profiles.choose(session, who.id, name, shows, here.clock())
    return redirect(url_for("archive.own_profile", saved="yes"), 303)


def _form(session: Session, name: str = "", fault: str | None = None) -> FlaskResponse:
    who = visitor(session)
    page = render_template(
        "archive/own_profile.html",
        who=who,
        profile=profiles.profile_of(session, who.id),
        standing=profiles.standing(session, who.id),
        name=name,
        suggested=_first_name(who.person.name),
        fault=None if fault is None else _(FAULTS[fault]),
        saved="saved" in request.args,
    )
    return personal(make_response(page))


def _first_name(name: str) -> str:
    return (name.split() or [""])[0]


def _fault(session: Session, name: str, person_id: int) -> str | None:
    """What is wrong with a name: nobody goes by what the pages call others."""
    if (fault := name_fault(name)) is not None:
        return fault
    if folded(name).startswith(RESERVED):
        return "reserved"
    return "taken" if profiles.is_taken(session, name, person_id) else None
