"""Growing pauses: after some failures in a row each further one makes the next try wait
twice as long.

What is counted is named by a kind and a side (an address, a network address); stored is a
keyed hash of both.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from pbem.store.models import Pause
from pbem.store.tokens import Keys

FREE = 5  # failures before the first pause
FIRST = timedelta(seconds=5)
LONGEST = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(days=1)


def paused_until(session: Session, keys: Keys, kind: str, side: str) -> datetime | None:
    """Until when no try counts; may be past, None: never failed."""
    row = session.get(Pause, _key(keys, kind, side))
    return None if row is None else row.until


def failed(
    session: Session, keys: Keys, now: datetime, kind: str, side: str, *, free: int = FREE
) -> datetime:
    """Count one failure; returns until when no try counts."""
    key = _key(keys, kind, side)
    row = session.get(Pause, key) or Pause(key=key, failed_at=now, until=now)
    if now - row.failed_at >= FORGOTTEN_AFTER:
        row.failures = 0
    row.failures += 1
    row.failed_at = now
    doublings = row.failures - free
    row.until = now if doublings < 0 else now + min(FIRST * 2 ** min(doublings, 16), LONGEST)
    session.add(row)
    return row.until


def forget(session: Session, keys: Keys, kind: str, side: str) -> None:
    """A success: the next failure is the first again."""
    row = session.get(Pause, _key(keys, kind, side))
    if row is not None:
        session.delete(row)


def _key(keys: Keys, kind: str, side: str) -> str:
    return keys.derive("pause", f"{kind}\0{side}").hex()
