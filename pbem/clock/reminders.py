"""Reminding: one letter for all of a person's tables, each rung once."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.desk.deadlines import Times
from pbem.letters import Site, announce
from pbem.letters.queue import ASKING, newest
from pbem.store import Game, Person, Reminder, Wait
from pbem.timing import Rung
from pbem.timing.reminders import GAP

SOON = timedelta(hours=2)  # what comes at other tables within this goes into the same letter


@dataclass(frozen=True)
class _Due:
    """A rung that has come, at one table."""

    wait: Wait
    rung: Rung

    @property
    def key(self) -> str:
        due = "-" if self.wait.due_at is None else self.wait.due_at.isoformat()
        return f"remind:{self.wait.id}:{self.wait.seat}:{due}:{self.rung.name}"


def remind(session: Session, site: Site, now: datetime, game: Game, wait: Wait) -> bool:
    """Remind whoever a table waits for, if a rung of his has come; True if a letter was
    written."""
    person = session.get(Person, wait.person_id)
    if person is None or (due := _rung(session, game, wait, person, now, now)) is None:
        return False
    others = _elsewhere(session, wait, person)
    covered = [due, *(one for one in (
        _rung(session, table, other, person, now, now + SOON) for other, table in others
    ) if one is not None)]  # fmt: skip
    if others:
        numbers = [wait.id, *(other.id for other, _ in others)]
        letter = announce.reminders(session, site, now, person, numbers, once=due.key)
    else:
        passed = _share(session, game, wait, now)
        letter = announce.reminder(
            session, site, now, game, wait.seat, passed, due=wait.due_at, once=due.key
        )
    for one in covered:
        session.add(Reminder(
            key=one.key, wait_id=one.wait.id or 0, at=now,
            letter_id=None if letter is None else letter.id,
        ))  # fmt: skip
    for told in (wait, *(other for other, _ in others)):
        told.reminded_at = now
        session.add(told)
    session.flush()
    return letter is not None


def _rung(
    session: Session, game: Game, wait: Wait, person: Person, now: datetime, upto: datetime
) -> _Due | None:
    """The last rung of a wait that has come by `upto`, unless it was reminded of, or is too
    close to another letter."""
    come = [
        one for one in Times.of(session, game, wait).reminders(person, game.zone) if one[0] <= upto
    ]
    if not come:
        return None
    at, rung = come[-1]
    due = _Due(wait, rung)
    if session.get(Reminder, due.key) is not None:
        return None
    asked = newest(session, game, wait.seat, ASKING)
    if asked is not None and now - (asked.sent_at or asked.created_at) < GAP:
        return None
    if wait.reminded_at is not None:
        # The deadline has moved since: the rung comes again only if it comes later now.
        again = GAP if _was_sent(session, wait, rung) else timedelta()
        if at <= wait.reminded_at + again:
            return None
    return due


def _was_sent(session: Session, wait: Wait, rung: Rung) -> bool:
    keys = session.exec(select(Reminder.key).where(Reminder.wait_id == wait.id))
    return any(key.endswith(f":{rung.name}") for key in keys)


def _elsewhere(session: Session, wait: Wait, person: Person) -> list[tuple[Wait, Game]]:
    """The other tables that wait for him, the earliest deadline first."""
    rows = session.exec(
        select(Wait, Game)
        .join(Game, col(Game.id) == col(Wait.game_id))
        .where(
            Wait.person_id == person.id,
            col(Wait.ended_at).is_(None),
            Wait.id != wait.id,
            Game.status == "running",
            col(Game.halted_at).is_(None),
            col(Game.paused_at).is_(None),
        )
        .order_by(col(Wait.due_at), col(Wait.id))
    )
    return list(rows.all())


def _share(session: Session, game: Game, wait: Wait, now: datetime) -> int:
    """How far the time has gone, as the letter says it: 1 half, 2 most, 3 nearly all."""
    if wait.due_at is None:
        return 0
    off = Times.of(session, game, wait).off
    since = wait.since if wait.extended_at is None else wait.extended_at
    whole = off.counted(since, wait.due_at)
    passed = off.counted(since, now) / whole if whole else 1.0
    return sum(passed >= share for share in (0.5, 0.8, 0.95))
