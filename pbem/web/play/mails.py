"""`/me/mails`: what became of each mail of the person who looks, and of no other's."""

from dataclasses import dataclass
from datetime import datetime

from flask import abort, render_template
from sqlmodel import Session, col, select

from pbem.store import Mail
from pbem.web import installation
from pbem.web.play.routes import blueprint
from pbem.web.play.visitor import visitor
from pbem.web.receipts import receipt

MOST = 50


@dataclass(frozen=True)
class Sent:
    """One of his mails, on the list."""

    id: int
    received_at: datetime
    state: str
    subject: str | None
    game_id: int | None


@blueprint.get("/me/mails")
def mails() -> str:
    """His newest mails."""
    with installation().store.read() as session:
        who = visitor(session)
        return render_template("play/mails.html", who=who, mails=newest(session, who.id))


@blueprint.get("/me/mails/<int:mail_id>")
def mail(mail_id: int) -> str:
    """The receipt of one of them; 404 for another person's, as if there were no such."""
    with installation().store.read() as session:
        who = visitor(session)
        row = session.get(Mail, mail_id) if mail_id < 2**31 else None
        if row is None or row.person_id != who.id:
            abort(404)
        return render_template("play/mail.html", who=who, receipt=receipt(session, row, who.id))


def newest(session: Session, person_id: int, most: int = MOST) -> list[Sent]:
    subject = col(Mail.receipt)["subject"].as_string()
    rows = session.exec(
        select(Mail.id, Mail.received_at, Mail.state, subject, Mail.game_id)  # type: ignore[call-overload]
        .where(Mail.person_id == person_id, Mail.state != "new")
        .order_by(col(Mail.id).desc())
        .limit(most)
    )
    return [Sent(*row) for row in rows]
