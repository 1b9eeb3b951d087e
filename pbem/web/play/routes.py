"""`/p/TOKEN`, `/me`, and the tables behind it."""

import re
import time
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from engine.view import view
from pbem.commands import Context
from pbem.intake.held import held_mails
from pbem.store import Game, Invitation
from pbem.store.people import holders, seat_of
from pbem.store.positions import deck_of, position_now
from pbem.web import installation
from pbem.web.play import live, orders, overview
from pbem.web.play.affairs import affairs_of
from pbem.web.play.orders import Kept, OrderForm
from pbem.web.play.table import table_page
from pbem.web.play.turn import Choice, Link
from pbem.web.play.visitor import Visitor, needs_code, sign_in, sign_out, visitor
from pbem.web.security import personal

blueprint = Blueprint("play", __name__, template_folder="templates")
blueprint.after_request(personal)

LEADING_ON = re.compile(r"lobby/[0-9]{1,9}|new|learn/table")
"""Where a link may lead on to, from the start page."""
BOTS_SECONDS = 1.0  # a reader waits this long for the bots, so that he sees their turns at once
_PAUSE = 0.05
_DECISION = re.compile(r"[0-9]{1,9}")
_AGAIN = frozenset({"preview", "refused", "aged"})  # outcomes after which the text is kept


@blueprint.get("/p/<token>")
@blueprint.get("/p/<token>/<int:game_id>")
def enter(token: str, game_id: int | None = None) -> Response:
    """The link from a letter, about the person or one table: a session begins, and the token
    leaves the address line."""
    with installation().store.read() as session:
        if not sign_in(session, token, request.args.get("asked", "")):
            abort(404)
        if game_id is not None and _has_seat(session, game_id):
            return _see("play.table", game_id=game_id)
    mail = request.args.get("mail", "")
    if _DECISION.fullmatch(mail):  # "how your mail was read", from the foot of a letter
        return _see("play.mail", mail_id=int(mail))
    to = request.args.get("to", "")
    if LEADING_ON.fullmatch(to):  # what the link was asked for
        return redirect(f"{url_for('start.index')}{to}", 303)
    return _see("play.tables")


@blueprint.get("/me")
def tables() -> str | Response:
    """The person's own page: invitations, games, what waits for him."""
    with installation().store.read() as session:
        who = visitor(session)
        tag = live.tag_of_all(session, who.id)
        if live.is_unchanged(tag):
            return live.nothing_new()
        return render_template(
            "play/tables.html",
            who=who,
            tag=tag,
            running=overview.running(session, who.id),
            asked=overview.asked(session, who.id),
            held=held_mails(session, person_id=who.id),
            finished=overview.finished(session, who.id),
            answer=_answer(_kept(session, who)),
        )


@blueprint.get("/me/games/<int:game_id>")
def table(game_id: int) -> str | Response:
    """A table as its seat sees it; a finished one is in the archive."""
    with installation().store.read() as session:
        who = visitor(session)
        game, seat = seat_at(session, who, game_id)
        if game.status != "running":
            return live.moved(_see("archive.game", game_id=game_id))
        tag = live.tag_of(game)
        if live.is_unchanged(tag):
            return live.nothing_new()
        choice, link = Choice.read(request.args), _link_to(game_id)
        shown = {
            "who": who,
            "table": table_page(session, game, seat, choice, link),
            "tag": tag,
            "here": link(choice).partition("#")[0],
        }
        if live.is_wanted("board"):  # the next step of a turn: the page has the rest
            return render_template("play/board_alone.html", **shown)
        kept = _kept(session, who)
        return render_template(
            "play/table.html",
            affairs=affairs_of(session, game, who.id),
            answer=_answer(kept),
            text=_text(kept),
            held=held_mails(session, person_id=who.id, game_id=game_id),
            renewed="renewed" in request.args,
            unproved=needs_code(session, who, game),
            **shown,
        )


@blueprint.post("/me/games/<int:game_id>")
def order(game_id: int) -> Response:
    """The command box: the same language, desk and answer as by mail."""
    text = _required("text")
    with installation().store.work(orders.only_table(text, game_id)) as session:
        who = visitor(session)
        game, seat = seat_at(session, who, game_id)
        form = OrderForm(
            text,
            _key(),
            game_id,
            seat,
            decision=_decision(),
            preview=request.form.get("do") == "preview",
        )
        orders.take(session, who, form, reading_of(session, who, game, seat))
    _let_bots_move(game_id)
    return _see("play.table", game_id=game_id, answer=form.answer_id, _anchor="answer")


