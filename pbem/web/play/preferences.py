"""`/me/settings`: name, addresses, language, time zone, letters, and a person's own data.

What a mail can say, too, is sent as that command, so that the page, a mail and the desk cannot
differ."""

from flask import Response as FlaskResponse
from flask import abort, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from pbem.commands.player_names import FAULTS
from pbem.desk import addresses
from pbem.desk.digesting import schedule
from pbem.desk.handlers.privacy import unblock
from pbem.desk.people import choose_name
from pbem.letters.ark_png import can_draw
from pbem.letters.personal import data_file
from pbem.store import Person
from pbem.store.people import wants_no_mail
from pbem.store.wishes import as_elsewhere, wish, wishes_by
from pbem.translation import _
from pbem.translation.catalogues import NAMES
from pbem.web import installation
from pbem.web.play import away, orders, overview
from pbem.web.play.orders import OrderForm
from pbem.web.play.routes import blueprint
from pbem.web.play.visitor import Visitor, visitor

ADDRESS = {"add": "address add", "main": "address", "remove": "address remove"}
HOURS = frozenset(map(str, range(24)))
CHOICES = ("", "every", "mine", "digest")
BARE = {"forget": "forget me", "never": "never again", "data": "my data"}


@blueprint.get("/me/settings")
def preferences() -> str:
    with installation().store.read() as session:
        return _page(session, visitor(session))


def _page(session: Session, who: Visitor, name: str = "", fault: str = "") -> str:
    """The page; `fault` is the code of what is wrong with the `name` that was asked for."""
    here = installation()
    kept = orders.kept(session, who, request.args.get("answer", ""))
    own = wishes_by(session, who.id)
    return render_template(
        "play/settings.html",
        who=who,
        name=name or who.person.name,
        fault=_(FAULTS[fault]) if fault else "",
        addresses=addresses.own_addresses(session, who.id),
        waiting=addresses.waiting(session, who.id, here.clock()),
        away=away.away_of(session, here, who.person),
        blocked=wants_no_mail(session, here.keys, who.id),
        tongues=NAMES,
        drawn=can_draw(who.person.language),
        tables=[
            (row.game, own[row.game.id].letters if row.game.id in own else None)
            for row in overview.running(session, who.id)
        ],
        answer=None if kept is None else kept.answer,
    )


@blueprint.post("/me/settings")
def set_preferences() -> Response:
    """One of the page's forms, as the command it stands for, if there is one."""
    with installation().store.work() as session:
        who = visitor(session)
        if request.form.get("do") == "name":
            name = request.form.get("name", "")
            if fault := choose_name(session, installation().clock(), who.person, name):
                return FlaskResponse(_page(session, who, name, fault), 422)
            return redirect(url_for("play.preferences", _anchor="shown"), 303)
        if request.form.get("do") == "welcome":
            unblock(session, installation().site, who.id)
            return redirect(url_for("play.preferences", _anchor="invitations"), 303)
        if request.form.get("do") in ("automatic-on", "automatic-off"):
            who.person.automatic_absence = request.form.get("do") == "automatic-on"
            session.add(who.person)
            return redirect(url_for("play.preferences", _anchor="away"), 303)
        if request.form.get("do") in ("picture-on", "picture-off"):
            who.person.ark_picture = request.form.get("do") == "picture-on"
            session.add(who.person)
            return redirect(url_for("play.preferences", _anchor="letters"), 303)
        if request.form.get("do") in ("hour", "table"):
            _choose(session, who)
            return redirect(url_for("play.preferences", _anchor="letters"), 303)
        key = request.form.get("key", "")
        if not orders.KEY.fullmatch(key):
            abort(400)
        form = OrderForm(_command(who.person), key, None)
        orders.take(session, who, form)
    return redirect(url_for("play.preferences", answer=form.answer_id, _anchor="answer"), 303)


def _choose(session: Session, who: Visitor) -> None:
    """The hour of the day's letter, or what letters of one table come."""
    if request.form.get("do") == "hour":
        hour = request.form.get("hour", "")
        if hour not in HOURS:
            abort(400)
        who.person.digest_hour = int(hour)
    else:
        games = {str(row.game.id): row.game for row in overview.running(session, who.id)}
        game, letters = games.get(request.form.get("game", "")), request.form.get("letters", "")
        if game is None or game.id is None or letters not in CHOICES:
            abort(400)
        if letters:
            wish(session, who.person, game.id, letters=letters)
        else:
            as_elsewhere(session, who.person, game.id)
    schedule(session, who.person, installation().clock())


@blueprint.get("/me/data.json")
def data() -> FlaskResponse:
    """All that is stored about whoever is signed in here, as a file."""
    with installation().store.read() as session:
        content = _data(session)
    response = FlaskResponse(content, mimetype="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return response


def _data(session: Session) -> bytes:
    return data_file(session, visitor(session).person)


def _command(person: Person) -> str:
    """What the form that was sent says; 400 for one that is none of ours."""
    if (found := away.commands(person)) is not None:
        return "\n".join(found)
    do = request.form.get("do", "")
    if do in BARE:
        return BARE[do]
    if do in ADDRESS:
        return f"{ADDRESS[do]} {_field('address')}"
    if do != "preferences":
        abort(400)
    now = {
        "language": person.language,
        "timezone": person.zone or "",
        "letters": person.letters,
        "format": person.mail_format,
    }
    words = {"language": "language", "timezone": "timezone", "letters": "mail", "format": "mail"}
    changed = [
        f"{words[name]} {value}"
        for name, before in now.items()
        if (value := _field(name)) and value != before
    ]
    return "\n".join(changed) or "language"  # nothing was changed: say how it is


def _field(name: str) -> str:
    """The value of a field on one line, in which nothing begins a second command."""
    return " ".join(request.form.get(name, "").replace(";", " ").replace("；", " ").split())[:300]
