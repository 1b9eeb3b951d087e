"""People, found by their address or made."""

import re
import unicodedata
from datetime import datetime

from sqlmodel import Session

from pbem.store import Address, Person
from pbem.store.people import fold_address, person_by_address

MAX_NAME = 24  # commands.md 3.13
_RESERVED = frozenset({"all", "alle", "所有人", "table", "moderator"})


def find_or_add_person(
    session: Session, now: datetime, name: str, address: str, confirmed: bool = False
) -> Person:
    """The person of this address; a new one gets the name, made fit to be one."""
    person = person_by_address(session, address)
    if person is not None:
        return person
    person = Person(name=fit_name(name, address), created_at=now)
    session.add(person)
    session.flush()
    if person.id is None:
        raise ValueError("a stored person has a number")
    session.add(
        Address(
            person_id=person.id,
            address=fold_address(address),
            confirmed_at=now if confirmed else None,
            created_at=now,
        )
    )
    session.flush()
    return person


def fit_name(name: str, address: str) -> str:
    """A player's name of 1 to 24 printable characters without colon or comma, none of
    the words that mean somebody else in `say` (commands.md 3.13)."""
    for candidate in (name, address.partition("@")[0]):
        text = unicodedata.normalize("NFC", candidate)
        text = "".join(c if c.isprintable() else " " for c in text)
        text = re.sub(r"[:：,，、;；<>@\"\s]+", " ", text).strip(" .-_'")[:MAX_NAME].strip()
        if text and text.casefold() not in _RESERVED:
            return text
    return "Player"
