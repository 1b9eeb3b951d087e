"""People, found by their address or made."""

import re
import unicodedata
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.commands.player_names import name_fault
from pbem.store import Address, Game, Invitation, Person
from pbem.store.audit import Actor, note
from pbem.store.people import fold_address, person_by_address, seated_at
from pbem.store.rows import id_of
from pbem.store.tenures import tables_of
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


def choose_name(session: Session, now: datetime, person: Person, name: str) -> str | None:
    """Let a person be called otherwise, at all tables, by his own wish; the code of
    `name_fault` if that cannot be.  Nobody takes the name of somebody he plays with: what is
    said to that one would come to him."""
    chosen = unicodedata.normalize("NFC", " ".join(name.split()))
    if chosen == person.name:
        return None
    if (fault := name_fault(chosen, _companions(session, id_of(person)))) is not None:
        return fault
    if chosen.casefold() in _RESERVED:
        return "reserved"
    person.name = chosen
    session.add(person)
    actor = Actor("web", person.id)
    note(session, now, actor, "rename-person", subject_id=person.id, outcome="done")
    return None


def _companions(session: Session, person_id: int) -> set[str]:
    """The names of the others at a person's tables, those that have not begun among them."""
    held = session.exec(tables_of(person_id).where(Game.status == "running")).all()
    seats = seated_at(session, [id_of(game) for game, _seat in held])
    names = {one.name for at in seats.values() for one in at if one.person_id != person_id}
    own = select(Invitation.game_id).where(Invitation.person_id == person_id)
    asked = (
        select(Person.name)
        .join(Invitation, col(Invitation.person_id) == col(Person.id))
        .join(Game, col(Game.id) == col(Invitation.game_id))
        .where(Game.status == "inviting", col(Game.id).in_(own), col(Person.id) != person_id)
    )
    return names | set(session.exec(asked))
