"""Reminding: one letter for all of a person's tables, each rung once.

The reminders of one unit of work are found table by table and written together: asking
and writing for each alone would take most of a sweep's time.
"""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy import select as columns
from sqlmodel import Session, SQLModel, col, select

from pbem.desk.deadlines import Times
from pbem.letters import Site, announce
from pbem.letters.announce.clock import reminder_draft, reminders_draft
from pbem.letters.correspondence import thread_of
from pbem.letters.outbox import Draft, put
from pbem.letters.queue import ASKING
from pbem.store import Absence, Game, Person, Reminder, Wait
from pbem.store.people import reached
from pbem.store.rows import id_of
from pbem.timing import Rung
from pbem.timing.reminders import GAP

_LETTER = SQLModel.metadata.tables["letter"]
_ASKING = (
    columns(_LETTER.c.game_id, _LETTER.c.seat, _LETTER.c.message_id, _LETTER.c.references)
    .add_columns(_LETTER.c.sent_at, _LETTER.c.created_at)
    .where(
        _LETTER.c.game_id.in_(bindparam("games", expanding=True)),
        _LETTER.c.kind.in_(ASKING),
        _LETTER.c.state != "replaced",
    )
    .order_by(_LETTER.c.id)
)
_WAITED_FOR = (
    select(Wait, Person)
    .join(Person, col(Person.id) == col(Wait.person_id))
    .where(col(Wait.game_id).in_(bindparam("games", expanding=True)), col(Wait.ended_at).is_(None))
    .order_by(col(Wait.seat))
)
_WAITS = (
    select(Wait, Game)
    .join(Game, col(Game.id) == col(Wait.game_id))
    .where(
        col(Wait.person_id).in_(bindparam("people", expanding=True)), col(Wait.ended_at).is_(None)
    )
    .order_by(col(Wait.due_at), col(Wait.id))
)
_AWAY = select(Absence.person_id).where(
    col(Absence.person_id).in_(bindparam("people", expanding=True)),
    col(Absence.cancelled_at).is_(None),
)
"""Made once: putting a statement together costs as much as asking it."""
ROUNDING = 1e-6  # of a share: a reminder comes at its very moment
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


@dataclass(frozen=True)
class _Asked:
    """The letter that asks a seat for its turn."""

    at: datetime
    thread: dict[str, str]


