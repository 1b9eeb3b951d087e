"""`/me/ways`: a feed and webhooks, made on request and revoked by one click."""

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from pbem.letters import calendar
from pbem.post.channels import feed, hooks
from pbem.store import Game, Hook, Person
from pbem.store.people import seat_of
from pbem.store.tokens import find
from pbem.web import installation
from pbem.web.letterbox.blueprint import blueprint
from pbem.web.play import overview
from pbem.web.play.visitor import Visitor, visitor


@blueprint.get("/me/ways")
def ways() -> str:
    with installation().store.read() as session:
        return _page(session, visitor(session))


@blueprint.post("/me/ways/feed")
def change_feed() -> AnyResponse:
    """``do``: open, or close (who has the address then reads no more)."""
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        if request.form.get("do") == "close":
            feed.close_feed(session, here.clock(), who.id)
        elif here.settings.channels.feeds:
            feed.open_feed(session, here.site, here.clock(), who.id)
    return redirect(url_for("letterbox.ways"), 303)


@blueprint.post("/me/ways/hooks")
def add_hook() -> AnyResponse:
    here = installation()
    url = request.form.get("url", "").strip()
    with here.store.work() as session:
        who = visitor(session)
        try:
            hooks.add_hook(
                session, here.site, here.entropy(16), here.clock(), who.id, url,
                _own_game(session, who, request.form.get("game", "")),
            )  # fmt: skip
        except hooks.HookError as error:
            return make_response(_page(session, who, url, str(error)), 400)
    return redirect(url_for("letterbox.ways"), 303)


@blueprint.post("/me/ways/hooks/<int:hook_id>/end")
def end_hook(hook_id: int) -> AnyResponse:
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        hook = session.get(Hook, hook_id) if hook_id < 2**31 else None
        if hook is None or hook.person_id != who.id:
            abort(404)
        hook.ended_at = hook.ended_at or here.clock()
        session.add(hook)
    return redirect(url_for("letterbox.ways"), 303)


@blueprint.get("/feed/<token>.atom")
def atom(token: str) -> Response:
    """The feed, for whoever has its address; 304 while it says the same."""
    here = installation()
    with here.store.read() as session:
        row = find(session, token)
        if row is None or row.purpose != feed.PURPOSE or not here.settings.channels.feeds:
            abort(404)
        person = None if row.person_id is None else session.get(Person, row.person_id)
        if person is None or person.id is None or person.erased_at is not None:
            abort(404)
        letters = feed.newest(session, person.id)
        response = Response(mimetype="application/atom+xml")
        response.set_etag(feed.version(letters))
        response.last_modified = letters[0].created_at if letters else person.created_at
        response.make_conditional(request)
        if response.status_code != 304:
            url = f"{here.settings.base_url}/feed/{token}.atom"
            response.set_data(feed.atom(session, here.site, person, letters, url))
    return response


def _page(session: Session, who: Visitor, url: str = "", trouble: str = "") -> str:
    here = installation()
    token = feed.feed_token(session, here.site, who.id)
    dates = calendar.calendar_token(session, here.site, who.id)
    return render_template(
        "letterbox/ways.html",
        who=who,
        channels=here.settings.channels,
        feed=None if token is None else f"{here.settings.base_url}/feed/{token}.atom",
        calendar=None if dates is None else f"{here.settings.base_url}/calendar/{dates}.ics",
        hooks=[
            (hook, hooks.secret_of(here.site, hook)) for hook in hooks.hooks_of(session, who.id)
        ],
        games=[row.game for row in overview.running(session, who.id)],
        url=url,
        trouble=trouble,
    )


def _own_game(session: Session, who: Visitor, number: str) -> int | None:
    """The table a hook is to be told of; None: all of his."""
    if not number:
        return None
    game = session.get(Game, int(number)) if number.isdecimal() and len(number) < 10 else None
    if game is None or seat_of(session, game, who.id) is None:
        abort(404)
    return game.id
