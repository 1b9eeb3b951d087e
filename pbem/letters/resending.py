"""The present letter of a table once more, and where it may go."""

from datetime import datetime, timedelta
from enum import Enum

from sqlmodel import Session, col, func, select

from pbem.letters.announce.arriving import sent_elsewhere
from pbem.letters.announce.table import resend
from pbem.letters.site import Site
from pbem.store import Address, Game, Letter, Person
from pbem.store.people import address_of, fold_address

MOST, WITHIN = 10, timedelta(hours=1)  # letters of one table to one seat that show it


class Resent(Enum):
    """What became of it."""

    SENT = "sent"
    TOO_MANY = "too-many"
    NO_SUCH_ADDRESS = "no-such-address"


def ways_to(session: Session, person_id: int) -> list[str]:
    """The addresses a letter may go to, the registered one first."""
    own = address_of(session, person_id)
    confirmed = session.exec(
        select(Address.address)
        .where(Address.person_id == person_id, col(Address.confirmed_at).is_not(None))
        .order_by(col(Address.id))
    ).all()
    return list(dict.fromkeys([*([] if own is None else [own.address]), *confirmed]))


def resend_to(
    session: Session,
    site: Site,
    now: datetime,
    game: Game,
    seat: int,
    person: Person,
    address: str | None = None,
) -> Resent:
    """Send the present letter again; to another address only if it is one of the person's
    and confirmed, and never without a note to the registered one."""
    assert person.id is not None
    ways = ways_to(session, person.id)
    wanted = ways[0] if address is None and ways else fold_address(address or "")
    if wanted not in ways:
        return Resent.NO_SUCH_ADDRESS
    if _lately(session, game, seat, now) >= MOST:
        return Resent.TOO_MANY
    letter = resend(session, site, now, game, seat)
    if letter is not None and wanted != ways[0]:
        letter.to_address = wanted
        session.add(letter)
        sent_elsewhere(session, site, now, person, game, wanted)
    return Resent.SENT


def _lately(session: Session, game: Game, seat: int, now: datetime) -> int:
    """How many letters were written to a seat within the hour that were no answers to mails."""
    return session.exec(
        select(func.count())
        .select_from(Letter)
        .where(
            Letter.game_id == game.id,
            Letter.seat == seat,
            col(Letter.answers_mail_id).is_(None),
            col(Letter.kind).in_(("your-turn", "choose-pet", "what-happened", "over")),
            col(Letter.created_at) > now - WITHIN,
            Letter.seq == game.seq,
        )
    ).one()
