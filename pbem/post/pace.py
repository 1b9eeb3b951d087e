"""How fast letters go to the addresses of one domain.

Large providers refuse, or hide away as spam, what comes in floods.  A letter beyond the
limit waits for the first moment at which it is within it; none is dropped.
"""

from collections import deque
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.settings import Post
from pbem.store import Letter

WINDOW = timedelta(minutes=1)


def domain_of(address: str) -> str:
    return address.rpartition("@")[2].lower()


class Pace:
    """The letters of the last minute, by domain: what went, and what has its turn."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._times: dict[str, deque[datetime]] = {}

    def slot(self, session: Session, address: str, now: datetime) -> datetime:
        """The earliest moment at which a letter to this address may go, from `now` on; it
        is taken by asking for it."""
        domain = domain_of(address)
        limit = self._post.limit_of(domain)
        if limit == 0:
            return now
        times = self._times.get(domain)
        if times is None:
            times = self._times[domain] = deque(_sent_lately(session, domain, now, limit), limit)
        slot = max(now, times[0] + WINDOW) if len(times) == limit else now
        times.append(slot)
        return slot


def _sent_lately(session: Session, domain: str, now: datetime, limit: int) -> list[datetime]:
    """When the last letters to this domain went, at most `limit`, oldest first."""
    sent = session.exec(
        select(Letter.sent_at)
        .where(
            col(Letter.sent_at) > now - WINDOW,
            col(Letter.to_address).endswith(f"@{domain}", autoescape=True),
        )
        .order_by(col(Letter.sent_at).desc())
        .limit(limit)
    ).all()
    return [one for one in reversed(sent) if one is not None]
