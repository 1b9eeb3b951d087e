"""The addresses of a person: asked for by him, confirmed at the new one, told to the old
one, and undone from there (commands.md 1.8).

Nothing here tells one person what another one's address is: whoever asks for an address
gets the same answer whether it is free, another's, or wants no mail from here.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select, update

from pbem.desk.undo_time import keeps_address
from pbem.letters import Site, announce
from pbem.letters.correspondence import UNSENT
from pbem.letters.renewing import renew_secrets
from pbem.letters.resuming import release, try_again
from pbem.store import Address, AddressChange, Letter, Person
from pbem.store.people import address_of, fold_address, is_blocked, person_by_address
from pbem.store.rows import id_of
from pbem.translation import _

CONFIRM_WITHIN = timedelta(days=7)
UNDO_WITHIN = timedelta(days=14)
MOST = 10  # addresses of one person
MOST_A_DAY = 3  # letters to one new address, whoever asks for it
DAY = timedelta(days=1)
FOR_ONE_ADDRESS = frozenset({"address-confirm", "address-changed", "address-taken"})
"""Kinds of letters that are about the address they go to: they never go to another one."""


@dataclass(frozen=True)
class AddressOutcome:
    """What came of it: ``code`` names it, ``sentence`` says it to the person."""

    done: bool
    code: str
    sentence: str


def own_addresses(session: Session, person_id: int) -> list[Address]:
    """All of a person's addresses, the main one first."""
    return list(
        session.exec(
            select(Address)
            .where(Address.person_id == person_id)
            .order_by(col(Address.primary).desc(), col(Address.id))
        )
    )


def waiting(session: Session, person_id: int, now: datetime) -> list[AddressChange]:
    """The changes that wait for their confirmation."""
    return list(
        session.exec(
            select(AddressChange)
            .where(
                AddressChange.person_id == person_id,
                col(AddressChange.confirmed_at).is_(None),
                col(AddressChange.expires_at) > now,
            )
            .order_by(col(AddressChange.id))
        )
    )


def asked_lately(session: Session, now: datetime, **whose: object) -> int:
    """How many changes a person (``person_id``) asked for, or how many were asked for with
    one ``address``, within a day."""
    asked = select(func.count()).select_from(AddressChange).filter_by(**whose)
    return session.exec(asked.where(col(AddressChange.created_at) > now - DAY)).one()


def ask(
    session: Session, site: Site, now: datetime, person: Person, action: str, address: str
) -> AddressChange:
    """Note what a person wants and write to the new address, if one may: somebody else's
    is told that it was asked for, one that wants no mail gets none."""
    address = fold_address(address)
    often = asked_lately(session, now, address=address) >= MOST_A_DAY
    for one in waiting(session, id_of(person), now):
        if one.address == address:
            one.expires_at = now
            session.add(one)
    change = AddressChange(
        person_id=id_of(person),
        action=action,
        address=address,
        created_at=now,
        expires_at=now + CONFIRM_WITHIN,
    )
    session.add(change)
    session.flush()
    if often or is_blocked(session, site.keys, address):
        return change
    owner = person_by_address(session, address)
    if owner is not None and owner.id != person.id:
        announce.address_taken(session, site, now, owner, address)
    else:
        announce.address_confirm(session, site, now, change)
    return change


def confirm(session: Session, site: Site, now: datetime, change: AddressChange) -> AddressOutcome:
    """The owner of the new address has said that it is his, and that this is wanted."""
    person = session.get_one(Person, change.person_id)
    if (trouble := _cannot_be_confirmed(session, site, now, change, person)) is not None:
        return trouble
    row = _row(session, change.address)
    if row is None:
        row = Address(
            person_id=change.person_id, address=change.address, primary=False, created_at=now
        )
    row.confirmed_at = row.confirmed_at or now
    session.add(row)
    session.flush()
    _confirmed(session, site, now, change, row)
    if change.action == "add":
        sentence = _("{address} is one of your addresses from now on.", address=row.address)
        return AddressOutcome(True, "added", sentence)
    sentence = _("Your letters go to {address} from now on.", address=row.address)
    return AddressOutcome(True, "changed", sentence)


def make_main(
    session: Session, site: Site, now: datetime, person: Person, row: Address
) -> AddressOutcome:
    """Letters go to an address that was confirmed before; the old one is told."""
    change = AddressChange(
        person_id=id_of(person),
        action="change",
        address=row.address,
        created_at=now,
        expires_at=now,
    )
    session.add(change)
    session.flush()
    _confirmed(session, site, now, change, row)
    sentence = _("Your letters go to {address} from now on.", address=row.address)
    return AddressOutcome(True, "changed", sentence)


def remove(session: Session, now: datetime, person: Person, address: str) -> AddressOutcome:
    """Take one of a person's addresses away, or stop waiting for one."""
    address = fold_address(address)
    waiting_for = [one for one in waiting(session, id_of(person), now) if one.address == address]
    for change in waiting_for:
        change.expires_at = now
        session.add(change)
    row = _row(session, address)
    if row is None or row.person_id != person.id:
        if waiting_for:
            sentence = _("{address} is not waited for any more.", address=address)
            return AddressOutcome(True, "cancelled", sentence)
        sentence = _("{address} is none of your addresses.", address=address)
        return AddressOutcome(False, "not-yours", sentence)
    if row.primary:
        return AddressOutcome(
            False,
            "main-address",
            _("Your letters go to {address}; let them go to another one first.", address=address),
        )
    if (why := keeps_address(session, now, person, address)) is not None:
        return AddressOutcome(False, "can-be-undone", why)
    session.delete(row)
    session.flush()
    return AddressOutcome(
        True, "removed", _("{address} is none of your addresses now.", address=address)
    )


