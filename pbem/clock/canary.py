"""What should have happened by now and has not: told by `/health`, the doctor, the log."""

import logging
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, select

from pbem.clock.pulse import may_work
from pbem.store import Event, Game, Heartbeat, Letter, Mail, Person
from pbem.store.models.games import BOT_WAITS

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
    if may_work(session):
        if (at := _oldest(session, col(Game.alarm_at), limit)) is not None:
            found.append(f"a table waits for the clock since {at:%Y-%m-%d %H:%M} UTC")
        if (at := _oldest(session, col(Person.digest_at), limit)) is not None:
            found.append(f"a day's letter waits to be written since {at:%Y-%m-%d %H:%M} UTC")
    if (at := _bot_since(session, limit)) is not None:
        found.append(f"a bot is to move since {at:%Y-%m-%d %H:%M} UTC")
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


def _oldest(session: Session, column: Mapped[Any], limit: datetime) -> datetime | None:
    """The earliest time in a column, if it lies before the limit."""
    return session.exec(select(column).where(column < limit).order_by(column).limit(1)).first()


def _bot_since(session: Session, limit: datetime) -> datetime | None:
    """When the newest event was at a table where a bot has been to move for so long."""
    return session.exec(
        select(Event.at)
        .join(Game, (col(Game.id) == col(Event.game_id)) & (col(Game.seq) == col(Event.seq)))
        .where(BOT_WAITS, col(Event.at) < limit)
        .limit(1)
    ).first()
