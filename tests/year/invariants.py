"""What must hold when a simulated year is over, checked over the log and the rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from pbem.desk import reliability
from pbem.desk.voting import OPEN_FOR
from pbem.store import (
    Absence,
    Event,
    Game,
    Letter,
    Outage,
    Person,
    Reliability,
    Reminder,
    Seat,
    Tenure,
    Wait,
)
from pbem.store.log import events_of
from pbem.store.options import options_of
from pbem.store.positions import position_now, replayed
from pbem.store.rows import id_of
from pbem.timing import PerTurn, Terms
from pbem.timing.off import merged, overlap
from tests.year.people import Player

Span = tuple[datetime, datetime]
STEP = timedelta(minutes=10)
GAP = timedelta(hours=2)
AGAIN = timedelta(days=1)


def check(session: Session, players: dict[int, Player], down: Sequence[Span]) -> Counter[str]:
    """All of it; returns how much of what there was."""
    found: Counter[str] = Counter()
    for game in session.exec(select(Game)):
        found[f"games {game.status}"] += 1
        events = events_of(session, game)
        found["events"] += len(events)
        _log_is_whole(session, game, events)
        _seats_have_one_holder_each(session, game)
        _nothing_stands_still(session, game)
        for event in events:
            found[event.kind] += 1
            if event.channel == "clock":
                assert not _inside(event.at, down), (game.id, event.seq, "in an outage")
        found["misses checked"] += _misses_are_just(session, game, events, players, down)
        found["ends checked"] += _ends_are_just(session, game, events, down)
    found["reminders"] = _no_reminder_twice(session)
    _everybody_was_asked(session)
    _reliability_adds_up(session)
    return found


def _log_is_whole(session: Session, game: Game, events: Sequence[Event]) -> None:
    assert [one.seq for one in events] == list(range(1, game.seq + 1)), game.id
    if game.position is not None:
        assert replayed(session, game).to_json() == position_now(game).to_json(), game.id


def _seats_have_one_holder_each(session: Session, game: Game) -> None:
    for seat in session.exec(select(Seat).where(Seat.game_id == game.id)):
        tenures = session.exec(
            select(Tenure).where(Tenure.seat_id == seat.id).order_by(col(Tenure.id))
        ).all()
        assert [one.until_seq for one in tenures].count(None) == 1, (game.id, seat.number)
        for before, after in pairwise(tenures):
            assert before.until_seq == after.from_seq, (game.id, seat.number)
            assert before.left, (game.id, seat.number)


def _nothing_stands_still(session: Session, game: Game) -> None:
    """Whatever runs still has something that will move it on."""
    if game.status != "running":
        assert game.alarm_at is None, (game.id, game.status)
        waits = select(Wait).where(Wait.game_id == game.id, col(Wait.ended_at).is_(None))
        assert session.exec(waits).first() is None, game.id
    else:
        assert game.halted_at is None, game.id
        assert game.alarm_at is not None or game.bot_waits, game.id


def _misses_are_just(
    session: Session, game: Game, events: Sequence[Event], players: dict[int, Player],
    down: Sequence[Span],
) -> int:  # fmt: skip
    """Whoever missed a turn at so many hours a turn really had them, counted naively, minute
    by minute: without nights, outages, pauses and absences."""
    pauses = _pauses(session, game)
    checked = 0
    for event in events:
        if event.kind != "missed":
            continue
        seat = event.public["seat"]
        wait = session.exec(
            select(Wait)
            .where(Wait.game_id == game.id, Wait.seat == seat, col(Wait.since) < event.at)
            .order_by(col(Wait.since).desc(), col(Wait.id).desc())
            .limit(1)
        ).one()
        terms = Terms.from_json(wait.terms)
        if not isinstance(terms.control, PerTurn):
            continue
        had = _counted(wait.since, event.at, [*down, *pauses, *_absences(session, game, wait)],
                       terms)  # fmt: skip
        wanted = timedelta(seconds=terms.control.seconds)
        assert had >= wanted - 2 * STEP, (game.id, seat, had, wanted)
        checked += 1
    return checked


def _ends_are_just(
    session: Session, game: Game, events: Sequence[Event], down: Sequence[Span]
) -> int:
    """No vote was closed for silence, and no offered seat given to a bot, before its whole time
    had passed while the server was there."""
    options = options_of(game)
    span = (
        timedelta(hours=options.moderator_hours)
        if options.on_offer == "moderator"
        else timedelta(days=options.offer_days)
    )
    since: dict[object, datetime] = {}
    checked = 0
    for event in events:
        if event.kind in ("vote", "offered"):
            since[event.kind, event.public.get("vote", event.seat)] = event.at
        elif event.kind == "vote-over" and event.public["outcome"] == "silent":
            opened = since["vote", event.public["vote"]]
            assert _apart_from(down, opened, event.at) >= OPEN_FOR, (game.id, event.seq)
            checked += 1
        elif event.kind == "left-to-bot" and options.on_offer != "bot":
            offered = since["offered", event.seat]
            away = [*down, *_pauses(session, game)]
            assert _apart_from(away, offered, event.at) >= span, (game.id, event.seq)
            checked += 1
    return checked


def _apart_from(spans: Sequence[Span], start: datetime, end: datetime) -> timedelta:
    return end - start - overlap(merged(spans), start, end)


def _counted(start: datetime, end: datetime, off: Sequence[Span], terms: Terms) -> timedelta:
    zone, night = ZoneInfo(terms.calendar.zone), terms.calendar.night
    hours = None if night is None else tuple(map(time.fromisoformat, night.split("-")))
    had, at = timedelta(), start
    while at < end:
        if not _inside(at, off) and not _at_night(at, zone, hours) and not (
            terms.calendar.weekend and at.astimezone(zone).weekday() >= 5
        ):  # fmt: skip
            had += STEP
        at += STEP
    return had


def _at_night(at: datetime, zone: ZoneInfo, hours: tuple[time, ...] | None) -> bool:
    if hours is None:
        return False
    local, (start, end) = at.astimezone(zone).time(), hours
    return start <= local < end if start < end else local >= start or local < end


def _absences(session: Session, game: Game, wait: Wait) -> Iterable[Span]:
    """His absences, if the game's budget covers all of them; else none of them is certain."""
    rows = session.exec(
        select(Absence).where(
            Absence.person_id == wait.person_id, col(Absence.cancelled_at).is_(None)
        )
    ).all()
    spans = [
        (one.starts_at, min(one.ends_at, one.ended_at or one.ends_at))
        for one in rows
        if one.game_id in (None, game.id)
    ]
    days = sum(((end - start) / timedelta(days=1) + 1 for start, end in spans), 0.0)
    return spans if days <= options_of(game).absence_days else []