class Round:
    """The reminders of one unit of work at some running tables."""

    def __init__(self, session: Session, site: Site, now: datetime, games: Sequence[Game]) -> None:
        self._session, self._site, self._now = session, site, now
        self._drafts: list[Draft] = []
        self._covered: list[list[_Due]] = []
        self._told: set[int | None] = set()  # waits somebody was told of in this round
        rows = session.exec(_WAITED_FOR, params={"games": [game.id for game in games]}).all()
        self._waits: dict[int, list[Wait]] = defaultdict(list)
        for wait, _ in rows:
            self._waits[wait.game_id].append(wait)
        self._people = {wait.person_id: person for wait, person in rows}

    def waits(self, game: Game) -> list[Wait]:
        """For whom a table waits, as it was when the round began."""
        return self._waits[id_of(game)]

    # What follows is asked when somebody is to be reminded, of all at once.

    @cached_property
    def _reached(self) -> dict[int, str]:
        return reached(self._session, self._people.keys())

    def times(self, game: Game, wait: Wait) -> Times:
        return Times.of(self._session, game, wait, away=wait.person_id in self._away)

    def remind(self, game: Game, times: Times) -> None:
        """Remind whoever a table waits for, if a rung of his has come."""
        wait, now = times.wait, self._now
        person = self._people[wait.person_id]
        address = self._reached.get(id_of(person))
        if address is None or (due := self._rung(game, times, person, now)) is None:
            return
        others = self._others(wait)
        covered = [due]
        for table, other in others:
            soon = self._rung(table, other, person, now + SOON)
            covered += [] if soon is None else [soon]
        to: dict[str, Any] = {"person_id": person.id, "once": due.key}
        if others:
            numbers = [wait.id, *(other.wait.id for _, other in others)]
            announce.withdraw_reminders(self._session, id_of(person))
            self._drafts.append(reminders_draft(address, numbers, **to))
        else:
            if wait.reminded_at is not None:
                announce.withdraw_reminder(self._session, game, wait.seat)
            asked = self._asked.get((wait.game_id, wait.seat))
            to |= {} if asked is None else asked.thread
            self._drafts.append(
                reminder_draft(address, game, wait.seat, _gone(times, now), wait.due_at, **to)
            )
        self._covered.append(covered)
        for told in (wait, *(other.wait for _, other in others)):
            told.reminded_at = now
            self._told.add(told.id)
            self._session.add(told)

    def write(self) -> None:
        """Put the letters into the outbox, and note which rungs they stand for."""
        if not self._drafts:
            return
        numbers = put(self._session, self._site, self._now, self._drafts)
        for number, covered in zip(numbers, self._covered, strict=True):
            for one in covered:
                self._session.add(
                    Reminder(key=one.key, wait_id=id_of(one.wait), letter_id=number, at=self._now)
                )
        self._session.flush()

    def _others(self, wait: Wait) -> list[tuple[Game, Times]]:
        """The other tables that wait for the same person; not one whose wait cannot be read,
        which is left to the sweep that comes to it."""
        found = []
        for other, game in self._everywhere[wait.person_id]:
            if other.id != wait.id:
                with suppress(KeyError, ValueError):
                    found.append((game, self.times(game, other)))
        return found

    def _rung(self, game: Game, times: Times, person: Person, upto: datetime) -> _Due | None:
        """The last rung of a wait that has come by `upto`, unless it was reminded of, or is
        too close to another letter."""
        wait = times.wait
        come = [one for one in times.reminders(person, game.zone) if one[0] <= upto]
        if not come or wait.id in self._told:
            return None
        at, rung = come[-1]
        due = _Due(wait, rung)
        asked = self._asked.get((wait.game_id, wait.seat))
        if asked is not None and self._now - asked.at < GAP:
            return None
        if wait.reminded_at is None:
            return due
        if self._session.get(Reminder, due.key) is not None:
            return None
        # The deadline has moved since: the rung comes again only if it comes later now.
        again = GAP if self._was_sent(wait, rung) else timedelta()
        return None if at <= wait.reminded_at + again else due

    def _was_sent(self, wait: Wait, rung: Rung) -> bool:
        keys = self._session.exec(select(Reminder.key).where(Reminder.wait_id == wait.id))
        return any(key.endswith(f":{rung.name}") for key in keys)

    @cached_property
    def _everywhere(self) -> dict[int, list[tuple[Wait, Game]]]:
        """All tables that wait for these people, the earliest deadline first."""
        rows = self._session.exec(_WAITS, params={"people": list(self._people)})
        found: dict[int, list[tuple[Wait, Game]]] = defaultdict(list)
        for wait, game in rows:
            # Asked here, for a database would rather begin with all running games.
            if game.status == "running" and game.halted_at is None and game.paused_at is None:
                found[wait.person_id].append((wait, game))
        return found

    @cached_property
    def _away(self) -> set[int]:
        """Who of these people has, or had, an absence."""
        return set(self._session.exec(_AWAY, params={"people": list(self._people)}))

    @cached_property
    def _asked(self) -> dict[tuple[int | None, int | None], _Asked]:
        """The newest letter that asks, for every seat of these people."""
        tables = {game.id for some in self._everywhere.values() for _, game in some}
        rows = self._session.connection().execute(_ASKING, {"games": list(tables)})
        return {
            (game_id, seat): _Asked(sent or created, thread_of(message_id, references))
            for game_id, seat, message_id, references, sent, created in rows
        }


def _gone(times: Times, now: datetime) -> int:
    """How far the time has gone, as the letter says it: 1 half, 2 most, 3 nearly all."""
    wait, off = times.wait, times.off
    if wait.due_at is None:
        return 0
    since = wait.since if wait.extended_at is None else wait.extended_at
    whole = off.counted(since, wait.due_at)
    gone = off.counted(since, now) / whole if whole else 1.0
    return sum(gone > share - ROUNDING for share in (0.5, 0.8, 0.95))
