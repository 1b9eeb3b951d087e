"""The worker of the inbox: one mail after another, in the order they came.

A mail is read and obeyed in one unit of work that also writes its answer and marks it
done, so a crash at any moment does it wholly or not at all.  What goes wrong with a mail
is counted *before* it is tried: one that kills the reader three times is put aside
(`quarantined`) and never holds up the next.
"""

import logging

from sqlmodel import Session, col, select

from pbem.installation import Installation
from pbem.intake.handling import handle
from pbem.store import Mail

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3


def process_next(installation: Installation) -> bool:
    """Deal with the oldest new mail; False when there is none.  Trouble with one mail is
    noted in its row; only the database's own trouble is raised."""
    mail = _begin_attempt(installation)
    if mail is None:
        return False
    if mail.state != "new":
        log.error("mail %s was put into quarantine: %s", mail.id, mail.error)
        return True
    try:
        handle(installation, mail)
    except Exception as error:  # the next mail must not wait for this one
        log.exception("mail %s could not be dealt with (attempt %d)", mail.id, mail.attempts)
        with installation.store.work() as session:
            row = session.get_one(Mail, mail.id)
            row.error = f"{type(error).__name__}: {error}"[:1000]
            session.add(row)
    return True


def drain(installation: Installation) -> int:
    """Deal with all new mails; returns how many there were."""
    count = 0
    while process_next(installation):
        count += 1
    return count


def _begin_attempt(installation: Installation) -> Mail | None:
    """Take the oldest new mail and count the attempt, or put it into quarantine."""
    with installation.store.work() as session:
        mail = _oldest_new(session)
        if mail is None:
            return None
        if mail.attempts >= MAX_ATTEMPTS:
            mail.state = "quarantined"
            mail.error = mail.error or "the server ended while reading this mail"
            mail.handled_at = installation.clock()
        else:
            mail.attempts += 1
        session.add(mail)
        return mail


def _oldest_new(session: Session) -> Mail | None:
    return session.exec(
        select(Mail).where(Mail.state == "new").order_by(col(Mail.id)).limit(1)
    ).first()
