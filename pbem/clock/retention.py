"""What is kept for a time only: mails as they came, letters as they went, deeds, questions
that nobody answered.  Functions of (now, database), in small pieces.

A mail that is new, held or in quarantine is never touched: it may still be wanted.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, and_, col, delete, or_, select

from pbem.installation import Installation
from pbem.store import AddressChange, Deed, Game, Letter, Mail, Pending
from pbem.store.erasing import BATCH, blank_receipt, wiped_out

log = logging.getLogger(__name__)

SETTLED = ("done", "ignored", "discarded", "expired")
FINISHED_FOR = timedelta(days=14)  # after that a copy of a turn is told that the game is over
DEEDS_FOR = timedelta(days=90)
ASKED_FOR = timedelta(days=14)  # beyond its end, a question is still answered: it is too late

Piece = Callable[[Session, datetime], int]
"""Deals with up to `BATCH` rows; returns how many there were."""


def retain(installation: Installation) -> int:
    """Let go of all that has been kept long enough; returns how many rows it were."""
    now = installation.clock()
    before = now - timedelta(days=installation.settings.mail.keep_days)
    count = 0
    for piece, until in (
        (_postmaster_mails, before),
        (_mails, before),
        (_letters, before),
        (_deeds, now),
        (_changes, now - ASKED_FOR),
        (_pending, now - ASKED_FOR),
    ):
        count += _all_of(installation, piece, until)
    return count


def _all_of(installation: Installation, piece: Piece, until: datetime) -> int:
    """One kind to its end, a unit of work a batch, so that nobody waits for long."""
    count = 0
    while True:
        with installation.store.work() as session, wiped_out(session):
            done = piece(session, until)
        count += done
        if done < BATCH:
            return count


def _mails(session: Session, before: datetime) -> int:
    """Raw mails go, their receipts stay; of strangers, nothing of what they wrote."""
    rows = session.exec(
        select(Mail)
        .where(
            col(Mail.received_at) < before,
            col(Mail.state).in_(SETTLED),
            col(Mail.raw) != b"",
        )
        .order_by(col(Mail.received_at))
        .limit(BATCH)
    ).all()
    for mail in rows:
        mail.raw = b""
        if mail.person_id is None:
            mail.envelope_from, mail.sender, mail.text = "", None, None
            mail.receipt = blank_receipt(mail.receipt)
        session.add(mail)
    return len(rows)


def _postmaster_mails(session: Session, before: datetime) -> int:
    """Mail to the postmaster is held for whoever runs the server; not for ever."""
    rows = session.exec(
        select(Mail)
        .where(
            col(Mail.received_at) < before,
            Mail.state == "held",
            col(Mail.person_id).is_(None),
        )
        .limit(BATCH)
    ).all()
    for mail in rows:
        mail.state = "expired"
        session.add(mail)
    return len(rows)


def _letters(session: Session, before: datetime) -> int:
    """Texts of letters of games that are over: they are written anew when they are looked
    at.  Letters to strangers lose their address, too."""
    running = select(Game.id).where(Game.status == "running")
    rows = session.exec(
        select(Letter)
        .where(
            col(Letter.created_at) < before,
            col(Letter.state).in_(("sent", "failed", "replaced")),
            or_(
                and_(
                    col(Letter.text) != "",
                    or_(col(Letter.game_id).is_(None), col(Letter.game_id).not_in(running)),
                ),
                and_(col(Letter.person_id).is_(None), col(Letter.to_address) != ""),
            ),
        )
        .limit(BATCH)
    ).all()
    for letter in rows:
        letter.text = letter.html = None
        if letter.person_id is None:
            letter.to_address, letter.subject, letter.text = "", "", ""
            letter.context, letter.error = {}, None
        session.add(letter)
    return len(rows)


def _deeds(session: Session, now: datetime) -> int:
    """What was done once is remembered as long as a copy may come that would do harm."""
    over = select(Game.id).where(
        col(Game.finished_at) < now - FINISHED_FOR, Game.status != "running"
    )
    return _delete(
        session, Deed, Deed.key, or_(col(Deed.at) < now - DEEDS_FOR, col(Deed.game_id).in_(over))
    )


def _changes(session: Session, before: datetime) -> int:
    """Changes of address that can neither be confirmed nor undone any more."""
    over = and_(
        col(AddressChange.expires_at) < before,
        or_(col(AddressChange.undo_until).is_(None), col(AddressChange.undo_until) < before),
    )
    return _delete(session, AddressChange, AddressChange.id, over)


def _pending(session: Session, before: datetime) -> int:
    return _delete(session, Pending, Pending.id, col(Pending.expires_at) < before)


def _delete(session: Session, model: type[Any], key: Any, over: Any) -> int:
    keys = session.exec(select(key).where(over).limit(BATCH)).all()
    if keys:
        session.exec(delete(model).where(col(key).in_(keys)))
    return len(keys)
