"""A leaked letter made worthless: its seat gets a new reply address, its player a new link."""

from datetime import datetime

from sqlmodel import Session

from pbem.letters import Site, announce
from pbem.letters.renewing import renew_seat_secrets
from pbem.store import Game
from pbem.store.log import Author, append
from pbem.store.tenures import tenure_of

RENEWED = "address-renewed"
"""The kind of the event, which only the seat itself sees."""


def renew_reply_address(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int
) -> bool:
    """Make the reply address of a seat new: mail to all earlier ones moves nothing any more,
    and the present letter goes again with the new one.  False where no person sits."""
    tenure = tenure_of(session, game, seat)
    if tenure.person_id is None:
        return False
    renew_seat_secrets(session, site, tenure, now)
    told = {seat: {"generation": tenure.generation}}
    append(session, game, RENEWED, now, author, seat=seat, private=told)
    session.add(game)
    announce.resend(session, site, now, game, seat)
    return True
