"""The times of one wait, worked out from what is in the database, and moved only with an
event that says why."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, or_, select

from pbem.desk import affairs
from pbem.store import Absence, Game, Outage, Person, Seat, Tenure, Wait
from pbem.store.log import Author, append
from pbem.store.options import options_of
from pbem.timing import Off, Terms, Unlimited, reminders
from pbem.timing.absences import granted
from pbem.timing.off import Calendar, Interval


@dataclass(frozen=True)
class Times:
    """What one wait's deadline and reminders follow from."""

    wait: Wait
    terms: Terms
    absences: tuple[Interval, ...]
    outages: tuple[Interval, ...]

    @classmethod
    def of(cls, session: Session, game: Game, wait: Wait, away: "Away | bool" = True) -> "Times":
        """Those of a wait; `away`: the absences of its table's people, for a caller who knows
        them; False: its player is known never to be."""
        terms = Terms.from_json(wait.terms)
        if isinstance(away, Away):
            absences = away.granted(wait.person_id)
        else:
            absences = absences_granted(session, game, wait.person_id) if away else []
        return cls(wait, terms, tuple(absences), tuple(_outages(session, wait)))

    @property
    def off(self) -> Off:
        """All that does not count for this wait."""
        return Off.of(self.terms.calendar, self.absences, self.outages)

    def without_nights(self, quiet: str | None) -> Off:
        """The same without the player's quiet hours, which a game may let count: nobody is
        slow because he sleeps."""
        return Off.of(replace(self.terms.calendar, night=quiet), self.absences, self.outages)

    def due(self) -> datetime | None:
        """The deadline: that of the terms, or the end of a grace, whichever is later; None
        where there is none, also while no time runs for the seat."""
        wait = self.wait
        if wait.standing:
            return None
        due = self.terms.due(wait.since, wait.bank_seconds, self.absences, self.outages)
        if due is None or wait.extended_at is None:
            return due
        off = Off.of(None, self.absences, self.outages)
        return max(due, off.after(wait.extended_at, timedelta(seconds=wait.extended_seconds)))

    def reminders(self, person: Person, zone: str) -> list[tuple[datetime, reminders.Rung]]:
        """When this person would be reminded, earliest first; `zone` is his, or the game's.

        A rung that cannot be sent before the deadline is left out."""
        wait, quiet = self.wait, Calendar(person.zone or zone, person.quiet)
        if wait.due_at is None and not isinstance(self.terms.control, Unlimited):
            return []
        since = wait.since if wait.extended_at is None else wait.extended_at
        rungs = reminders.ladder(person.reminders)
        found = []
        for at, rung in reminders.times(rungs, since, wait.due_at, self.off):
            at = reminders.kindly(self._back(at), since, quiet)
            if wait.due_at is None or at < wait.due_at:
                found.append((at, rung))
        return sorted(found, key=lambda one: one[0])

    def _back(self, at: datetime) -> datetime:
        """`at`, or the end of the absence it falls into."""
        return next((end for start, end in self.absences if start <= at < end), at)


class Away:
    """The absences of some people, as far as they matter at one table: asked once."""

    def __init__(
        self, session: Session, game: Game, people: Collection[int],
        rows: Iterable[Absence] | None = None,
    ) -> None:  # fmt: skip
        """`rows`: the absences of these people (`absent`), for a caller who knows them."""
        self._session, self._game = session, game
        self._rows: dict[int, list[Absence]] = {}
        for row in absent(session, people) if rows is None else rows:
            if row.game_id in (None, game.id) and row.person_id in people:
                self._rows.setdefault(row.person_id, []).append(row)

    def rows(self, person_id: int) -> list[Absence]:
        """Those of one person that were not cancelled, in their order."""
        return [one for one in self._rows.get(person_id, ()) if one.cancelled_at is None]

    def granted(self, person_id: int) -> list[Interval]:
        """See `absences_granted`."""
        return _granted(self._session, self._game, person_id, self.rows(person_id))


_ABSENCES = (
    select(Absence)
    .where(
        col(Absence.person_id).in_(bindparam("people", expanding=True)),
        col(Absence.cancelled_at).is_(None),
    )
    .order_by(col(Absence.starts_at), col(Absence.id))
)


def absent(session: Session, people: Collection[int]) -> list[Absence]:
    """The absences of these people, at whichever table, that were not cancelled."""
    return list(session.exec(_ABSENCES, params={"people": list(people)})) if people else []


def absences_of(session: Session, person_id: int, game: Game | None = None) -> list[Absence]:
    """The absences of a person, in their order, that were not cancelled: at this table, or
    those that are for all."""
    wanted = [None] if game is None else [None, game.id]
    rows = session.exec(
        select(Absence)
        .where(Absence.person_id == person_id, col(Absence.cancelled_at).is_(None))
        .order_by(col(Absence.starts_at), col(Absence.id))
    )
    return [row for row in rows if row.game_id in wanted]


def span_of(absence: Absence) -> Interval:
    """From when to when somebody is, or was, away."""
    back = absence.ended_at
    return absence.starts_at, absence.ends_at if back is None else min(back, absence.ends_at)