def undo(session: Session, site: Site, now: datetime, change: AddressChange) -> AddressOutcome:
    """Back to how it was before a change, and void all that its address could do: every
    address since goes, and every reply address and link of the person is made new."""
    if change.undone_at is not None:
        return AddressOutcome(
            True, "undone-before", _("This was undone already; nothing else is to do.")
        )
    if change.undo_until is None or change.undo_until <= now or change.old_address is None:
        return AddressOutcome(False, "undo-too-late", _too_late(site.settings.site.operator))
    person = session.get_one(Person, change.person_id)
    old = _row(session, change.old_address)
    if person.erased_at is not None or (old is not None and old.person_id != person.id):
        sentence = _("This cannot be undone any more: the old address is not yours here now.")
        return AddressOutcome(False, "undo-impossible", sentence)
    _take_back(session, now, change, change.old_address)
    old = old or Address(person_id=id_of(person), address=change.old_address, created_at=now)
    old.confirmed_at = old.confirmed_at or now
    _set_main(session, old)
    _redirect(session, person, old.address)
    release(session, now, old)
    renew_secrets(session, site, person, now)
    announce.resend_all(session, site, now, person)
    return AddressOutcome(
        True,
        "undone",
        _(
            "Undone: your letters go to {address} again. Everything sent to another address is "
            "void, and the present letters of your tables go to you anew.",
            address=old.address,
        ),
    )


def _cannot_be_confirmed(
    session: Session, site: Site, now: datetime, change: AddressChange, person: Person
) -> AddressOutcome | None:
    if change.undone_at is not None:
        sentence = _("This was undone from the old address; ask for it again if you want it.")
        return AddressOutcome(False, "undone", sentence)
    if change.confirmed_at is not None:
        return AddressOutcome(
            True, "confirmed-before", _("This was confirmed already; all is done.")
        )
    if change.expires_at <= now or person.erased_at is not None:
        return AddressOutcome(
            False,
            "expired",
            _("This is not waited for any more, and nothing has changed; ask for it once more."),
        )
    if is_blocked(session, site.keys, change.address):
        sentence = _("This address wants no mail from here, so nothing has changed.")
        return AddressOutcome(False, "never-again", sentence)
    owner = person_by_address(session, change.address)
    if owner is not None and owner.id != change.person_id:
        sentence = _("This address belongs to another player by now, so nothing has changed.")
        return AddressOutcome(False, "taken", sentence)
    return None


def _confirmed(
    session: Session, site: Site, now: datetime, change: AddressChange, row: Address
) -> None:
    """The change is made, and the old main address is told how to undo it."""
    old = address_of(session, change.person_id)
    change.old_address = None if old is None or old.id == row.id else old.address
    change.confirmed_at, change.undo_until = now, now + UNDO_WITHIN
    session.add(change)
    for other in waiting(session, change.person_id, now):
        if other.address == change.address:
            other.expires_at = now
            session.add(other)
    if change.action == "change":
        _set_main(session, row)
        _redirect(session, session.get_one(Person, change.person_id), row.address)
        try_again(session, site, now, row)
    session.flush()
    if change.old_address is not None:
        announce.address_changed(session, site, now, change)


def _too_late(operator: str) -> str:
    """`operator`: who runs the server, where the settings say so."""
    if operator:
        return _(
            "A change can be undone for {days} days, and these are over. "
            "Ask whoever runs this server: {operator}.",
            days=UNDO_WITHIN.days, operator=operator,
        )  # fmt: skip
    return _(
        "A change can be undone for {days} days, and these are over. Ask whoever runs this server.",
        days=UNDO_WITHIN.days,
    )


def _take_back(session: Session, now: datetime, change: AddressChange, old: str) -> None:
    """This change, all later ones, and what still waits: whoever made one may have made
    the others."""
    later = session.exec(
        select(AddressChange).where(
            AddressChange.person_id == change.person_id, col(AddressChange.id) >= change.id
        )
    )
    for one in later:
        one.undone_at, one.expires_at = now, min(one.expires_at, now)
        session.add(one)
        row = _row(session, one.address)
        if row is not None and row.person_id == change.person_id and row.address != old:
            session.delete(row)
    for one in waiting(session, change.person_id, now):
        one.expires_at = now
        session.add(one)
    session.flush()


def _set_main(session: Session, row: Address) -> None:
    for other in own_addresses(session, row.person_id):
        other.primary = False
        session.add(other)
    row.primary = True
    session.add(row)
    session.flush()


def _redirect(session: Session, person: Person, address: str) -> None:
    """Letters that have not gone yet go to the address that is the main one now."""
    session.exec(
        update(Letter)
        .where(
            col(Letter.person_id) == person.id,
            col(Letter.state).in_(UNSENT),
            col(Letter.kind).not_in(FOR_ONE_ADDRESS),
        )
        .values(to_address=address)
    )


def _row(session: Session, address: str) -> Address | None:
    return session.exec(select(Address).where(Address.address == address)).first()
