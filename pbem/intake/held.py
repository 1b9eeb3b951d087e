"""Held mails as their players and the moderators see them, and their end."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.installation import Installation
from pbem.intake.authentication import Proof
from pbem.intake.holding import reason
from pbem.store import Mail
from pbem.store.rows import id_of

MOST_SHOWN = 50
MOST_LINES = 12


@dataclass(frozen=True)
class HeldMail:
    """A mail that waits for its person.  ``lines`` is the beginning of its new text."""

    id: int
    received_at: datetime
    sender: str
    why: str
    until: datetime | None
    lines: tuple[str, ...]
    game_id: int | None
    seat: int | None
    person_id: int | None


def held_mails(
    session: Session, *, person_id: int | None = None, game_id: int | None = None
) -> list[HeldMail]:
    """The mails that are held for a person, at a table, or both; the newest first.  Why
    each is, is said in the language spoken."""
    query = select(Mail).where(Mail.state == "held", col(Mail.held_until).is_not(None))
    if person_id is not None:
        query = query.where(Mail.person_id == person_id)
    if game_id is not None:
        query = query.where(Mail.game_id == game_id)
    rows = session.exec(query.order_by(col(Mail.id).desc()).limit(MOST_SHOWN))
    return [_shown(mail) for mail in rows]


def held_mail(session: Session, mail_id: int, person_id: int) -> HeldMail | None:
    """One of them, if it is held for this person."""
    mail = session.get(Mail, mail_id)
    if mail is None or mail.state != "held" or mail.person_id != person_id:
        return None
    return _shown(mail)


def expire_held(installation: Installation, limit: int = 500) -> int:
    """Throw away what was held for long enough; returns how many mails that were.  Nobody
    is told: the letter that asked has said when it would be."""
    now = installation.clock()
    due = select(Mail.id).where(Mail.state == "held", col(Mail.held_until) <= now).limit(limit)
    with installation.store.read() as session:
        if not session.exec(due.limit(1)).first():
            return 0
    with installation.store.work() as session:
        rows = [session.get_one(Mail, number) for number in session.exec(due)]
        for mail in rows:
            mail.state = "expired"
            session.add(mail)
        return len(rows)


def _shown(mail: Mail) -> HeldMail:
    receipt = mail.receipt or {}
    told = receipt.get("proof")
    proof = None if told is None else Proof(told["dmarc"], told["domain"])
    sender = str(receipt.get("sender", ""))
    return HeldMail(
        id=id_of(mail),
        received_at=mail.received_at,
        sender=sender,
        why=reason((mail.error or "").partition(";")[0], sender, proof),
        until=mail.held_until,
        lines=tuple(str(receipt.get("text", "")).splitlines()[:MOST_LINES]),
        game_id=mail.game_id,
        seat=mail.seat,
        person_id=mail.person_id,
    )
