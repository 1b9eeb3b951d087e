"""The inbox as a list: filtered, searched, a page at a time.

Pages are cut by number (keyset), so the thousandth costs what the first one does; the raw
mails are never loaded for it.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, or_, select

from pbem.moderation.lists import PAGE
from pbem.store import Address, Mail
from pbem.store.people import fold_address
from pbem.store.roles import Powers

STATES = ("held", "quarantined", "new", "done", "ignored", "discarded", "expired")
WAITING = ("held", "quarantined")
"""States in which somebody has to say what is to be done."""


@dataclass(frozen=True)
class WantedMails:
    """Which mails; empty means all.  ``day``: that one and earlier, in UTC."""

    state: str = ""
    sender: str = ""
    game_id: int | None = None
    message_id: str = ""
    day: date | None = None
    before: int | None = None  # the number the last page ended with
    person_id: int | None = None

    @property
    def searches(self) -> bool:
        """Whether finding a mail says something about what stands in it."""
        return bool(self.sender or self.message_id)


@dataclass(frozen=True)
class MailRow:
    """A mail on the list."""

    id: int
    received_at: datetime
    state: str
    kind: str | None
    sender: str | None
    envelope_from: str
    subject: str | None
    game_id: int | None
    seat: int | None
    person_id: int | None
    error: str | None


def mails(session: Session, powers: Powers, wanted: WantedMails) -> list[MailRow]:
    """The newest mails that are wanted, one more than a page if there are more."""
    subject = col(Mail.receipt)["subject"].as_string()
    query = select(
        Mail.id, Mail.received_at, Mail.state, Mail.kind, Mail.sender, Mail.envelope_from,
        subject, Mail.game_id, Mail.seat, Mail.person_id, Mail.error,
    )  # type: ignore[call-overload, misc]  # fmt: skip
    for condition in _conditions(session, powers, wanted):
        query = query.where(condition)
    rows = session.exec(query.order_by(col(Mail.id).desc()).limit(PAGE + 1))
    return [MailRow(*row) for row in rows]


def counts(session: Session, powers: Powers) -> dict[str, int]:
    """How many mails there are of each state, within reach."""
    query = select(Mail.state, func.count()).group_by(Mail.state)
    if not powers.everywhere:
        query = query.where(col(Mail.game_id).in_(powers.games))
    found = dict(session.exec(query).all())
    return {state: found.get(state, 0) for state in STATES}


def _conditions(session: Session, powers: Powers, wanted: WantedMails) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if not powers.everywhere:
        found.append(col(Mail.game_id).in_(powers.games))
    if wanted.state:
        found.append(col(Mail.state) == wanted.state)
    if wanted.sender:
        found.append(_by(session, fold_address(wanted.sender)))
    if wanted.game_id is not None:
        found.append(col(Mail.game_id) == wanted.game_id)
    if wanted.person_id is not None:
        found.append(col(Mail.person_id) == wanted.person_id)
    if wanted.message_id:
        bare = wanted.message_id.strip().strip("<>")
        found.append(col(Mail.message_id).in_((bare, f"<{bare}>")))
    if wanted.day is not None:
        found.append(col(Mail.id) <= _last_of(session, wanted.day))
    if wanted.before is not None:
        found.append(col(Mail.id) < wanted.before)
    return found


def _by(session: Session, address: str) -> ColumnElement[bool]:
    """Mails of an address; of a person's all that were taken for his."""
    written = [col(Mail.sender) == address, col(Mail.envelope_from) == address]
    person_id = session.exec(select(Address.person_id).where(Address.address == address)).first()
    if person_id is not None:
        written.append(col(Mail.person_id) == person_id)
    return or_(*written)


def _last_of(session: Session, day: date) -> int:
    """The number of the last mail of a day, or of one before it: mails are numbered as
    they come."""
    end = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    query = select(Mail.id).where(col(Mail.received_at) < end)
    return session.exec(query.order_by(col(Mail.received_at).desc()).limit(1)).first() or 0
