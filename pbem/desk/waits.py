"""Whom a table waits for: the waits follow the position, and the clock follows the waits."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from engine.game import Position, legal_moves
from engine.moves import Move
from pbem.desk import deadlines, reliability
from pbem.letters.announce.batch import Batch, withdraw_answered
from pbem.store import Game, Heartbeat, Person, Seat, Wait, daily
from pbem.store.options import options_of
from pbem.store.people import Holder, holders, seated
from pbem.store.rows import id_of
from pbem.timing import Terms


def bots_to_move(
    session: Session, game: Game, position: Position, held: Sequence[Holder] | None = None
) -> list[tuple[int, str]]:
    """(seat, name of the bot) of the bots that are to move.  `held`: the table's holders,
    for a caller who knows them."""
    held = holders(session, game) if held is None else held
    bots = {holder.seat: holder.bot for holder in held}
    return [(seat, name) for seat in position.to_move if (name := bots.get(seat)) is not None]


def forced_to_move(
    session: Session, game: Game, position: Position, held: Sequence[Holder]
) -> list[tuple[int, Move]]:
    """Seats of people that have one legal move only, and want it to be done for them."""
    if position.phase == "main" or not options_of(game).play_forced:
        return []  # in the main phase there is always a choice
    people = {one.seat: one.person_id for one in held if one.person_id is not None}
    return [
        (seat, moves[0])
        for seat in position.to_move
        if seat in people
        and len(moves := legal_moves(position, seat)) == 1
        and session.get_one(Person, people[seat]).play_forced
    ]


def moves_at_once(
    session: Session, game: Game, position: Position, held: Sequence[Holder] | None = None
) -> bool:
    """Whether somebody is to move who is not waited for: a bot, or a player with one legal
    move who wants it to be done for him."""
    held = holders(session, game) if held is None else held
    bots = bots_to_move(session, game, position, held)
    return bool(bots or forced_to_move(session, game, position, held))


def follow(
    session: Session, game: Game, position: Position, now: datetime,
    held: Sequence[Holder] | None = None, *,
    mover: int | None = None, sent_at: datetime | None = None, outcome: str = "turn",
    away: deadlines.Away | None = None, running: Sequence[Wait] | None = None,
    batch: Batch | None = None,
) -> None:  # fmt: skip
    """Let the waits follow the position: that for the seat `mover` has ended (its turn was
    sent at `sent_at`), nobody is waited for who is not to move, and for whoever is, the
    clock starts.  A seat that goes on being asked keeps its wait.  `held`, `away`,
    `running`: the table's holders, their absences and its open waits, for a caller who knows
    them; `batch`: that in which reminders are withdrawn with those of other tables."""
    held = seated(session, game) if held is None else held
    if running is None:
        if any(isinstance(row, Wait) for row in session.new):
            session.flush()  # what the caller has begun is found, too
        with session.no_autoflush:
            running = deadlines.open_waits(session, game)
    open_now = [wait for wait in running if wait.ended_at is None]  # not yet written, maybe
    wanted = {
        holder.seat: holder.person_id
        for holder in held
        if holder.person_id is not None and holder.seat in position.to_move
    }
    if game.status != "running" or game.halted_at is not None:
        wanted = {}
    if away is None:
        people = {wait.person_id for wait in open_now} | set(wanted.values())
        away = deadlines.Away(session, game, people)
    seats = {one.seat: one.seat_id for one in held}
    with session.no_autoflush:  # nothing of what is asked here depends on what is written
        kept: list[deadlines.Times] = []
        ended = set()
        for wait in open_now:
            if wait.seat == mover:
                times = _end(session, game, wait, now, sent_at or now, outcome, away, batch)
                if outcome == "turn":
                    _settle(session, session.get_one(Seat, seats[wait.seat]), times)
            elif wanted.get(wait.seat) != wait.person_id:
                _end(session, game, wait, now, now, "void", away, batch)
            else:
                kept.append(deadlines.Times.of(session, game, wait, away))
                continue
            ended.add(wait.seat)
        asked = {one.wait.seat for one in kept}
        begun = {seat: wanted[seat] for seat in sorted(wanted) if seat not in asked}
        if not ended.isdisjoint(begun):
            session.flush()  # a seat has one open wait: the old one is closed first
        started = [
            _begin(session, game, session.get_one(Seat, seats[seat]), person_id, now, away)
            for seat, person_id in begun.items()
        ]
        deadlines.set_alarm(session, game, now, [*kept, *started])


def void(session: Session, game: Game, now: datetime) -> None:
    """Nobody is waited for any more as he was: whoever is to move next is so anew."""
    open_now = deadlines.open_waits(session, game)
    away = deadlines.Away(session, game, {wait.person_id for wait in open_now})
    for wait in open_now:
        _end(session, game, wait, now, now, "void", away)
    session.flush()


def _begin(
    session: Session, game: Game, seat: Seat, person_id: int, now: datetime,
    away: deadlines.Away,
) -> deadlines.Times:  # fmt: skip
    person = session.get_one(Person, person_id)
    terms = Terms.of(options_of(game), person.zone or game.zone, person.quiet)
    pulse = session.get(Heartbeat, 1)
    wait = Wait(
        game_id=id_of(game),
        seat=seat.number,
        person_id=person_id,
        decision=game.decision,
        since=now,
        terms=terms.to_json(),
        bank_seconds=terms.filled(seat.bank_seconds),
        outage_id=0 if pulse is None else pulse.outage_id,
        unsure=pulse is not None and pulse.suspect_since is not None,
    )
    times = deadlines.Times(wait, terms, tuple(away.granted(person_id)), ())
    wait.paused = game.paused_at is not None
    wait.due_at = None if wait.paused else times.due()
    session.add(wait)
    return times


def _end(
    session: Session, game: Game, wait: Wait, now: datetime, sent_at: datetime, outcome: str,
    away: deadlines.Away, batch: Batch | None = None,
) -> deadlines.Times:  # fmt: skip
    """Close a wait, and count how it ended."""
    wait.ended_at, wait.outcome = min(now, max(sent_at, wait.since)), outcome
    session.add(wait)
    daily.changed(session, now, wait.ended_at)
    if wait.reminded_at is not None:
        if batch is None:
            withdraw_answered(session, [wait])
        else:
            batch.answered(wait)
    times = deadlines.Times.of(session, game, wait, away)
    quiet = session.get_one(Person, wait.person_id).quiet
    reliability.count(session, wait, times.without_nights(quiet), outcome)
    return times


def _settle(session: Session, seat: Seat, times: deadlines.Times) -> None:
    """A turn by the player himself pays from his bank, and is no miss any more."""
    wait = times.wait
    seat.offered_at = seat.offer_ends_at = None
    if wait.bank_seconds is not None and wait.ended_at is not None:
        seat.bank_seconds = times.terms.left(
            wait.since, wait.ended_at, wait.bank_seconds, times.off
        )
    seat.misses = 0
    session.add(seat)
