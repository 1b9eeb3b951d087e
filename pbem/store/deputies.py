"""Moderators who are away, and who is asked instead."""

from collections.abc import Iterable
from datetime import date, datetime

from sqlmodel import Session, col, select

from pbem.store.models import Deputy, Leave, Person
from pbem.store.roles import powers_of
from pbem.timing.absences import instants

LONGEST_DAYS = 366


class LeaveError(ValueError):
    """Days that cannot be a time off; the text is a sentence for whoever asked."""


def take_leave(
    session: Session, now: datetime, person_id: int, zone: str, first: date, last: date
) -> Leave:
    """A moderator is away from the first day to the last, in this zone.  Raises `LeaveError`."""
    if last < first:
        raise LeaveError("The last day comes before the first one.")
    if (last - first).days > LONGEST_DAYS:
        raise LeaveError(f"At most {LONGEST_DAYS} days at once.")
    starts, ends = instants(first, last, zone)
    if ends <= now:
        raise LeaveError("These days are over.")
    row = Leave(
        person_id=person_id, first_day=first.isoformat(), last_day=last.isoformat(),
        starts_at=starts, ends_at=ends, created_at=now,
    )  # fmt: skip
    session.add(row)
    return row


def leaves_of(session: Session, now: datetime, person_id: int) -> list[Leave]:
    """His times off that are not over, the next one first."""
    return list(
        session.exec(
            select(Leave)
            .where(
                Leave.person_id == person_id,
                col(Leave.ends_at) > now,
                col(Leave.ended_at).is_(None),
            )
            .order_by(col(Leave.starts_at))
        )
    )


def is_away(session: Session, now: datetime, person_id: int) -> bool:
    return any(leave.starts_at <= now for leave in leaves_of(session, now, person_id))


def deputies_of(session: Session, person_id: int) -> list[Person]:
    """Who is asked while somebody is away, in the order they were named."""
    return list(
        session.exec(
            select(Person)
            .join(Deputy, col(Deputy.deputy_id) == col(Person.id))
            .where(Deputy.person_id == person_id, col(Person.erased_at).is_(None))
            .order_by(col(Deputy.named_at), col(Person.id))
        )
    )


def name_deputy(session: Session, now: datetime, person_id: int, deputy_id: int) -> None:
    if session.get(Deputy, (person_id, deputy_id)) is None:
        session.add(Deputy(person_id=person_id, deputy_id=deputy_id, named_at=now))


def dismiss_deputy(session: Session, person_id: int, deputy_id: int) -> None:
    row = session.get(Deputy, (person_id, deputy_id))
    if row is not None:
        session.delete(row)


def asked(
    session: Session, now: datetime, people: Iterable[int], game_id: int | None = None
) -> set[int]:
    """Who is asked when these moderators would be: for whoever is away those of his deputies
    who are there and whose roles reach the game; himself where there is none."""
    found: set[int] = set()
    for person_id in people:
        stand_ins: set[int] = set()
        if is_away(session, now, person_id):
            stand_ins = {
                deputy.id
                for deputy in deputies_of(session, person_id)
                if deputy.id is not None
                and (powers := powers_of(session, deputy.id)) is not None
                and (game_id is None or powers.reaches(game_id))
                and not is_away(session, now, deputy.id)
            }
        found |= stand_ins or {person_id}
    return found
