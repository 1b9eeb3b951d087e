"""How often mail is answered at most (commands.md 1.6): the fuses against loops, floods
and the abuse of a sender's name.  What is beyond a limit is kept, and never lost."""

import hashlib
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from pbem.intake.identify import Identity
from pbem.store import Deed, Letter

STRANGERS_AN_HOUR = 60
HOUR = timedelta(hours=1)
ANSWERS_AN_HOUR = 600  # to one person; nobody plays that fast, two programs do
HELD_LETTERS_AN_HOUR = 3
RESEND_EVERY = timedelta(minutes=10)
STRANGER_EVERY = timedelta(days=1)


def too_many_answers(session: Session, person_id: int, now: datetime) -> bool:
    """Whether a person's mails were answered so often within the hour that a loop is
    likelier than a player."""
    answer = session.exec(
        select(Letter.created_at)
        .where(Letter.person_id == person_id, col(Letter.answers_mail_id).is_not(None))
        .order_by(col(Letter.id).desc())
        .offset(ANSWERS_AN_HOUR - 1)
        .limit(1)
    ).first()
    return answer is not None and answer > now - HOUR


def may_ask_about_held(session: Session, person_id: int | None, now: datetime) -> bool:
    """Whether a person may be asked about one more held mail: whoever has got hold of a
    reply address must not be able to flood its owner."""
    lately = session.exec(
        select(func.count())
        .select_from(Letter)
        .where(
            Letter.person_id == person_id,
            Letter.kind == "held",
            col(Letter.created_at) > now - HOUR,
        )
    ).one()
    return lately < HELD_LETTERS_AN_HOUR


def strangers_answered(session: Session, now: datetime) -> int:
    """How many strangers were answered within the hour: forged senders must not make this
    server write to everybody."""
    return session.exec(
        select(func.count())
        .select_from(Letter)
        .where(Letter.kind == "stranger", col(Letter.created_at) > now - HOUR)
    ).one()


def not_lately(session: Session, what: str, now: datetime, every: timedelta) -> bool:
    """Whether this was not done within the time `every`; then it counts as done now."""
    row = _done(session, what)
    if row is not None and now - row.at < every:
        return False
    row = row or Deed(key=_key(what), at=now)
    row.at = now
    session.add(row)
    return True


def prose_was_answered(session: Session, identity: Identity, now: datetime) -> bool:
    """Whether a mail of nothing but prose was answered this turn (or day) already."""
    return _done(session, _prose(identity, now)) is not None


def prose_is_answered(session: Session, identity: Identity, now: datetime) -> None:
    """Note that such a mail is answered now."""
    if not prose_was_answered(session, identity, now):
        session.add(Deed(key=_key(_prose(identity, now)), at=now))


def _prose(identity: Identity, now: datetime) -> str:
    bearer = identity.bearer
    if bearer is not None and bearer.seat is not None:
        return f"prose/{bearer.game_id}/{bearer.seat}/{bearer.decision}"
    return f"prose/{identity.person_id}/{now.date().isoformat()}"


def _done(session: Session, what: str) -> Deed | None:
    return session.get(Deed, _key(what))


def _key(what: str) -> str:
    """Hashed: no address of a stranger is kept in clear."""
    return hashlib.sha256(f"limit/{what}".encode()).hexdigest()
