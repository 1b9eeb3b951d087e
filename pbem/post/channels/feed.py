"""A person's letters as an Atom feed (RFC 4287), behind a secret address."""

import hashlib
from datetime import UTC, datetime
from xml.etree import ElementTree

from sqlmodel import Session, col, select

from pbem.letters import Site
from pbem.letters.plain import clean_lines
from pbem.post.channels.telling import letters_told, told
from pbem.store import Letter, Person, Token
from pbem.store.tokens import Bearer, issue

ENTRIES = 30
ATOM = "http://www.w3.org/2005/Atom"
PURPOSE = "feed"


def open_feed(session: Session, site: Site, now: datetime, person_id: int) -> str:
    """The secret of a person's feed; made at first, and anew after it was closed."""
    row = _row(session, person_id)
    generation = 0 if row is None else row.generation + (row.revoked_at is not None)
    bearer = Bearer(PURPOSE, person_id=person_id, generation=generation)
    return issue(session, site.keys, bearer, now)


def feed_token(session: Session, site: Site, person_id: int) -> str | None:
    """The secret of a feed that is open."""
    row = _row(session, person_id)
    if row is None or row.revoked_at is not None:
        return None
    return site.keys.token(Bearer(PURPOSE, person_id=person_id, generation=row.generation))


def close_feed(session: Session, now: datetime, person_id: int) -> None:
    """Nobody reads it any more."""
    row = _row(session, person_id)
    if row is not None and row.revoked_at is None:
        row.revoked_at = now
        session.add(row)


def newest(session: Session, person_id: int) -> list[Letter]:
    """The letters of the feed, newest first."""
    query = letters_told(person_id).order_by(col(Letter.id).desc()).limit(ENTRIES)
    return list(session.exec(query))


def version(letters: list[Letter]) -> str:
    """The same as long as the feed says the same (an ETag)."""
    said = ",".join(f"{letter.id}:{letter.text is not None}" for letter in letters)
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def atom(session: Session, site: Site, person: Person, letters: list[Letter], url: str) -> bytes:
    """The feed as XML in UTF-8; `url` is its own address."""
    feed = ElementTree.Element(f"{{{ATOM}}}feed")
    _add(feed, "title", f"{site.settings.site.name}: {person.name}")
    _add(feed, "id", url)
    _add(feed, "link", rel="self", href=url)
    _add(feed, "updated", _moment(letters[0].created_at if letters else person.created_at))
    author = _add(feed, "author")
    _add(author, "name", site.settings.site.name)
    for letter in letters:
        one = told(session, site, letter)
        entry = _add(feed, "entry")
        _add(entry, "title", one.subject)
        _add(entry, "id", f"mid:{one.message_id}")  # RFC 2392
        _add(entry, "updated", _moment(one.at))
        _add(entry, "link", rel="alternate", href=one.url)
        _add(entry, "category", term=one.game)
        _add(entry, "content", "\n".join(clean_lines(one.text)), type="text")
    ElementTree.register_namespace("", ATOM)
    written: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _add(
    parent: ElementTree.Element, name: str, text: str = "", **values: str
) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, f"{{{ATOM}}}{name}", values)
    element.text = text or None
    return element


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _row(session: Session, person_id: int) -> Token | None:
    """The newest one, open or closed."""
    return session.exec(
        select(Token)
        .where(Token.purpose == PURPOSE, Token.person_id == person_id)
        .order_by(col(Token.generation).desc())
        .limit(1)
    ).first()
