"""What follows from a letter that did not arrive, and from a sign that letters do again.

The clock runs on meanwhile; who is told, and what the table knows: docs/mail.md.
"""

import logging
import re
from datetime import datetime

from sqlmodel import Session

from pbem.letters import Site, announce
from pbem.letters.resuming import seats_of, try_again
from pbem.store import Address, Game, Letter
from pbem.store.bounce_scores import address_row, bounced

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


def sign_of_life(session: Session, site: Site, now: datetime, address: Address | None) -> bool:
    """A mail came from this address (None: of nobody here), so it is alive: what was counted
    against it is forgotten.  True when letters to it go again."""
    if address is None or address.bounce_score is None:
        return False
    was_paused = address.paused_at is not None
    try_again(session, site, now, address)
    return was_paused


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
    tables: list[Game | None] = [game for game, _ in seats_of(session, address.person_id)]
    for game in tables or [None]:
        announce.unreachable(
            session, site, now, address.person_id, game, status=status_of(address.bounce_status),
            paused=True, once=f"paused:{address.id}:{now.isoformat()}:{game and game.id}",
        )  # fmt: skip
