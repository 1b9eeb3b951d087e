"""Being away: said beforehand, told to the tables, over with the first turn sent."""

import logging
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlmodel import Session, col, select

from pbem.desk import deadlines
from pbem.letters import Site, announce
from pbem.store import Absence, Game, Person, Wait
from pbem.store.log import Author, append
from pbem.store.options import options_of
from pbem.store.postgresql import lock_tables
from pbem.store.rows import id_of
from pbem.store.tenures import tables_of, tenure_of
from pbem.timing.absences import days_of, instants
from pbem.timing.zones import zone_or_utc

log = logging.getLogger(__name__)

LONGEST = timedelta(days=366)
AHEAD = timedelta(days=2 * 366)


class AbsenceError(ValueError):
    """Days that cannot be an absence: ``code`` over, too-long, too-far."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Share:
    """What one table grants of a person's absences, in days."""

    game: Game
    budget: int
    granted: int
    short: bool  # more was asked for than it grants


def today(person: Person, site: Site, now: datetime) -> date:
    """The date where somebody is."""
    return now.astimezone(zone_or_utc(zone_of(person, site))).date()


def zone_of(person: Person, site: Site) -> str:
    """His zone; while that is unknown, the server's, which is that of its tables."""
    return person.zone or site.settings.site.zone


def declare(
    session: Session, site: Site, now: datetime, author: Author, person: Person,
    first: date, last: date,
) -> Absence:  # fmt: skip
    """Somebody will be away from the first day to the last, in his zone.  What overlaps or
    touches an absence he has declared becomes one with it; what one holds already is that
    one, and nobody is told again.  With its first day (any day of one that has begun) an
    earlier last day shortens it.  Raises `AbsenceError`."""
    here = today(person, site, now)
    if last < here:
        raise AbsenceError("over")
    if last - first > LONGEST:
        raise AbsenceError("too-long")
    if last - here > AHEAD:
        raise AbsenceError("too-far")
    first = max(first, here)
    starts, ends = instants(first, last, zone_of(person, site))
    starts = max(starts, now)  # the past is not taken back
    known = coming(session, person, now)
    shorter = [one for one in known if _shortens(one, first, starts, ends, now)]
    for other in known:
        if other.starts_at <= starts and ends <= other.ends_at and other not in shorter:
            return other
    for other in known:
        if other.starts_at <= ends and starts <= other.ends_at:
            if other.starts_at < starts:
                starts, first = other.starts_at, date.fromisoformat(other.first_day)
            if other.ends_at > ends and other not in shorter:
                ends, last = other.ends_at, date.fromisoformat(other.last_day)
            other.cancelled_at = now
            session.add(other)
    absence = Absence(
        person_id=id_of(person), first_day=first.isoformat(), last_day=last.isoformat(),
        starts_at=starts, ends_at=ends, created_at=now,
    )  # fmt: skip
    session.add(absence)
    session.flush()
    _follow(session, site, now, author, person, "absence", absence)
    return absence


def _shortens(
    known: Absence, first: date, starts: datetime, ends: datetime, now: datetime
) -> bool:  # fmt: skip
    """Whether days that are said anew are a known absence with an earlier end."""
    same = known.first_day == first.isoformat() or known.starts_at <= starts <= now
    return same and ends < known.ends_at


def coming(session: Session, person: Person, now: datetime) -> list[Absence]:
    """The absences somebody has declared that are not over, in their order."""
    rows = deadlines.absences_of(session, id_of(person))
    return [one for one in rows if one.game_id is None and deadlines.span_of(one)[1] > now]


def cancel(
    session: Session, site: Site, now: datetime, author: Author, person: Person
) -> list[Absence]:
    """All of them: the present one ends now, those to come are taken back."""
    gone = coming(session, person, now)
    for absence in gone:
        _end(session, absence, now)
    if gone:
        _follow(session, site, now, author, person, "back")
    return gone


def back(session: Session, site: Site, now: datetime, author: Author, away: deadlines.Away) -> bool:
    """Somebody sends a turn at a table: whoever does that is there again.  True if that has
    ended an absence of his (that of this table, or the one for all).  `away`: the absences
    of the table's people."""
    person = None if author.person_id is None else session.get(Person, author.person_id)
    if person is None:
        return False
    ended = [
        one
        for one in away.rows(author.person_id or 0)
        if one.starts_at <= now < deadlines.span_of(one)[1]
    ]
    for absence in ended:
        _end(session, absence, now)
    if ended:
        _follow(session, site, now, author, person, "back")
    return bool(ended)