def _pauses(session: Session, game: Game) -> list[Span]:
    rows = session.exec(select(Outage).where(Outage.game_id == game.id))
    return [(row.starts_at, row.ends_at) for row in rows]


def _no_reminder_twice(session: Session) -> int:
    """No wait is reminded of one rung twice at the same deadline, nor of a moved one within
    hours, and no letter says the same again; where there is no deadline, not for a day."""
    rungs: defaultdict[tuple[int, str], list[Reminder]] = defaultdict(list)
    letters: defaultdict[str, list[tuple[int, str | None, datetime]]]
    letters = defaultdict(list)
    for row in session.exec(select(Reminder).order_by(col(Reminder.at))):
        rungs[row.wait_id, row.key.rpartition(":")[2]].append(row)
    for (wait_id, rung), rows in rungs.items():
        for before, after in pairwise(rows):
            assert after.at - before.at >= GAP, (wait_id, rung, before.at, after.at)
            assert after.key != before.key, (wait_id, rung)
    for letter in session.exec(select(Letter).where(Letter.kind == "reminder")):
        told = (letter.context["rung"], letter.context.get("due"), letter.created_at)
        letters[str(letter.once).split(":")[1]].append(told)  # by the number of the wait
    for wait, texts in letters.items():
        for one, two in pairwise(texts):
            assert one[:2] != two[:2] or two[2] - one[2] > AGAIN, (wait, one, two)
    once = Counter(session.exec(select(Letter.once).where(col(Letter.once).is_not(None))))
    assert all(count == 1 for count in once.values())
    return sum(map(len, rungs.values()))


def _everybody_was_asked(session: Session) -> None:
    """Nobody was waited for who had not been asked for this very decision by a letter.  (When
    it was asked does not matter: a table that gets deadlines later counts from then on.)"""
    kinds = ("your-turn", "choose-pet", "begins")
    asked = {
        (letter.game_id, letter.seat, letter.person_id, letter.decision)
        for letter in session.exec(select(Letter).where(col(Letter.kind).in_(kinds)))
    }
    for wait in session.exec(select(Wait).where(col(Wait.missed) > 0)):
        wanted = (wait.game_id, wait.seat, wait.person_id, wait.decision)
        assert wanted in asked, (*wanted, wait.since)


def _reliability_adds_up(session: Session) -> None:
    for person in session.exec(select(Person)):
        number = id_of(person)
        counted = session.get(Reliability, number) or Reliability(person_id=number)
        again = reliability.recounted(session, number)
        for name in ("on_time", "late", "missed"):
            assert getattr(counted, name) == getattr(again, name), (number, name)


def _inside(at: datetime, spans: Iterable[Span]) -> bool:
    return any(start < at < end for start, end in spans)
