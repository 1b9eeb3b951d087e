"""A leaked letter made worthless: its seat gets a new reply address, its player a new link."""

from datetime import datetime

from sqlmodel import Session, col, select

from pbem.letters import Site, announce
from pbem.letters.renewing import renew_seat_secrets
from pbem.store import Game, Seat, Tenure
from pbem.store.log import Author, append

RENEWED = "address-renewed"
"""The kind of the event, which only the seat itself sees."""


def renew_reply_address(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int
) -> bool:
    """Make the reply address of a seat new: mail to all earlier ones moves nothing any more,
    and the present letter goes again with the new one.  False where no person sits."""
    tenure = session.exec(
        select(Tenure)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(Seat.game_id == game.id, Seat.number == seat, col(Tenure.until_seq).is_(None))
    ).first()
    if tenure is None or tenure.person_id is None:
        return False
    renew_seat_secrets(session, site, tenure, now)
    told = {seat: {"generation": tenure.generation}}
    append(session, game, RENEWED, now, author, seat=seat, private=told)
    session.add(game)
    announce.resend(session, site, now, game, seat)
    return True