def begin_automatic(
    session: Session, site: Site, now: datetime, game: Game, wait: Wait
) -> Absence | None:
    """The absence of somebody who has missed a deadline and has asked for this: once a
    game, at this table only, and told; None where it cannot be."""
    person = session.get_one(Person, wait.person_id)
    days = options_of(game).automatic_absence_days
    if not person.automatic_absence or not days:
        return None
    had = session.exec(
        select(Absence.id).where(
            Absence.person_id == person.id, Absence.game_id == game.id, Absence.kind == "automatic"
        )
    ).first()
    if had is not None:
        return None
    mine = share(session, game, person)
    if mine.granted >= mine.budget:
        return None
    first = today(person, site, now)
    last = first + timedelta(days=days)
    absence = Absence(
        person_id=id_of(person), game_id=game.id, kind="automatic",
        first_day=first.isoformat(), last_day=last.isoformat(),
        starts_at=now, ends_at=now + timedelta(days=days), created_at=now,
    )  # fmt: skip
    session.add(absence)
    session.flush()
    _tell(session, site, now, Author("clock"), game, wait.seat, absence)
    return absence


def grant_days(
    session: Session, now: datetime, author: Author, game: Game, seat: int, days: int
) -> int:
    """Give whoever holds a seat more days of absence than the game's budget, as its
    moderator; returns how many he has then."""
    tenure = tenure_of(session, game, seat)
    tenure.extra_absence_days += days
    session.add(tenure)
    session.flush()
    append(session, game, "absence-granted", now, author, seat=seat,
           public={"seat": seat, "days": days})  # fmt: skip
    recompute(session, game, now, author, "absence", seat)
    return options_of(game).absence_days + tenure.extra_absence_days


def shares(session: Session, person: Person) -> list[Share]:
    """What each of a person's running games grants of his absences."""
    return [share(session, game, person) for game, _ in games_of(session, person)]


def share(session: Session, game: Game, person: Person) -> Share:
    number = id_of(person)
    granted = deadlines.absences_granted(session, game, number)
    since = game.started_at or game.created_at
    asked = [
        (max(start, since), end)
        for start, end in map(deadlines.span_of, deadlines.absences_of(session, number, game))
        if end > since
    ]
    missing = days_of(asked) - days_of(granted)
    return Share(game, deadlines.budget_of(session, game, number), days_of(granted), missing > 0)


def games_of(session: Session, person: Person) -> list[tuple[Game, int]]:
    """The running games somebody plays in, with his seats; those that are halted follow when
    they are mended."""
    rows = session.exec(
        tables_of(id_of(person))
        .where(
            Game.status == "running",
            col(Game.halted_at).is_(None),  # what is broken there must not be everybody's trouble
        )
        .order_by(col(Game.id))
    )
    return list(rows.all())


def recompute(
    session: Session, game: Game, now: datetime, author: Author, why: str, seat: int | None = None
) -> None:
    """Work the deadlines of a table (of one seat) out anew, and the clock's next alarm."""
    for wait in deadlines.open_waits(session, game):
        if seat is None or wait.seat == seat:
            deadlines.move(session, game, wait, now, author, why)
    deadlines.set_alarm(session, game, now)


def _end(session: Session, absence: Absence, now: datetime) -> None:
    if absence.starts_at >= now:
        absence.cancelled_at = now
    else:
        absence.ended_at = now
    session.add(absence)
    session.flush()


def _follow(
    session: Session, site: Site, now: datetime, author: Author, person: Person, why: str,
    absence: Absence | None = None,
) -> None:  # fmt: skip
    """Tell his tables, and let their clocks follow.  One that cannot is left to the clock,
    which looks at it next and halts it alone."""
    places = games_of(session, person)
    lock_tables(session, [id_of(game) for game, _ in places])
    for game, seat in places:
        try:
            with session.begin_nested():
                if absence is None:
                    append(session, game, "back", now, author, seat=seat, public={"seat": seat})
                recompute(session, game, now, author, why, seat)
                if absence is not None:
                    _tell(session, site, now, author, game, seat, absence)
        except (KeyError, ValueError):
            log.exception("game %s could not be told of an absence", game.id)
            game.alarm_at = now
            session.add(game)


def _tell(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int,
    absence: Absence,
) -> None:  # fmt: skip
    facts = {"seat": seat, "first": absence.first_day, "last": absence.last_day,
             "kind": absence.kind}  # fmt: skip
    append(session, game, "absence", now, author, seat=seat, public=facts)
    announce.absence(session, site, now, game, seat, facts)
