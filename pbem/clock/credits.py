"""Crediting the waits with outages: nobody is late because we were not there."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.desk import deadlines
from pbem.store import Game, Heartbeat, Outage, Wait
from pbem.store.log import Author

CLOCK = Author("clock")


def owed(session: Session, limit: int) -> list[int]:
    """Games with a wait that has not been credited with the newest outage, some of them."""
    pulse = session.get(Heartbeat, 1)
    if pulse is None or not pulse.outage_id:
        return []
    rows = session.exec(
        select(Wait.game_id)
        .where(col(Wait.ended_at).is_(None), col(Wait.outage_id) < pulse.outage_id)
        .limit(limit)
    )
    return list(dict.fromkeys(rows))


def credit(
    session: Session, game: Game, now: datetime, running: Sequence[Wait] | None = None
) -> bool:
    """Give the waits of a table what they are owed; True if there was anything.  `running`:
    its open waits, for a caller who knows them."""
    pulse = session.get(Heartbeat, 1)
    newest = 0 if pulse is None else pulse.outage_id
    running = deadlines.open_waits(session, game) if running is None else running
    waits = [wait for wait in running if wait.outage_id < newest]
    for wait in waits:
        if wait.unsure:  # begun by a clock that was wrong: it begins when that is right
            wait.since, wait.unsure = _end_of(session, newest), False
        wait.outage_id = newest
        deadlines.move(session, game, wait, now, CLOCK, "outage")
    if waits:
        deadlines.set_alarm(session, game, now)
    return bool(waits)


def _end_of(session: Session, outage_id: int) -> datetime:
    return session.get_one(Outage, outage_id).ends_at
