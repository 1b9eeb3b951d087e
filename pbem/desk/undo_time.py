"""While a change of address can be undone, nothing may make that impossible.

Whoever has got hold of a letter, and forges a sender, can take a person's place for a while;
he must not be able to make it last."""

from datetime import datetime

from sqlmodel import Session, col, select

from pbem.letters.moments import moment
from pbem.store import AddressChange, Person
from pbem.translation import _


def keeps_address(session: Session, now: datetime, person: Person, address: str) -> str | None:
    """Why one of a person's addresses has to stay for now, as a sentence: a change can be
    undone from there.  Once free it might become another's, and nothing could be undone."""
    change = _undoable(session, now, person, old_address=address)
    if change is None or change.undo_until is None:
        return None
    return _(
        "From {address} the change of your address can be undone until {time}; it can be "
        "removed after that.",
        address=address,
        time=moment(change.undo_until, person.zone),
    )


def keeps_person(session: Session, now: datetime, person: Person) -> str | None:
    """Why a person cannot be forgotten yet, as a sentence: his letters, the one that asks
    him back too, go to an address that he may not have chosen himself."""
    change = _undoable(session, now, person, action="change")
    if change is None or change.undo_until is None:
        return None
    return _(
        "Your address was changed lately, and until {time} that can be undone from the old one; "
        "write this again after that.",
        time=moment(change.undo_until, person.zone),
    )


def _undoable(
    session: Session, now: datetime, person: Person, **which: object
) -> AddressChange | None:
    """The change of this kind that can be undone longest."""
    return session.exec(
        select(AddressChange)
        .filter_by(person_id=person.id, undone_at=None, **which)
        .where(col(AddressChange.undo_until) > now, col(AddressChange.old_address).is_not(None))
        .order_by(col(AddressChange.undo_until).desc())
    ).first()