@blueprint.post("/me/invitations/<int:invitation_id>")
def answer_invitation(invitation_id: int) -> Response:
    """`accept` (with a word for the deal), `decline`, or the organiser's `start`."""
    with installation().store.work() as session:
        who = visitor(session)
        invitation = session.get(Invitation, invitation_id) if invitation_id < 2**31 else None
        if invitation is None or invitation.person_id != who.id:
            abort(404)
        command = request.form.get("do", "")
        if command not in ("accept", "decline", "start"):
            abort(400)
        # The language takes one word; whoever writes more means them as one.
        word = "-".join(request.form.get("word", "").split()) if command == "accept" else ""
        form = OrderForm(
            f"{command} {word}".strip(), _key(), invitation.game_id, invitation_id=invitation_id
        )
        orders.take(session, who, form)
    _let_bots_move(invitation.game_id)
    return answered(form.answer_id, invitation.game_id)


@blueprint.post("/me/leave")
def leave() -> Response:
    """Forget on this browser who he is; the link in his letters opens the page again."""
    sign_out()
    return _see("start.index")


def seat_at(session: Session, who: Visitor, game_id: int) -> tuple[Game, int]:
    """The game and his seat; 404 where he has none, as if there were no such game."""
    game = session.get(Game, game_id) if game_id < 2**31 else None
    seat = None if game is None else seat_of(session, game, who.id)
    if game is None or seat is None or game.status not in ("running", "over", "ended"):
        abort(404)
    return game, seat


def answered(answer_id: str, game_id: int | None) -> Response:
    """To the answer: at the table if he has a seat there by now, else above the list."""
    with installation().store.read() as session:
        if game_id is not None and _has_seat(session, game_id):
            return _see("play.table", game_id=game_id, answer=answer_id, _anchor="answer")
    return _see("play.tables", answer=answer_id, _anchor="answer")


def _has_seat(session: Session, game_id: int) -> bool:
    game = session.get(Game, game_id) if game_id < 2**31 else None
    known = seat_of(session, game, visitor(session).id) if game is not None else None
    return game is not None and known is not None and game.status in ("running", "over")


def _link_to(game_id: int) -> Link:
    """The addresses of the table's page at which something is chosen."""
    table = url_for("play.table", game_id=game_id)
    return lambda choice: f"{table}?{urlencode(choice.arguments, doseq=True)}#turn"


def reading_of(session: Session, who: Visitor, game: Game, seat: int) -> Context:
    """What the desk reads his text against, too."""
    return Context(
        deck=deck_of(game),
        language=who.person.language,
        sender=who.person.name,
        names=tuple(holder.name for holder in holders(session, game)),
        view=view(position_now(game), seat),
    )


def _required(field: str) -> str:
    value = request.form.get(field)
    if value is None:
        abort(400)
    return value


def _key() -> str:
    key = _required("key")
    if not orders.KEY.fullmatch(key):
        abort(400)
    return key


def _decision() -> int:
    value = _required("decision")
    if not _DECISION.fullmatch(value):
        abort(400)
    return int(value)


def _kept(session: Session, who: Visitor) -> Kept | None:
    return orders.kept(session, who, request.args.get("answer", ""))


def _answer(kept: Kept | None) -> object:
    return None if kept is None else kept.answer


def _text(kept: Kept | None) -> str:
    """What stands in the command box: an example that was clicked, or what was not done."""
    if kept is not None and kept.answer.outcome in _AGAIN:
        return kept.text
    return request.args.get("text", "")[:1000]


def _let_bots_move(game_id: int) -> None:
    """Nudge whoever works in the background, and give the bots a moment."""
    installation().nudge()
    deadline = time.monotonic() + BOTS_SECONDS
    while time.monotonic() < deadline:
        with installation().store.read() as session:
            game = session.get(Game, game_id)
            if game is None or not game.bot_waits:
                return
        time.sleep(_PAUSE)


def _see(endpoint: str, **values: object) -> Response:
    """303: what comes next is a page to look at, however this request was made."""
    return redirect(url_for(endpoint, **values), 303)  # type: ignore[arg-type]
