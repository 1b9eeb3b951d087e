"""`/moderator/sign-in`: a link by mail, a button, a sitting; and the list of sittings."""

import secrets
from datetime import datetime

from flask import (
    Response,
    abort,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from pbem.letters import announce
from pbem.store import Sitting
from pbem.store.audit import Actor, note
from pbem.store.pauses import failed, forget, paused_until
from pbem.store.people import person_by_address
from pbem.store.roles import powers_of
from pbem.store.second_factors import accepts, is_asked_for
from pbem.store.sittings import close, complete, new_link, open_sitting, sittings_of, use_link
from pbem.web import forms, installation
from pbem.web.moderator.guard import MODERATOR, blueprint, give_cookie, signed_in, take_cookie

# What failures are counted of, and how many are free.
ASKING, FREE_ASKING = "sign-in/ask", 10  # for links, from one network address
LETTERS, FREE_LETTERS = "sign-in/letter", 3  # with links, to one person
WRONG = "sign-in/wrong-link"  # from one network address
WRONG_CODE = "sign-in/wrong-code"  # of one person, wherever it comes from


@blueprint.get("/sign-in")
def ask_for_link() -> AnyResponse | str:
    if g.moderator is not None:
        return redirect(url_for("moderator.today"), 303)
    return render_template("moderator/sign-in.html")


@blueprint.post("/sign-in")
def send_link() -> Response | str:
    """Mail a link to whoever has a role; the answer is the same for any address."""
    here, side = installation(), _side()
    now = here.clock()
    with here.store.work() as store:
        until = paused_until(store, here.keys, ASKING, side)
        if until is not None and now < until:
            return paused(until, now)
        failed(store, here.keys, now, ASKING, side, free=FREE_ASKING)
        _mail_link(store, now, request.form.get("address", "")[:320])
    return render_template("moderator/link-sent.html")


def _mail_link(store: Session, now: datetime, address: str) -> None:
    here = installation()
    person = person_by_address(store, address)
    if person is None or person.id is None or powers_of(store, person.id) is None:
        return
    until = paused_until(store, here.keys, LETTERS, str(person.id))
    if until is not None and now < until:
        return  # nobody can fill a moderator's mailbox from here
    failed(store, here.keys, now, LETTERS, str(person.id), free=FREE_LETTERS)
    number = new_link(store, here.keys, now, here.entropy, person.id)
    announce.sign_in(store, here.site, now, person.id, number)


@blueprint.get("/sign-in/<link>")
def show_button(link: str) -> str:
    """A page with a button, whatever the link: looking says nothing about it, and mail
    scanners that follow links do not use it up."""
    return render_template("moderator/button.html", link=link[:100])


@blueprint.post("/sign-in/<link>")
def sign_in(link: str) -> AnyResponse:
    """The button behind the link: the link is used up, and the browser signed in, or asked for a
    code where there is a second factor."""
    here, side = installation(), _side()
    now = here.clock()
    secret = secrets.token_urlsafe(32)
    with here.store.work() as store:
        until = paused_until(store, here.keys, WRONG, side)
        if until is not None and now < until:
            return paused(until, now)
        person_id = use_link(store, now, link)
        if person_id is None or powers_of(store, person_id) is None:
            failed(store, here.keys, now, WRONG, side)
            return make_response(render_template("moderator/no-link.html"), 403)
        for kind, one in ((WRONG, side), (ASKING, side), (LETTERS, str(person_id))):
            forget(store, here.keys, kind, one)
        for other in (g.moderator, g.half):  # somebody was signed in with this browser
            if other is not None:
                close(store, now, store.get_one(Sitting, other.sitting_id))
        asked = is_asked_for(store, person_id)
        browser = request.headers.get("User-Agent", "")
        open_sitting(store, now, person_id, secret, browser, awaits_code=asked)
        if not asked:
            note(store, now, Actor(MODERATOR, person_id), "sign-in")
    response = to("moderator.ask_for_code" if asked else "moderator.today")
    give_cookie(response, secret)
    return response


@blueprint.get("/code")
def ask_for_code() -> AnyResponse | str:
    """The second step of whoever has a second factor."""
    if g.half is None:
        return to("moderator.today" if g.moderator else "moderator.ask_for_link")
    return render_template("moderator/code.html", trouble="")


@blueprint.post("/code")
def take_code() -> AnyResponse | str:
    """The code that the second step asks for; too many wrong ones make it wait."""
    here, half = installation(), g.half
    if half is None:
        return to("moderator.ask_for_link")
    now, side = here.clock(), str(half.id)
    with here.store.work() as store:
        until = paused_until(store, here.keys, WRONG_CODE, side)
        if until is not None and now < until:
            return paused(until, now)
        if not accepts(store, here.keys, now, half.id, request.form.get("code", "")):
            failed(store, here.keys, now, WRONG_CODE, side)
            page = render_template("moderator/code.html", trouble="This is no code of yours now.")
            return make_response(page, 403)
        forget(store, here.keys, WRONG_CODE, side)
        complete(store, now, store.get_one(Sitting, half.sitting_id))
        note(store, now, Actor(MODERATOR, half.id), "sign-in")
    session.pop(forms.FIELD, None)  # the marks of forms opened before are void
    return to("moderator.today")


@blueprint.post("/sign-out")
def sign_out() -> AnyResponse:
    here, who = installation(), signed_in()
    with here.store.work() as store:
        close(store, here.clock(), store.get_one(Sitting, who.sitting_id))
    response = to("moderator.ask_for_link")
    take_cookie(response)
    return response


@blueprint.get("/browsers")
def browsers() -> str:
    """The moderator's own browsers that are signed in."""
    here, who = installation(), signed_in()
    with here.store.read() as store:
        rows = sittings_of(store, here.clock(), who.id)
    return render_template("moderator/browsers.html", sittings=rows)


@blueprint.post("/browsers/<int:sitting_id>/close")
def close_browser(sitting_id: int) -> AnyResponse:
    here, who = installation(), signed_in()
    with here.store.work() as store:
        row = store.get(Sitting, sitting_id) if sitting_id < 2**31 else None
        if row is None or row.person_id != who.id:
            abort(404)
        close(store, here.clock(), row)
        note(store, here.clock(), who.because(), "close-browser", subject_id=who.id)
    return to("moderator.browsers" if sitting_id != who.sitting_id else "moderator.ask_for_link")


def _side() -> str:
    """Where the request came from, as failures are counted."""
    return request.remote_addr or "?"


def paused(until: datetime, now: datetime) -> Response:
    seconds = max(1, round((until - now).total_seconds()))
    response = make_response(render_template("moderator/paused.html", seconds=seconds), 429)
    response.headers["Retry-After"] = str(seconds)
    return response


def to(endpoint: str) -> Response:
    """303: what comes next is a page to look at."""
    return make_response(redirect(url_for(endpoint), 303))
