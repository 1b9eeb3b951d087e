"""Secrets made new: all of a person, or those a letter of one seat gives away."""

from datetime import datetime

from sqlmodel import Session, col, or_, select, update

from pbem.letters.correspondence import UNSENT
from pbem.letters.outbox import renew_tokens
from pbem.letters.site import Site
from pbem.store import Letter, Person, Seat, Tenure, Token
from pbem.store.rows import id_of
from pbem.store.sittings import close, sittings_of

LASTING = ("address", "undo")
"""What a change of address is confirmed and undone by: each is of its own change only."""


def renew_secrets(session: Session, site: Site, person: Person, now: datetime) -> None:
    """Void everything a person's letters have opened so far, his signed-in browsers included;
    letters that have not gone yet carry the new secrets."""
    void_secrets(session, person, now)
    for sitting in sittings_of(session, now, id_of(person)):
        close(session, now, sitting)
    person.generation += 1
    session.add(person)
    session.flush()
    _renew_unsent(session, site, person, now)


def void_secrets(
    session: Session, person: Person, now: datetime, lasting_too: bool = False
) -> None:
    """No reply address, link or open page of a person works any more."""
    session.exec(
        update(Token)
        .where(
            col(Token.person_id) == person.id,
            col(Token.revoked_at).is_(None),
            col(Token.purpose).not_in(() if lasting_too else LASTING),
        )
        .values(revoked_at=now)
    )


def renew_seat_secrets(session: Session, site: Site, tenure: Tenure, now: datetime) -> None:
    """Void what a letter to one seat gives away: the reply addresses of the seat, and the
    link to its holder's pages; letters that have not gone yet carry the new ones."""
    seat = session.get_one(Seat, tenure.seat_id)
    person = session.get_one(Person, tenure.person_id)
    at_seat = (col(Token.game_id) == seat.game_id) & (col(Token.seat) == seat.number)
    session.exec(
        update(Token)
        .where(
            col(Token.person_id) == person.id,
            col(Token.revoked_at).is_(None),
            or_(at_seat, col(Token.purpose) == "page"),
        )
        .values(revoked_at=now)
    )
    tenure.generation += 1
    person.page_generation += 1
    session.add_all([tenure, person])
    session.flush()
    _renew_unsent(session, site, person, now)


def _renew_unsent(session: Session, site: Site, person: Person, now: datetime) -> None:
    """Letters that wait carry the new secrets; not those of which a copy may have arrived,
    for whoever has it knows their ids, and could answer them."""
    unsent = select(Letter).where(Letter.person_id == person.id, col(Letter.state).in_(UNSENT))
    for letter in session.exec(unsent):
        renew_tokens(session, site, letter, now)
