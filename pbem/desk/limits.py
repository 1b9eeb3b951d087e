"""How often something is done for one person or seat: the fuses of the desk.

What is beyond one is refused, said once by mail and then in silence; a mail that holds it
is kept (held)."""

import hashlib
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.desk.orders import Answer
from pbem.store import Deed, Event

HOUR = timedelta(hours=1)
BEYOND = frozenset({"too-many-messages", "too-many-tables", "too-many-letters"})
"""Codes of lines that were refused because of such a fuse."""


def is_beyond(answer: Answer) -> bool:
    """Whether something in a mail was refused because it was too much, and nothing done."""
    done = any(line.status == "done" for line in answer.lines)
    return not done and any(line.code in BEYOND for line in answer.lines)


def too_many_messages(
    session: Session, game_id: int | None, seat: int, now: datetime, most: int
) -> bool:
    """Whether a seat has said as much within the hour as it may."""
    said = session.exec(
        select(Event.at)
        .where(Event.game_id == game_id, Event.kind == "say", Event.seat == seat)
        .order_by(col(Event.seq).desc())
        .offset(most - 1)
        .limit(1)
    ).first()
    return said is not None and said > now - HOUR


def not_lately(session: Session, what: str, now: datetime, every: timedelta) -> bool:
    """Whether this was not done within the time `every`; then it counts as done now."""
    row = session.get(Deed, key(what))
    if row is not None and now - row.at < every:
        return False
    row = row or Deed(key=key(what), at=now)
    row.at = now
    session.add(row)
    return True


def key(what: str) -> str:
    """Hashed: no address of a stranger is kept in clear."""
    return hashlib.sha256(f"limit/{what}".encode()).hexdigest()
