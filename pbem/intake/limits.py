"""How often mail is answered at most (commands.md 1.6): the fuses against loops, floods
and the abuse of a sender's name.  What is beyond a limit is kept, and never lost."""

from datetime import datetime, timedelta

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col, func, select

from pbem.desk.limits import HOUR, key
from pbem.intake.identify import Identity
from pbem.store import Deed, Letter, Mail

RESEND_EVERY = timedelta(minutes=10)
STRANGER_EVERY = timedelta(days=1)


def too_many_answers(session: Session, person_id: int, now: datetime, most: int) -> bool:
    """Whether a person's mails were answered so often within the hour that a loop is
    likelier than a player."""
    asked = {"person": person_id, "most": most - 1}
    answer = session.connection().execute(_ANSWER, asked).scalar()
    return answer is not None and answer > now - HOUR


_ANSWER = (
    select(Letter.created_at)
    .where(Letter.person_id == bindparam("person"), col(Letter.answers_mail_id).is_not(None))
    .order_by(col(Letter.answers_mail_id).desc())
    .offset(bindparam("most", type_=Integer))
    .limit(1)
)


def too_many_by_name_alone(session: Session, person_id: int, now: datetime, most: int) -> bool:
    """Whether mails that belong to no table were answered so often within the hour that no
    more are answered which come without a reply address.

    For these a known sender is enough, and anybody can forge one: he must neither be able
    to flood a person, nor to use up the answers to the person's own mails."""
    lately = session.exec(
        select(func.count())
        .select_from(Letter)
        .where(
            Letter.person_id == person_id,
            col(Letter.answers_mail_id).is_not(None),
            col(Letter.game_id).is_(None),
            col(Letter.created_at) > now - HOUR,
        )
    ).one()
    return lately >= most


def too_many_mails(session: Session, game_id: int, now: datetime, most: int) -> bool:
    """Whether more mails than `most` came to one table within the hour, this one included,
    from all its seats together.  Those of others (held) and of programs do not count: a
    stranger who has got hold of a letter must not be able to stop a table."""
    session.flush()  # this one is counted too
    mail = session.connection().execute(_MAIL, {"game": game_id, "most": most}).scalar()
    return mail is not None and mail > now - HOUR


_MAIL = (
    select(Mail.received_at)
    .where(
        Mail.game_id == bindparam("game"),
        col(Mail.state).in_(("new", "done")),
        col(Mail.kind) != "bounce",
    )
    .order_by(col(Mail.id).desc())
    .offset(bindparam("most", type_=Integer))
    .limit(1)
)


def may_ask_about_held(session: Session, person_id: int, now: datetime, most: int) -> bool:
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
    return lately < most


def strangers_answered(session: Session, now: datetime) -> int:
    """How many strangers were answered within the hour: forged senders must not make this
    server write to everybody."""
    return session.exec(
        select(func.count())
        .select_from(Letter)
        .where(Letter.kind == "stranger", col(Letter.created_at) > now - HOUR)
    ).one()


def prose_was_answered(session: Session, identity: Identity, now: datetime) -> bool:
    """Whether a mail of nothing but prose was answered this turn (or day) already."""
    return session.get(Deed, key(_prose(identity, now))) is not None


def prose_is_answered(session: Session, identity: Identity, now: datetime) -> None:
    """Note that such a mail is answered now."""
    if not prose_was_answered(session, identity, now):
        session.add(Deed(key=key(_prose(identity, now)), at=now))


def _prose(identity: Identity, now: datetime) -> str:
    bearer = identity.bearer
    if bearer is not None and bearer.seat is not None:
        return f"prose/{bearer.game_id}/{bearer.seat}/{bearer.decision}"
    return f"prose/{identity.person_id}/{now.date().isoformat()}"
