"""`/me/held`: the mails that are held for the person who looks, and what he says to each."""

from flask import abort, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from pbem.desk.renewing import renew_reply_address
from pbem.intake.again import discard, vouch_for
from pbem.intake.held import HeldMail, held_mail, held_mails
from pbem.store import Game, Mail
from pbem.store.audit import Actor
from pbem.store.log import Author
from pbem.store.people import fold_address, seat_of
from pbem.store.tokens import issue
from pbem.web import installation
from pbem.web.play.routes import blueprint
from pbem.web.play.visitor import Visitor, page_bearer_of, sign_in, visitor


@blueprint.get("/me/held")
def held() -> str:
    """What is held for him, and what became of the one he has spoken about."""
    with installation().store.read() as session:
        who = visitor(session)
        settled = _settled(session, who, request.args.get("settled", ""))
        return render_template(
            "play/held.html",
            who=who,
            mails=held_mails(session, person_id=who.id),
            settled=settled,
            stranger=None if settled is None else _unknown_sender(who, settled),
            table=_table(session, who, settled),
        )


@blueprint.post("/me/held/<int:mail_id>")
def settle_held(mail_id: int) -> Response:
    """`mine`: it was me, do it; `not-mine`: it was not, throw it away."""
    said = request.form.get("do", "")
    if said not in ("mine", "not-mine"):
        abort(400)
    here = installation()
    with here.store.read() as session:
        who = visitor(session)
        mail = held_mail(session, mail_id, who.id) if mail_id < 2**31 else None
    if mail is None:
        return redirect(url_for("play.held"), 303)  # settled meanwhile, or never his
    if said == "mine":
        vouch_for(here, mail.id, who.id)
        here.nudge()
    else:
        discard(here, mail.id, Actor("web", who.id))
        _renew(who, mail)
    return redirect(url_for("play.held", settled=mail.id), 303)


@blueprint.post("/me/games/<int:game_id>/address")
def renew_address(game_id: int) -> Response:
    """Make the reply address of his seat, and the link to his pages, new."""
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        game = session.get(Game, game_id) if game_id < 2**31 else None
        seat = None if game is None else seat_of(session, game, who.id)
        if game is None or seat is None or game.status != "running":
            abort(404)
        _renew_seat(session, who, game, seat)
    here.nudge()
    return redirect(url_for("play.table", game_id=game_id, renewed=1), 303)


def _renew(who: Visitor, mail: HeldMail) -> None:
    """Whoever wrote to the reply address of a seat has got hold of a letter."""
    with installation().store.work() as session:
        game = None if mail.game_id is None else session.get(Game, mail.game_id)
        seat = None if game is None else seat_of(session, game, who.id)
        if game is not None and seat is not None and mail.seat == seat:
            _renew_seat(session, visitor(session), game, seat)


def _renew_seat(session: Session, who: Visitor, game: Game, seat: int) -> None:
    """This browser stays signed in: with the new link, as the old one is void now."""
    here = installation()
    now = here.clock()
    renew_reply_address(session, here.site, now, Author("web", who.id), game, seat)
    sign_in(session, issue(session, here.keys, page_bearer_of(who), now))


def _settled(session: Session, who: Visitor, number: str) -> Mail | None:
    mail = session.get(Mail, int(number)) if number.isdecimal() and len(number) < 10 else None
    return None if mail is None or mail.person_id != who.id or mail.state == "held" else mail


def _unknown_sender(who: Visitor, mail: Mail) -> str | None:
    """The address a mail of his was sent from, if it is none of his yet."""
    sender = fold_address(str((mail.receipt or {}).get("sender", "")))
    return sender if mail.state == "done" and sender and sender not in who.addresses else None


def _table(session: Session, who: Visitor, mail: Mail | None) -> Game | None:
    game = None if mail is None or mail.game_id is None else session.get(Game, mail.game_id)
    return None if game is None or seat_of(session, game, who.id) is None else game
