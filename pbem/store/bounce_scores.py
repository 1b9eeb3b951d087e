"""How well mail reaches an address: bounces are counted, the count decays, and at the
limit letters to it wait until there is a sign of life.

A hard bounce (RFC 3463 5.x.x) counts one, a soft one (a delay, a full mailbox) a quarter;
at most one bounce a day counts, so that one bad evening of a provider pauses nobody.
After a week half of the count is left.  Three days of hard bounces, or some two weeks of
soft ones, reach the limit.
"""

from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from pbem.store.models import Address, Person
from pbem.store.people import fold_address

HARD, SOFT = 1.0, 0.25
LIMIT = 2.0
HALF_LIFE = timedelta(days=7)
COUNTED_EVERY = timedelta(days=1)
LONGEST_STATUS = 300  # characters


def address_row(session: Session, address: str) -> Address | None:
    """The row of an address of somebody here; that of its owner comes along."""
    asked = {"address": fold_address(address)}
    found = session.exec(_WITH_OWNER, params=asked).first()
    return None if found is None else found[0]


_WITH_OWNER = (
    select(Address, Person)
    .outerjoin(Person, col(Person.id) == col(Address.person_id))
    .where(col(Address.address) == bindparam("address"))
)


def score(address: Address, now: datetime) -> float:
    """The count of bounces as it is now."""
    if address.bounce_score is None or address.bounced_at is None:
        return 0.0
    age = max(now - address.bounced_at, timedelta())
    return float(address.bounce_score * 0.5 ** (age / HALF_LIFE))


def bounced(address: Address, now: datetime, status: str, *, hard: bool) -> bool:
    """Count a bounce; True when letters to this address pause from now on."""
    address.bounce_status = status[:LONGEST_STATUS]
    if address.bounced_at is not None and now - address.bounced_at < COUNTED_EVERY:
        return False
    address.bounce_score = score(address, now) + (HARD if hard else SOFT)
    address.bounced_at = now
    if address.paused_at is not None or address.bounce_score < LIMIT:
        return False
    address.paused_at = now
    return True


def arrives_again(address: Address) -> None:
    """A sign of life: all that was counted is forgotten, letters go again."""
    address.bounce_score = address.bounced_at = address.bounce_status = None
    address.paused_at = None
