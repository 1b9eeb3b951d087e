"""What follows from a letter that did not arrive, and from a sign that letters do again.

The clock runs on meanwhile; who is told, and what the table knows: docs/mail.md.
"""

import logging
import re
from datetime import datetime

from sqlmodel import Session, col, select

from pbem.letters import Site, announce
from pbem.letters.queue import ASKING, STATE, newest
from pbem.store import Address, Game, Letter, Seat, Tenure
from pbem.store.people import address_of
from pbem.store.standing import address_row, arrives_again, bounced

log = logging.getLogger(__name__)

SILENT = frozenset({"unreachable"})  # about letters that do not arrive: tells nobody of itself
_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")


def gone_for_good(
    session: Session, site: Site, now: datetime, letter: Letter, *, hard: bool
) -> None:
    """A letter has failed: it counts against its address, and whoever looks after the
    table is told, once a day."""
    log.warning("letter %s has failed: %s", letter.id, letter.error)
    _count(session, site, now, letter, hard=hard)
    if letter.person_id is None or letter.kind in SILENT:
        return
    game = None if letter.game_id is None else session.get(Game, letter.game_id)
    announce.unreachable(
        session, site, now, letter.person_id, game, status=status_of(letter.error), paused=False,
        once=f"undelivered:{letter.person_id}:{letter.game_id}:{now.date().isoformat()}",
    )  # fmt: skip


def delayed(session: Session, site: Site, now: datetime, letter: Letter) -> None:
    """Some server tells that it has not got rid of a letter yet."""
    _count(session, site, now, letter, hard=False)


def sign_of_life(session: Session, site: Site, now: datetime, sender: str) -> bool:
    """A mail came from this address, so it is alive: what was counted against it is
    forgotten.  True when letters to it go again."""
    address = address_row(session, sender)
    if address is None or address.bounce_score is None:
        return False
    was_paused = address.paused_at is not None
    try_again(session, site, now, address)
    return was_paused


def try_again(session: Session, site: Site, now: datetime, address: Address) -> None:
    """Letters to this address go again: those that waited, and the present letter of each
    table whose last one was lost."""
    arrives_again(address)
    session.add(address)
    release(session, now, address.person_id, address.address)
    for game, seat in _seats(session, address.person_id):
        last = newest(session, game, seat, STATE | ASKING)
        if last is not None and last.state == "failed":
            announce.resend(session, site, now, game, seat)


def release(session: Session, now: datetime, person_id: int, address: str) -> None:
    """What waited for a person goes to this address, in its order."""
    waiting = select(Letter).where(Letter.person_id == person_id, Letter.state == "paused")
    for letter in session.exec(waiting.order_by(col(Letter.id))):
        letter.to_address, letter.state, letter.next_at = address, "queued", now
        letter.created_at = now  # the five days of trying begin anew
        session.add(letter)


def address_changed(session: Session, site: Site, now: datetime, person_id: int) -> None:
    """A person's letters go to another address from now on: those that waited, too."""
    address = address_of(session, person_id)
    if address is not None:
        try_again(session, site, now, address)


def status_of(error: str | None) -> str:
    """The enhanced status (RFC 3463) in what a server said; "" when it holds none."""
    found = _STATUS.search(error or "")
    return "" if found is None else found[1]


def _count(session: Session, site: Site, now: datetime, letter: Letter, *, hard: bool) -> None:
    address = address_row(session, letter.to_address)
    if address is None or address.person_id != letter.person_id:
        return
    pauses = bounced(address, now, letter.error or "", hard=hard)
    session.add(address)
    if not pauses:
        return
    log.warning("letters to address %s pause: too many came back", address.id)
    tables: list[Game | None] = [game for game, _ in _seats(session, address.person_id)]
    for game in tables or [None]:
        announce.unreachable(
            session, site, now, address.person_id, game, status=status_of(address.bounce_status),
            paused=True, once=f"paused:{address.id}:{now.isoformat()}:{game and game.id}",
        )  # fmt: skip


def _seats(session: Session, person_id: int) -> list[tuple[Game, int]]:
    """The running games of a person, and his seat in each."""
    rows = session.exec(
        select(Game, Seat.number)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .join(Tenure, col(Tenure.seat_id) == col(Seat.id))
        .where(
            Tenure.person_id == person_id,
            col(Tenure.until_seq).is_(None),
            Game.status == "running",
        )
    )
    return [(game, seat) for game, seat in rows]
