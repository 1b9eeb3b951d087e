"""Who is at the other end: the person whose link from a letter was opened here.

The signed cookie holds the digest of the link's token, never the token; so a link that is
revoked closes every session it opened.
"""

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from flask import abort, session
from sqlmodel import Session

from pbem.store import Address, Game, Person, Token
from pbem.store.browser_codes import asked_by
from pbem.store.people import address_of, addresses_of, policies_of
from pbem.store.tokens import Bearer, digest, find
from pbem.web import installation
from pbem.web.languages import speak_to

PAGE = "page"
PROVED = "proved"
"""In the session: the person who has typed in a mailed code here (`proving`), or has opened
the link that was mailed because this browser had asked for it."""
ASKED = "asked"
"""In the session: the number of that link, and when it was asked for."""
ASKED_HOLDS = timedelta(hours=2)


TRUSTING = frozenset({"token"})
"""The mail policies of tables at which the link is enough."""


@dataclass(frozen=True)
class Visitor:
    """A person, known by the link."""

    person: Person
    addresses: tuple[str, ...]
    paused: Address | None = None  # the main one, while letters to it wait

    @property
    def proved(self) -> bool:
        """Is it proved that his mailbox is his, on this browser?"""
        return session.get(PROVED) == self.id

    @property
    def id(self) -> int:
        if self.person.id is None:
            raise ValueError("a stored person has a number")
        return self.person.id


def page_bearer_of(who: Visitor) -> Bearer:
    """What the present link to a person's pages stands for."""
    generation = who.person.generation + who.person.page_generation
    return Bearer("page", person_id=who.id, generation=generation)


def sign_in(store: Session, token: str, asked: str = "") -> bool:
    """Begin a session for the person of a personal link; False for a link that is none.
    `asked` is what a link brings that was mailed because somebody asked for it."""
    row = find(store, token)
    if row is None or row.purpose != PAGE or row.person_id is None:
        return False
    proved = session.get(PROVED) == row.person_id or _asked_here(row.person_id, asked)
    session.clear()
    session.permanent = True
    session[PAGE] = digest(token.strip())
    if proved:  # the same person's newer link, or his answer to what was asked here
        session[PROVED] = row.person_id
    return True


def _asked_here(person_id: int, asked: str) -> bool:
    """Did this very browser ask for the link, a short while ago?"""
    kept = session.get(ASKED)
    if not asked or not isinstance(kept, list) or len(kept) != 2:
        return False
    here, (number, at) = installation(), kept
    if here.clock() >= datetime.fromtimestamp(at, UTC) + ASKED_HOLDS:
        return False
    wanted = asked_by(here.keys, person_id, number)
    return hmac.compare_digest(wanted.encode(), asked.encode("utf-8", "replace"))


def sign_out() -> None:
    session.clear()


def visitor(store: Session) -> Visitor:
    """Whose session this is; without one the page is refused (403)."""
    found = known_visitor(store)
    if found is None:
        abort(403)
    return found


def known_visitor(store: Session) -> Visitor | None:
    """The same for pages that are open to strangers, too."""
    if PAGE not in session:
        return None
    row = store.get(Token, session[PAGE])
    if row is None or row.purpose != PAGE or row.revoked_at is not None or row.person_id is None:
        return None
    person = store.get(Person, row.person_id)
    if person is None or person.erased_at is not None:
        return None
    speak_to(person)
    main = address_of(store, row.person_id)
    paused = main if main is not None and main.paused_at is not None else None
    return Visitor(person, tuple(addresses_of(store, row.person_id)), paused)


def reader_id(store: Session) -> int | None:
    """The number of whoever is signed in here, for a page that everybody may read."""
    row = store.get(Token, session.get(PAGE, ""))
    if row is None or row.purpose != PAGE or row.revoked_at is not None:
        return None
    return row.person_id


def needs_code(store: Session, who: Visitor, game: Game | None = None) -> bool:
    """Has this browser to be made known before it acts at a table, or (None) for a person?"""
    if who.proved:
        return False
    policies = policies_of(store, who.id) if game is None else {game.mail_policy}
    return not policies <= TRUSTING