def absences_granted(session: Session, game: Game, person_id: int) -> list[Interval]:
    """When a person's time does not run at a table because he is away: as far as the
    game's budget goes."""
    return _granted(session, game, person_id, absences_of(session, person_id, game))


def _granted(
    session: Session, game: Game, person_id: int, absences: Sequence[Absence]
) -> list[Interval]:
    if not absences:
        return []
    days = budget_of(session, game, person_id)
    return granted(map(span_of, absences), days, game.started_at or game.created_at)


def budget_of(session: Session, game: Game, person_id: int) -> int:
    """The days of absence a person has at this table, used ones included."""
    extra = session.exec(
        select(Tenure.extra_absence_days)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .where(
            Seat.game_id == game.id,
            Tenure.person_id == person_id,
            col(Tenure.until_seq).is_(None),
        )
    ).first()
    return options_of(game).absence_days + (extra or 0)


def open_waits(session: Session, game: Game) -> list[Wait]:
    """For whom the table waits now, by seat."""
    return list(session.exec(_OPEN_WAITS, params={"game": game.id}))


_OPEN_WAITS = (
    select(Wait)
    .where(col(Wait.game_id) == bindparam("game"), col(Wait.ended_at).is_(None))
    .order_by(col(Wait.seat))
)


def move(
    session: Session, game: Game, wait: Wait, now: datetime, author: Author, why: str,
    away: Away | None = None,
) -> bool:  # fmt: skip
    """Work the deadline of a wait out anew; a changed one is written into the log with the
    reason (absence, back, outage, grace, pace, pause, moderator, …).  True if it moved.
    `away`: the absences of the table's people, for a caller who knows them."""
    was, due = wait.due_at, None
    if game.paused_at is None:
        due = Times.of(session, game, wait, True if away is None else away).due()
    session.add(wait)
    if due == was:
        return False
    wait.due_at = due
    wait.revision += 1
    append(
        session, game, "deadline-moved", now, author, seat=wait.seat,
        public={
            "seat": wait.seat, "why": why,
            "was": None if was is None else was.isoformat(),
            "due": None if due is None else due.isoformat(),
        },
    )  # fmt: skip
    return True


def change_terms(
    session: Session, game: Game, wait: Wait, now: datetime, author: Author, terms: Terms
) -> bool:
    """Let a running wait have new terms from now on, unless they would take time away; True
    if its deadline moved."""
    absences = absences_granted(session, game, wait.person_id)
    due = terms.due(now, terms.filled(0), absences)
    if wait.due_at is not None and due is not None and due <= wait.due_at:
        return False
    if due is None:  # no deadline any more
        wait.terms, wait.extended_at = terms.to_json(), None
    elif wait.due_at is None:
        wait.terms, wait.since = terms.to_json(), now
        wait.bank_seconds = terms.filled(0)
    else:
        extend(wait, now, Off.of(None, absences).counted(now, due))
    return move(session, game, wait, now, author, "pace")


def extend(wait: Wait, since: datetime, span: timedelta) -> None:
    """Give so much time from an instant on, beside what the terms give."""
    wait.extended_at, wait.extended_seconds = since, round(span.total_seconds())


def set_alarm(
    session: Session, game: Game, now: datetime, running: Sequence[Times] | None = None
) -> None:
    """Write into the row of the game when the clock has to look at it next: the next
    reminder or deadline of anybody it waits for, or something of the table's own
    (`pbem.desk.affairs`).  `running`: the times of its open waits, for a caller who knows
    them."""
    if running is None:
        running = [Times.of(session, game, wait) for wait in open_waits(session, game)]
    dues = [one.wait.due_at for one in running if one.wait.due_at is not None]
    game.due_at = min(dues, default=None)
    game.waiting_since = min((one.wait.since for one in running), default=None)
    if game.status != "running":
        game.alarm_at = None
        session.add(game)
        return
    alarms = affairs.alarms(game, options_of(game), [one.wait for one in running])
    if game.paused_at is None:
        alarms += [next_alarm(session, game, one, now) for one in running]
    game.alarm_at = min((at for at in alarms if at is not None), default=None)
    session.add(game)


def next_alarm(session: Session, game: Game, times: Times, now: datetime) -> datetime | None:
    """The next reminder after `now`, else the deadline (also one that is over), else None."""
    due = times.wait.due_at
    if due is not None and due <= now:
        return due
    person = session.get(Person, times.wait.person_id)
    coming = [] if person is None else times.reminders(person, game.zone)
    return next((at for at, _ in coming if at > now), due)


def _outages(session: Session, wait: Wait) -> list[Interval]:
    """The outages this wait has been credited with, and the pauses of its table."""
    if not wait.outage_id and not wait.paused:
        return []
    rows = session.exec(
        select(Outage.starts_at, Outage.ends_at).where(
            col(Outage.ends_at) > wait.since,
            or_(
                and_(col(Outage.game_id).is_(None), col(Outage.id) <= wait.outage_id),
                Outage.game_id == wait.game_id,
            ),
        )
    )
    return list(rows)
