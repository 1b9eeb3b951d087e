"""Letters about a person himself: his addresses, and what is stored about him."""

from datetime import datetime

from sqlmodel import Session, col, select

from pbem.letters.announce.answers import reply
from pbem.letters.announce.table import resend
from pbem.letters.queue import queue
from pbem.letters.site import Site
from pbem.store import AddressChange, Game, Letter, Person, Seat, Tenure
from pbem.store.rows import id_of
from pbem.store.tenures import tables_of
from pbem.store.tokens import blocked_digest
from pbem.translation.catalogues import ORIGINAL


def welcome(
    session: Session, site: Site, now: datetime, person_id: int, game: Game, said: str,
    mail_id: int | None = None,
) -> Letter | None:  # fmt: skip
    """Tell somebody who has taken a place at his first table how playing by mail goes; `said`
    is what his mail, which this answers, has come to.  None for somebody who has sat at
    another table, or was told before."""
    if _has_played(session, person_id, game):
        return None
    return reply(
        session, site, now, "welcome", mail_id,
        person_id=person_id, context={"said": said}, once=f"welcome:{person_id}",
    )  # fmt: skip


def address_confirm(
    session: Session, site: Site, now: datetime, change: AddressChange
) -> Letter | None:
    """Ask at the new address; only this letter's reply address and page confirm it."""
    return queue(
        session, site, now, "address-confirm",
        person_id=change.person_id, to_address=change.address, context={"change": change.id},
    )  # fmt: skip


def address_changed(
    session: Session, site: Site, now: datetime, change: AddressChange
) -> Letter | None:
    """Tell the address that was the main one, and how to undo it from there."""
    if change.old_address is None:
        return None
    return queue(
        session, site, now, "address-changed",
        person_id=change.person_id, to_address=change.old_address, context={"change": change.id},
    )  # fmt: skip


def address_taken(
    session: Session, site: Site, now: datetime, owner: Person, address: str
) -> Letter | None:
    """Tell the owner of an address that somebody else asked for it; once a day."""
    key = blocked_digest(site.keys, address)[:32]  # no address in clear
    return queue(
        session, site, now, "address-taken", person_id=owner.id, to_address=address,
        once=f"address-taken:{key}:{now.date().isoformat()}",
    )  # fmt: skip


def my_data(
    session: Session, site: Site, now: datetime, person_id: int, mail_id: int | None = None
) -> Letter | None:
    """Send a person what is stored about him, as it is when the letter goes."""
    return reply(session, site, now, "my-data", mail_id, person_id=person_id, context={})


def forgotten(
    session: Session, site: Site, now: datetime, to_address: str, language: str = ORIGINAL
) -> Letter | None:
    """A last letter to somebody who is forgotten now, in the language that was his; its row is
    wiped when it has gone."""
    return queue(
        session, site, now, "forgotten", to_address=to_address, context={"language": language}
    )


def _has_played(session: Session, person_id: int, game: Game) -> bool:
    """Has he had a seat at another table?"""
    seats = (
        select(Tenure.id)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(Tenure.person_id == person_id, Seat.game_id != game.id)
    )
    return session.exec(seats.limit(1)).first() is not None


def resend_all(session: Session, site: Site, now: datetime, person: Person) -> None:
    """The present letter of every running game of a person, once more."""
    seats = session.exec(tables_of(id_of(person)).where(Game.status == "running")).all()
    for game, seat in seats:
        resend(session, site, now, game, seat)
