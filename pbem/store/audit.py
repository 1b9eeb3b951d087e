"""The audit: what somebody did beside playing, written down in the transaction that did it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.store.models import Audit

UNGIVEN = "on the command line of the server"
"""The reason where none is given: whoever has the command line need not say why."""


@dataclass(frozen=True)
class Actor:
    """Who acts, by which way in (`moderator`, `cli`, `web`), and why."""

    channel: str
    person_id: int | None = None
    reason: str = ""

    @property
    def told(self) -> str:
        """The reason as the people concerned read it: empty where none was given."""
        return "" if self.reason == UNGIVEN else self.reason


def note(session: Session, now: datetime, actor: Actor, action: str, **concerning: Any) -> Audit:
    """Append a row.  `concerning`: mail_id, letter_id, game_id, seat, subject_id, outcome,
    details."""
    row = Audit(
        at=now,
        person_id=actor.person_id,
        channel=actor.channel,
        action=action,
        reason=actor.reason,
        **concerning,
    )
    session.add(row)
    return row


def of_mail(session: Session, mail_id: int) -> list[Audit]:
    """All that was done with a mail, oldest first."""
    return list(session.exec(select(Audit).where(Audit.mail_id == mail_id).order_by(col(Audit.id))))


def of_letter(session: Session, letter_id: int) -> list[Audit]:
    """All that was done with a letter, oldest first."""
    query = select(Audit).where(Audit.letter_id == letter_id)
    return list(session.exec(query.order_by(col(Audit.id))))
