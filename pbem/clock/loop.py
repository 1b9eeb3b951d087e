"""Loop mails: the server writes to itself, and knows so whether its mail comes through.

One that does not come back in time means that mail is out: nothing is due from then on, and
when one is back, everybody is credited with the time since the last one that came through.
"""

import logging
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.clock import pulse
from pbem.store import Heartbeat, Mail

log = logging.getLogger(__name__)


def due(session: Session, now: datetime, every: timedelta) -> str | None:
    """The Message-ID that a loop mail is to be sent with again, because none of its copies
    is back; "" for a new one; None while none is due."""
    row = session.get(Heartbeat, 1)
    if row is None or row.suspect_since is not None:
        return None
    if row.loop_sent_at is not None and now - row.loop_sent_at < every:
        return None
    return row.loop_id or ""


def sent(session: Session, now: datetime, message_id: str) -> None:
    """A loop mail is on its way, as far as we know: also one that no relay has taken."""
    row = session.get_one(Heartbeat, 1)
    row.loop_id, row.loop_sent_at = message_id, now
    session.add(row)


def look(session: Session, now: datetime, every: timedelta, patience: timedelta) -> None:
    """Whether the one that is under way is back, and what follows from that."""
    row = session.get(Heartbeat, 1)
    if row is None or row.suspect_since is not None or not row.loop_id or not row.loop_sent_at:
        return
    if _is_back(session, row.loop_id):
        row.loop_id, row.loop_back_at = None, now
        session.add(row)
        end(session, now)
    elif row.mail_out_since is None and now - row.loop_sent_at > patience:
        # The one before it was sent at most so long ago, and came back.
        row.mail_out_since = max(row.loop_back_at or row.loop_sent_at, row.loop_sent_at - every)
        session.add(row)
        log.critical(
            "mail does not come through: the loop mail of %s is not back; nothing is due "
            "until one is", f"{row.loop_sent_at:%Y-%m-%d %H:%M} UTC",
        )  # fmt: skip


def end(session: Session, now: datetime) -> bool:
    """Mail comes through, or is not watched any more: credit the time it did not; False if
    it did."""
    row = session.get(Heartbeat, 1)
    if row is None or row.mail_out_since is None:
        return False
    since, row.mail_out_since = row.mail_out_since, None
    session.add(row)
    pulse.mail_outage(session, since, now, now)
    return True


def _is_back(session: Session, message_id: str) -> bool:
    read = select(Mail.id).where(Mail.message_id == message_id, col(Mail.state) != "new")
    return session.exec(read.limit(1)).first() is not None
