"""`/me/letters`: what a player got, word for word, and having it once more."""

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response as AnyResponse

from pbem.letters.resending import Resent, resend_to, ways_to
from pbem.letters.resuming import try_again
from pbem.post.channels.telling import shown_again
from pbem.store import Game, Letter
from pbem.store.people import address_of, seat_of
from pbem.web import installation
from pbem.web.letterbox.blueprint import blueprint
from pbem.web.play.visitor import Visitor, visitor
from pbem.web.security import content_policy

A_PAGE = 50


@blueprint.get("/me/letters")
def letters() -> str:
    """The newest letters to him, and on from there."""
    before = request.args.get("before", "")
    with installation().store.read() as session:
        who = visitor(session)
        query = select(Letter).where(Letter.person_id == who.id, Letter.state != "replaced")
        if before.isascii() and before.isdigit() and len(before) < 10:
            query = query.where(col(Letter.id) < int(before))
        rows = session.exec(query.order_by(col(Letter.id).desc()).limit(A_PAGE + 1)).all()
        shown = [(row, row.subject or _subject(session, row)) for row in rows[:A_PAGE]]
        return render_template(
            "letterbox/letters.html",
            who=who,
            letters=shown,
            more=shown[-1][0].id if len(rows) > A_PAGE else None,
        )


@blueprint.get("/me/letters/<int:letter_id>")
def letter(letter_id: int) -> Response:
    """One letter as it went, its secrets cut out."""
    with installation().store.read() as session:
        who = visitor(session)
        row = _letter(session, who, letter_id)
        game = None if row.game_id is None else session.get(Game, row.game_id)
        playing = game is not None and seat_of(session, game, who.id) is not None
        page = render_template(
            "letterbox/letter.html",
            who=who,
            letter=row,
            shown=shown_again(session, installation().site, row),
            game=game if playing else None,
            addresses=ways_to(session, who.id),
        )
    response = make_response(page)
    response.headers["Content-Security-Policy"] = content_policy(frame_src="'self'")
    return response


@blueprint.get("/me/letters/<int:letter_id>/html")
def letter_html(letter_id: int) -> Response:
    """The HTML part alone, for the frame: it may use its own styles and nothing else."""
    with installation().store.read() as session:
        row = _letter(session, visitor(session), letter_id)
        html = shown_again(session, installation().site, row).html
    response = Response(html, mimetype="text/html")
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "form-action 'none'; frame-ancestors 'self'; sandbox"
    )
    return response


@blueprint.post("/me/games/<int:game_id>/resend")
def resend(game_id: int) -> AnyResponse:
    """The present letter once more: to the registered address, or another confirmed one."""
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        game = session.get(Game, game_id) if game_id < 2**31 else None
        seat = None if game is None else seat_of(session, game, who.id)
        if game is None or seat is None:
            abort(404)
        outcome = resend_to(
            session, here.site, here.clock(), game, seat, who.person,
            request.form.get("address") or None,
        )  # fmt: skip
    if outcome is Resent.NO_SUCH_ADDRESS:
        abort(400)
    return redirect(url_for("letterbox.letters", resent=outcome.value), 303)


@blueprint.post("/me/mail/try-again")
def once_more() -> AnyResponse:
    """His letters come back; he says that they will not any more."""
    here = installation()
    with here.store.work() as session:
        address = address_of(session, visitor(session).id)
        if address is not None and address.paused_at is not None:
            try_again(session, here.site, here.clock(), address)
    return redirect(url_for("play.tables"), 303)


def _letter(session: Session, who: Visitor, letter_id: int) -> Letter:
    """A letter to him; 404 for anybody else's, as if there were none."""
    found = session.get(Letter, letter_id) if letter_id < 2**31 else None
    if found is None or found.person_id != who.id:
        abort(404)
    return found


def _subject(session: Session, row: Letter) -> str:
    return shown_again(session, installation().site, row).subject
