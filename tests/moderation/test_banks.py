"""Going back gives time back: the banks hold what they held then, and nobody loses what he was
given since."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import timedelta

from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlmodel import Session, col, select

from engine.game import legal_moves
from pbem.clock import sweep
from pbem.desk import rolling_back, turns
from pbem.installation import Installation
from pbem.letters.render import render
from pbem.moderation import Outcome, Target, prepare
from pbem.store import Game, Seat
from pbem.store.log import Author
from pbem.store.positions import position_now
from pbem.store.tenures import tenure_of
from tests.clock.people import seat_row, waits
from tests.conftest import HandClock
from tests.desk.seats import late, somebody, write
from tests.desk.table import Table
from tests.examples import examples
from tests.moderation.doing import COMMAND_LINE, do, undo

HOUR = 3600
BANK = "bank 20h + 2h cap 30h"


class _TakenBack(Exception):
    """So that the next example finds the same database."""


def _banks(session: Session, game: Game) -> list[int | None]:
    seats = select(Seat.bank_seconds).where(Seat.game_id == game.id)
    return list(session.exec(seats.order_by(col(Seat.number))))


@examples(8, HealthCheck.function_scoped_fixture)
@given(
    steps=st.lists(
        st.tuples(st.booleans(), st.integers(0, 10_000), st.integers(0, 24)),
        min_size=3, max_size=14,
    )
)  # fmt: skip
def test_banks_hold_what_they_held_then(
    installation: Installation, steps: list[tuple[bool, int, int]]
) -> None:
    """Turns that take some hours, and rollbacks to any event, also to one that was undone."""
    table, chance = Table.begun(installation, time=BANK, free_hours=1), random.Random(1)
    author, now = Author("cli"), installation.clock()
    with suppress(_TakenBack), installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        first = game.seq
        known = {first: _banks(session, game)}
        for back, number, hours in steps:
            before, now = game.seq, now + timedelta(hours=hours)
            if back and game.seq > first:
                to = first + number % (game.seq - first)
                event = rolling_back.roll_back(session, now, author, game, to)
                assert _banks(session, game) == known[to]
                told = event.public["banks"]
                assert [now for _was, now in told.values()] == known[to]
                assert [was for was, _now in told.values()] == known[before]
            else:
                position = position_now(game)
                seat = position.to_move[0]
                move = chance.choice(legal_moves(position, seat))
                turns.play(session, installation.site, now, author, game, seat, move)
            session.flush()
            known |= dict.fromkeys(range(before + 1, game.seq + 1), _banks(session, game))
        raise _TakenBack


def _back(table: Table, to: int) -> Outcome:
    return do(table.installation, "roll-back", Target(table.game_id), to=str(to), messages="keep")


def _start(table: Table) -> int:
    return next(one.seq for one in table.events() if one.kind == "started")


def _first(table: Table) -> None:
    seat = table.to_move()[0]
    assert table.play(legal_moves(position_now(table.game()), seat)[0]).outcome == "done"


def test_a_missed_deadline_costs_nothing_any_more(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, time=BANK, free_hours=0, grace_hours=0, misses_before_offer=9)
    start = _start(table)
    late(table, clock, 22)
    assert seat_row(table, 0).bank_seconds == 0
    to = {"to": str(start), "messages": "keep"}
    _first(table)
    shown = prepare(installation, COMMAND_LINE, None, "roll-back", Target(table.game_id), to)
    [bank] = [one for one in shown.changes if one.what == "bank of Ann"]
    assert (bank.before, bank.after) == ("empty", "whole")
    assert seat_row(table, 0).bank_seconds == 0, "a preview changes nothing"
    done = _back(table, start)
    assert done.ok, done.sentence
    assert seat_row(table, 0).bank_seconds is None
    assert waits(table)[0].bank_seconds == 22 * HOUR
    [letter] = table.letters(0, "rollback")
    with installation.store.read() as session:
        text = render(session, installation.site, letter).text
    assert "banks of time hold again" in " ".join(text.split())
    assert undo(installation, done).ok
    assert seat_row(table, 0).bank_seconds == 0


def test_a_bank_is_whole_again_under_another_time_control(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, time=BANK, free_hours=0)
    start = _start(table)
    clock.advance(hours=5)
    _first(table)
    assert do(installation, "pace", Target(table.game_id), control="48h").ok
    _first(table)
    assert _back(table, start).ok
    assert [seat_row(table, seat).bank_seconds for seat in range(3)] == [None] * 3


def test_time_given_since_is_not_lost(installation: Installation, clock: HandClock) -> None:
    """It goes into the bank, up to the cap, and once."""
    table = Table.begun(installation, time=BANK, free_hours=0)
    start, bo = _start(table), Target(table.game_id, seat=1)
    clock.advance(hours=10)
    _first(table)
    assert do(installation, "more-time", bo, span="5h").ok
    assert _back(table, start).ok
    assert [seat_row(table, seat).bank_seconds for seat in range(3)] == [None, 25 * HOUR, None]
    _first(table)
    assert waits(table)[0].bank_seconds == 27 * HOUR
    given = table.game().seq
    assert do(installation, "more-time", bo, span="10d").ok
    done = _back(table, start)
    assert seat_row(table, 1).bank_seconds == 30 * HOUR
    assert undo(installation, done).ok
    assert seat_row(table, 1).bank_seconds == 30 * HOUR
    clock.advance(hours=7)
    _first(table)
    assert seat_row(table, 1).bank_seconds == (30 - 7) * HOUR
    assert _back(table, given).ok
    assert seat_row(table, 1).bank_seconds == 30 * HOUR


def test_misses_since_count_against_nobody(installation: Installation, clock: HandClock) -> None:
    table = Table.begun(installation, hours=10, grace_hours=5, graces=3, misses_before_offer=9)
    start = _start(table)
    late(table, clock, 10)
    after_grace = table.game().seq
    late(table, clock, 5)
    assert (seat_row(table, 0).misses, seat_row(table, 0).graces) == (1, 1)
    missed = table.game().seq
    late(table, clock, 10)
    assert seat_row(table, 0).misses == 2
    for to, misses, graces in ((missed, 1, 1), (after_grace, 0, 1), (start, 0, 0)):
        _first(table)
        with installation.store.work() as session:
            row = session.get_one(Seat, seat_row(table, 0).id)
            row.misses, row.graces = 2, 2
            session.add(row)
        assert _back(table, to).ok
        row = seat_row(table, 0)
        assert (row.misses, row.graces) == (misses, graces)


def test_what_was_forgiven_once_is_no_miss_of_later(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, hours=10, grace_hours=5, graces=3, misses_before_offer=9)
    start = _start(table)
    late(table, clock, 10)
    late(table, clock, 5)
    _first(table)
    assert _back(table, start).ok
    forgiven = table.game().seq
    late(table, clock, 10)
    late(table, clock, 5)
    assert (seat_row(table, 0).misses, seat_row(table, 0).graces) == (1, 1)
    _first(table)
    assert _back(table, forgiven).ok
    assert (seat_row(table, 0).misses, seat_row(table, 0).graces) == (0, 0)


def test_who_is_asked_again_has_no_less_time(installation: Installation, clock: HandClock) -> None:
    table = Table.begun(installation, hours=48)
    start = _start(table)
    for _turn in range(3):
        _first(table)
    assert do(installation, "more-time", Target(table.game_id, seat=0), span="10d").ok
    due = waits(table)[0].due_at
    assert _back(table, start).ok
    assert (waits(table)[0].seat, waits(table)[0].due_at) == (0, due)
    assert table.game().due_at == due


def test_a_newcomer_begins_with_a_whole_bank(installation: Installation, clock: HandClock) -> None:
    table = Table.begun(installation, time=BANK, free_hours=0, grace_hours=0, misses_before_offer=1)
    clock.advance(hours=1)
    for _turn in range(3):
        _first(table)
    before = table.game().seq
    late(table, clock, 30)
    assert sweep(installation) == 0
    assert write(installation, somebody(installation), f"join {table.game_id}") == "done"
    clock.advance(hours=5)
    _first(table)
    assert seat_row(table, 0).bank_seconds == 17 * HOUR
    assert _back(table, before).ok
    assert seat_row(table, 0).bank_seconds is None
    with installation.store.read() as session:
        assert tenure_of(session, table.game(), 0).from_seq > before
