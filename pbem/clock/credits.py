"""Crediting with outages whatever ends at a set time: nobody is late because we were not there.

Waits and tables remember the newest outage they were credited with.  What is due is credited
before it is looked at, the rest soon after, a few tables at a time.  What belongs to a person
(something to be confirmed, a held mail) are few rows: they are set on when an outage is noted.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.desk import deadlines, ends, tables
from pbem.store import AddressChange, Game, Heartbeat, Mail, Outage, Pending, Wait
from pbem.store.log import Author
from pbem.timing.off import Interval, credited, merged

CLOCK = Author("clock")


def owed(session: Session, limit: int) -> list[int]:
    """Tables that have not been credited with the newest outage, some of them: those with an
    open wait, and those that wait for their players."""
    newest = _newest(session)
    if not newest:
        return []
    waiting = session.exec(
        select(Wait.game_id)
        .join(Game, col(Game.id) == col(Wait.game_id))
        .where(
            col(Wait.ended_at).is_(None),
            col(Wait.outage_id) < newest,
            col(Game.halted_at).is_(None),  # when it is mended
        )
        .limit(limit)
    ).all()
    inviting = session.exec(
        select(Game.id).where(Game.status == "inviting", Game.outage_id < newest).limit(limit)
    ).all()
    found = (number for number in (*waiting, *inviting) if number is not None)
    return list(dict.fromkeys(found))[:limit]


def credit(
    session: Session, game: Game, now: datetime, running: Sequence[Wait] | None = None
) -> bool:
    """Give a table and its waits what they are owed; True if a wait was owed anything.
    `running`: its open waits, for a caller who knows them."""
    credit_ends(session, game, now)
    newest = _newest(session)
    running = deadlines.open_waits(session, game) if running is None else running
    waits = [wait for wait in running if wait.outage_id < newest]
    for wait in waits:
        if wait.unsure:  # begun by a clock that was wrong: it begins when that is right
            wait.since, wait.unsure = session.get_one(Outage, newest).ends_at, False
        wait.outage_id = newest
        deadlines.move(session, game, wait, now, CLOCK, "outage")
    if waits:
        deadlines.set_alarm(session, game, now)
    return bool(waits)


def credit_ends(session: Session, game: Game, now: datetime) -> bool:
    """Let what the table has set an end for end later by the outages it was not credited
    with; True if anything does."""
    newest, before = _newest(session), game.outage_id
    if before >= newest:
        return False
    game.outage_id = newest
    session.add(game)
    if not ends.are_set(game):
        return False
    known = _outages(session, game.created_at, col(Outage.id) <= before)
    fresh = _outages(session, game.created_at, col(Outage.id) > before)
    moved = ends.set_on(session, game, now, CLOCK, "outage", fresh, known)
    if moved and game.status == "running":
        deadlines.set_alarm(session, game, now)
    elif moved:
        game.alarm_at = tables.next_invitation_alarm(game, now)
    return moved


def credit_people(session: Session, outage: Outage) -> None:
    """Let what people are waited for, beside turns, end later by an outage just noted."""
    since, gone = outage.starts_at, [(outage.starts_at, outage.ends_at)]
    known = _outages(session, since, col(Outage.id) < outage.id)
    for pending in session.exec(select(Pending).where(Pending.expires_at > since)):
        pending.expires_at = credited(pending.expires_at, pending.created_at, gone, known)
        session.add(pending)
    for asked in session.exec(select(AddressChange).where(AddressChange.expires_at > since)):
        asked.expires_at = credited(asked.expires_at, asked.created_at, gone, known)
        session.add(asked)
    for done in session.exec(select(AddressChange).where(col(AddressChange.undo_until) > since)):
        if done.undo_until is not None and done.confirmed_at is not None:
            done.undo_until = credited(done.undo_until, done.confirmed_at, gone, known)
            session.add(done)
    held = select(Mail).where(Mail.state == "held", col(Mail.held_until) > since)
    for mail in session.exec(held):
        if mail.held_until is not None:
            mail.held_until = credited(mail.held_until, mail.received_at, gone, known)
            session.add(mail)


def _newest(session: Session) -> int:
    pulse = session.get(Heartbeat, 1)
    return 0 if pulse is None else pulse.outage_id


def _outages(session: Session, since: datetime, which: Any) -> list[Interval]:
    """Those of the whole server that ended after an instant."""
    rows = session.exec(
        select(Outage.starts_at, Outage.ends_at).where(
            col(Outage.game_id).is_(None), col(Outage.ends_at) > since, which
        )
    )
    return merged(rows)
