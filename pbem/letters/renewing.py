"""All secrets of a person made new: his reply addresses and the link to his pages."""

from datetime import datetime

from sqlmodel import Session, col, select, update

from pbem.letters.correspondence import UNSENT
from pbem.letters.outbox import renew_tokens
from pbem.letters.site import Site
from pbem.store import Letter, Person, Token

LASTING = ("address", "undo")
"""What a change of address is confirmed and undone by: each is of its own change only."""


def renew_secrets(session: Session, site: Site, person: Person, now: datetime) -> None:
    """Void everything a person's letters have opened so far, pages that are open included;
    letters that have not gone yet carry the new secrets."""
    void_secrets(session, person, now)
    person.generation += 1
    session.add(person)
    session.flush()
    unsent = select(Letter).where(
        Letter.person_id == person.id, col(Letter.state).in_((*UNSENT, "unknown"))
    )
    for letter in session.exec(unsent):
        renew_tokens(session, site, letter, now)


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
