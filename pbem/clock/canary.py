"""What should have happened by now and has not: told by `/health`, the doctor, the log."""

import logging
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.clock.pulse import may_work
from pbem.store import Game, Heartbeat, Letter, Mail

log = logging.getLogger(__name__)

LATE = timedelta(minutes=10)
AGAIN = timedelta(hours=1)  # the same alert is not repeated more often


def late(session: Session, now: datetime) -> list[str]:
    """What is more than ten minutes late, in words; [] when all is well."""
    limit, found = now - LATE, []
    pulse = session.get(Heartbeat, 1)
    if pulse is not None:
        if pulse.suspect_since is not None:
            found.append(f"nothing is due: {pulse.suspect_why}")
        elif pulse.at < limit:
            found.append(f"the clock has not looked since {pulse.at:%Y-%m-%d %H:%M} UTC")
        if pulse.mail_out_since is not None:
            since = f"{pulse.mail_out_since:%Y-%m-%d %H:%M} UTC"
            found.append(f"nothing is due: mail has not come through since {since}")
    if may_work(session) and (at := _oldest_alarm(session, limit)) is not None:
        found.append(f"a table waits for the clock since {at:%Y-%m-%d %H:%M} UTC")
    mail = session.exec(
        select(Mail.received_at).where(Mail.state == "new", col(Mail.received_at) < limit).limit(1)
    ).first()
    if mail is not None:
        found.append(f"a mail waits to be read since {mail:%Y-%m-%d %H:%M} UTC")
    letter = session.exec(
        select(Letter.next_at).where(
            col(Letter.state).in_(("queued", "retry")), col(Letter.next_at) < limit
        ).limit(1)
    ).first()  # fmt: skip
    if letter is not None:
        found.append(f"a letter waits to be sent since {letter:%Y-%m-%d %H:%M} UTC")
    return found


def alert(session: Session, now: datetime) -> None:
    """Write what is late into the log, at most once an hour."""
    pulse = session.get(Heartbeat, 1)
    if pulse is None or (pulse.alerted_at is not None and now - pulse.alerted_at < AGAIN):
        return
    if found := late(session, now):
        log.error("late: %s", "; ".join(found))
        pulse.alerted_at = now
        session.add(pulse)


def _oldest_alarm(session: Session, limit: datetime) -> datetime | None:
    return session.exec(
        select(Game.alarm_at)
        .where(col(Game.alarm_at) < limit)
        .order_by(col(Game.alarm_at))
        .limit(1)
    ).first()
