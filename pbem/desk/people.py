"""People, found by their address or made."""

import re
import unicodedata
from datetime import datetime

from sqlmodel import Session

from pbem.commands.player_names import name_fault
from pbem.store import Address, Person
from pbem.store.people import fold_address, person_by_address
from pbem.store.rows import id_of
from pbem.translation import _

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
    session.add(
        Address(
            person_id=id_of(person),
            address=fold_address(address),
            confirmed_at=now if confirmed else None,
            created_at=now,
        )
    )
    session.flush()
    return person


_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})+")


def address_fault(address: str, own_domain: str) -> str | None:
    """Why no mail is sent to an address, as a sentence; None when it is a plain one (RFC 5321
    dot-string and domain) that is not our own."""
    if len(address) > 254 or len(address.partition("@")[0]) > 64:
        return _("{address} is too long.", address=address[:100])
    if not _ADDRESS.fullmatch(address):
        return _("{address} is not a mail address.", address=address)
    if fold_address(address).rpartition("@")[2] == own_domain:
        return _("{address} is one of this server's own.", address=address)
    return None


def fit_name(name: str, address: str) -> str:
    """A player's name of 1 to 24 printable characters without colon or comma, none of
    the words that mean somebody else in `say` (commands.md 3.13)."""
    for candidate in (name, address.partition("@")[0]):
        text = unicodedata.normalize("NFC", candidate)
        text = "".join(c if c.isprintable() else " " for c in text)
        text = re.sub(r"[:：,，、;；<>@\"\s]+", " ", text).strip(" .-_'")[:MAX_NAME].strip()
        if text and text.casefold() not in _RESERVED and name_fault(text) is None:
            return text
    return "Player"
