"""When the day's letter about all tables comes."""

from datetime import datetime

from sqlmodel import Session, col, select

from pbem.store import Person, TablePreference
from pbem.timing.daily import next_hour


def schedule(session: Session, person: Person, now: datetime) -> None:
    """Set when the next one is due: at his hour, if he wants one for any table."""
    session.flush()
    at_tables = session.exec(
        select(TablePreference.game_id)
        .where(col(TablePreference.person_id) == person.id, TablePreference.letters == "digest")
        .limit(1)
    ).first()
    wanted = person.letters == "digest" or at_tables is not None
    person.digest_at = next_hour(now, person.digest_hour, person.zone) if wanted else None
    session.add(person)
