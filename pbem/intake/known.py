"""What we know that a mail may quote: our letters to this reader, and his own mails."""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock

from sqlalchemy import and_, or_
from sqlmodel import Session, col, select

from pbem.intake.identify import Identity
from pbem.intake.message import letter_texts
from pbem.letters import Site
from pbem.post.content import content_of
from pbem.store import Letter, Mail

MOST = 200  # letters, and mails, that are looked through, newest first


def quotable(session: Session, site: Site, identity: Identity) -> list[str]:
    """The texts of all letters that went, or will go, to this seat or person, oldest
    first, and the new texts of the mails that came from there."""
    letters = list(_letters(session, site, identity))
    mails = list(_mails(session, identity))
    return [*reversed(letters), *reversed(mails)]


def _letters(session: Session, site: Site, identity: Identity) -> Iterator[str]:
    bearer = identity.bearer
    whose = [col(Letter.person_id) == identity.person_id] if identity.person_id else []
    if bearer is not None and bearer.seat is not None:
        at_seat = and_(col(Letter.game_id) == bearer.game_id, col(Letter.seat) == bearer.seat)
        whose.append(at_seat)
    if not whose:
        return
    query = select(Letter.id, Letter.message_id, col(Letter.text).is_not(None))
    query = query.where(or_(*whose), Letter.state != "replaced")
    if bearer is not None and bearer.game_id is not None:
        query = query.where(
            or_(col(Letter.game_id) == bearer.game_id, col(Letter.game_id).is_(None))
        )
    for letter_id, message_id, gone in session.exec(
        query.order_by(col(Letter.id).desc()).limit(MOST)
    ):
        texts = _seen.get(message_id)
        if texts is None:
            content = content_of(session, site, session.get_one(Letter, letter_id))
            texts = letter_texts(content.text, content.html)
            if gone:  # what it says does not change any more
                _seen.put(message_id, texts)
        yield from texts


class _Seen:
    """What letters say that have gone, by Message-ID: every mail of a seat is compared
    with all of them, and reading them anew from the database would take longest."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._texts: OrderedDict[str, list[str]] = OrderedDict()
        self._lock = Lock()

    def get(self, message_id: str) -> list[str] | None:
        with self._lock:
            if (texts := self._texts.get(message_id)) is not None:
                self._texts.move_to_end(message_id)
            return texts

    def put(self, message_id: str, texts: list[str]) -> None:
        with self._lock:
            self._texts[message_id] = texts
            if len(self._texts) > self._most:
                self._texts.popitem(last=False)


_seen = _Seen(most=2000)


def _mails(session: Session, identity: Identity) -> Iterator[str]:
    """The new texts of the mails that came from this seat, newest first."""
    bearer = identity.bearer
    if bearer is None or bearer.game_id is None or bearer.seat is None:
        return
    texts = select(Mail.text).where(
        Mail.game_id == bearer.game_id, Mail.seat == bearer.seat, col(Mail.text).is_not(None)
    )
    for text in session.exec(texts.order_by(col(Mail.id).desc()).limit(MOST)):
        yield text or ""
