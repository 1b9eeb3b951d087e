"""Letters that waited because mail did not arrive go again."""

from datetime import datetime

from sqlmodel import Session, col, select

from pbem.letters.announce.table import resend
from pbem.letters.queue import STATE, newest
from pbem.letters.site import Site
from pbem.store import Address, Game, Letter
from pbem.store.bounce_scores import arrives_again
from pbem.store.tenures import tables_of


def try_again(session: Session, site: Site, now: datetime, address: Address) -> None:
    """Letters to this address go again: those that waited, and the present letter of each
    table whose last one was lost."""
    arrives_again(address)
    session.add(address)
    release(session, now, address)
    for game, seat in seats_of(session, address.person_id):
        last = newest(session, game, seat, STATE)
        if last is not None and last.state == "failed":
            resend(session, site, now, game, seat)


def release(session: Session, now: datetime, address: Address) -> None:
    """What waited for a person goes to this address, in its order; nothing, while mail to
    this one does not arrive either."""
    if address.paused_at is not None:
        return
    waiting = select(Letter).where(Letter.person_id == address.person_id, Letter.state == "paused")
    for letter in session.exec(waiting.order_by(col(Letter.id))):
        letter.to_address, letter.state = address.address, "queued"
        letter.next_at = letter.created_at = now  # the days of trying begin anew
        session.add(letter)


def seats_of(session: Session, person_id: int) -> list[tuple[Game, int]]:
    """The running games of a person, and his seat in each."""
    rows = session.exec(tables_of(person_id).where(Game.status == "running"))
    return [(game, seat) for game, seat in rows]
