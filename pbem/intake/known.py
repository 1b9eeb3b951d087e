"""What we know that a mail may quote: our letters to this reader, and his own mails."""

from collections.abc import Iterator

from sqlalchemy import and_, or_
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from pbem.intake.identify import Identity
from pbem.letters import Site
from pbem.post.content import text_of
from pbem.store import Letter, Mail

MOST = 200  # letters, and mails, that are looked through, newest first


def quotable(session: Session, site: Site, identity: Identity) -> list[str]:
    """The texts of all letters that went, or will go, to this seat or person, and the
    new texts of the mails that came from there."""
    return [*_letters(session, site, identity), *_mails(session, identity)]


def _letters(session: Session, site: Site, identity: Identity) -> Iterator[str]:
    bearer = identity.bearer
    whose = [col(Letter.person_id) == identity.person_id] if identity.person_id else []
    if bearer is not None and bearer.seat is not None:
        whose.append(and_(Letter.game_id == bearer.game_id, Letter.seat == bearer.seat))
    if not whose:
        return
    query = select(Letter).where(or_(*whose), Letter.state != "replaced")
    if bearer is not None and bearer.game_id is not None:
        query = query.where(or_(Letter.game_id == bearer.game_id, col(Letter.game_id).is_(None)))
    query = query.options(defer(col(Letter.html)))  # the largest column, and not needed
    for letter in session.exec(query.order_by(col(Letter.id).desc()).limit(MOST)):
        yield text_of(session, site, letter)


def _mails(session: Session, identity: Identity) -> Iterator[str]:
    bearer = identity.bearer
    if bearer is not None and bearer.game_id is not None and bearer.seat is not None:
        own = select(Mail.text).where(Mail.game_id == bearer.game_id, Mail.seat == bearer.seat)
    elif identity.person_id is not None:
        own = select(Mail.text).where(Mail.person_id == identity.person_id)
    else:
        return
    for text in session.exec(own.order_by(col(Mail.id).desc()).limit(MOST)):
        if text:
            yield text
