"""`/moderator/mail`: the inbox, the receipt of each mail, and what can be done with it."""

import re
from datetime import date

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from pbem.intake import again
from pbem.moderation.closed import Closed, open_as_owner
from pbem.moderation.lists import PAGE
from pbem.moderation.lists.mails import STATES, WAITING, WantedMails, counts, mails
from pbem.store import Mail
from pbem.store.audit import note, of_mail
from pbem.store.rows import id_of
from pbem.web import installation
from pbem.web.inert import masked
from pbem.web.moderator.deeds import Link, deeds_of
from pbem.web.moderator.guard import Moderator, blueprint, signed_in
from pbem.web.moderator.html_mail import html_of
from pbem.web.moderator.seats import offered, with_names
from pbem.web.receipts import receipt

MOST_REASON = 500
MOST_SOURCE = 200_000  # bytes of a mail's source on its page
_NUMBER = re.compile(r"[0-9]{1,9}")


@blueprint.get("/mail")
def inbox() -> str:
    """Mails that came in, as far as they are this moderator's business."""
    who, wanted = signed_in(), _wanted()
    with installation().store.read() as session:
        closed = Closed(session, who.powers)
        rows = mails(session, who.powers, wanted)
        more = rows[PAGE - 1].id if len(rows) > PAGE else None
        shown = [(row, closed.hides(row)) for row in rows[:PAGE]]
        if wanted.searches:  # what a search finds would tell what a closed mail holds
            shown = [(row, hidden) for row, hidden in shown if not hidden]
        return render_template(
            "moderator/inbox.html",
            rows=shown,
            counts=counts(session, who.powers),
            waiting=WAITING,
            wanted=wanted,
            more=more,
            query=_query(wanted),
        )


@blueprint.get("/mail/<int:mail_id>")
def mail(mail_id: int) -> AnyResponse | str:
    """The receipt of a mail, with what can be done."""
    who = signed_in()
    with installation().store.read() as session:
        row, hidden = _mail(session, who, mail_id)
        if hidden:
            return _closed(who, row)
        return _receipt_page(session, who, row)


@blueprint.get("/mail/<int:mail_id>/source")
def source(mail_id: int) -> AnyResponse | str:
    """The mail as it came, as inert text, without the secrets of letters it quotes."""
    who = signed_in()
    with installation().store.read() as session:
        row, hidden = _mail(session, who, mail_id)
        if hidden:
            return _closed(who, row)
        text = masked((row.raw or b"")[:MOST_SOURCE].decode("utf-8", "replace"))
        return render_template("moderator/source.html", mail=row, source=text)


@blueprint.get("/mail/<int:mail_id>/html")
def as_html(mail_id: int) -> AnyResponse | str:
    """The HTML of a mail, made harmless: nothing in it loads, runs or leads away."""
    who = signed_in()
    with installation().store.read() as session:
        row, hidden = _mail(session, who, mail_id)
        if hidden:
            return _closed(who, row)
        html = html_of(row.raw or b"")
        if html is None:
            abort(404)
        return render_template("moderator/html-mail.html", mail=row, html=Markup(html))  # noqa: S704


@blueprint.post("/mail/<int:mail_id>/download")
def download(mail_id: int) -> AnyResponse:
    """The mail's bytes.  They may hold secrets of the letters they quote, so whoever takes
    them is in the audit."""
    who = signed_in()
    with installation().store.work() as session:
        row, hidden = _mail(session, who, mail_id)
        if hidden:
            return _closed(who, row)
        if not row.raw:
            abort(404)
        note(
            session, installation().clock(), who.because(), "download-mail",
            mail_id=row.id, game_id=row.game_id, subject_id=row.person_id,
        )  # fmt: skip
    response = make_response(row.raw)
    response.headers["Content-Type"] = "application/octet-stream"  # never shown by a browser
    response.headers["Content-Disposition"] = f'attachment; filename="mail-{mail_id}.eml"'
    return response


@blueprint.post("/mail/<int:mail_id>/open")
def open_closed(mail_id: int) -> AnyResponse:
    """The owner opens a mail of a table he plays at; it is logged."""
    who, reason = signed_in(), _reason()
    if not who.powers.owner:
        abort(403)
    with installation().store.work() as session:
        row, hidden = _mail(session, who, mail_id)
        if hidden and not reason:
            return _closed(who, row, "Say why, please: the reason is kept with it.")
        if hidden:
            open_as_owner(session, installation().clock(), who.because(reason), row)
    return _see(mail_id)


def _mail(session: Session, who: Moderator, mail_id: int) -> tuple[Mail, bool]:
    """A mail within reach, and whether it is closed; 404 for others, as if there were none."""
    row = session.get(Mail, mail_id) if mail_id < 2**31 else None
    if row is None or not who.powers.reaches(row.game_id):
        abort(404)
    return row, Closed(session, who.powers).hides(row)


def _receipt_page(session: Session, who: Moderator, row: Mail) -> str:
    deeds = _deeds(session, who, row)
    treat = deeds.get(again.TREAT_AS)
    return render_template(
        "moderator/mail.html",
        receipt=receipt(session, row, None),
        may=again.obstacle(session, row),
        deeds={name: link for name, link in deeds.items() if not link.refused},
        on_the_server=_line(row) if treat and treat.refused and who.powers.owner else "",
        kept=bool(row.raw),
        has_html=b"text/html" in (row.raw or b"").lower(),
        seats=offered(session, row),
        audit=with_names(session, of_mail(session, id_of(row))),
    )


def _deeds(session: Session, who: Moderator, row: Mail) -> dict[str, Link]:
    """What can be done with a mail, or has to be left to others, by the names of the actions."""
    families = deeds_of(session, who, mail=row.id)
    return {link.name: link for family in families for link in family.links}


def _line(row: Mail) -> str:
    """How a mail is treated as from a seat on the command line, for an owner who plays and
    has no other moderator to ask."""
    game = "GAME" if row.game_id is None else row.game_id
    seat = "SEAT" if row.seat is None else row.seat
    return f'python -m pbem mail treat {row.id} --game {game} --seat {seat} --reason "…"'


def _closed(who: Moderator, row: Mail, trouble: str = "") -> Response:
    page = render_template(
        "moderator/closed.html", mail=row, owner=who.powers.owner, trouble=trouble
    )
    return make_response(page, 403)


def _wanted() -> WantedMails:
    """The filter, as the address says it; what makes no sense is left out."""
    given = request.args
    state = given.get("state", "")
    day = None
    try:
        day = date.fromisoformat(given.get("day", ""))
    except ValueError:
        day = None
    return WantedMails(
        state=state if state in STATES else "",
        sender=given.get("sender", "").strip()[:320],
        game_id=_number(given.get("game", "")),
        message_id=given.get("message", "").strip()[:1000],
        day=day if day is not None and day.year < 9999 else None,
        before=_number(given.get("before", "")),
    )


def _query(wanted: WantedMails) -> dict[str, str]:
    """The filter as an address says it, the page left out."""
    said = {
        "state": wanted.state,
        "sender": wanted.sender,
        "game": "" if wanted.game_id is None else str(wanted.game_id),
        "message": wanted.message_id,
        "day": "" if wanted.day is None else wanted.day.isoformat(),
    }
    return {name: value for name, value in said.items() if value}


def _number(value: str) -> int | None:
    return int(value) if _NUMBER.fullmatch(value.strip()) else None


def _reason() -> str:
    return " ".join(request.form.get("reason", "").split())[:MOST_REASON]


def _see(mail_id: int) -> AnyResponse:
    return redirect(url_for("moderator.mail", mail_id=mail_id), 303)
