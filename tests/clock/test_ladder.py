"""What happens at a deadline: grace, misses, the seat that is offered; races."""

import threading
from datetime import timedelta

import pytest
from sqlmodel import select

from engine.game import apply
from engine.moves import Gather, Pet
from pbem.clock import sweep
from pbem.clock.ladder import CLOCK, at_deadline
from pbem.desk import deadlines, turns
from pbem.installation import Installation
from pbem.store import Game
from pbem.store.log import Author
from pbem.store.positions import position_now
from tests.clock.people import (
    change,
    events,
    letters,
    seat_row,
    settled_mail,
    spoil,
    take_first,
    unread_mail,
    waits,
)
from tests.conftest import HandClock
from tests.desk.table import Table


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation, hours=48)


def _late(table: Table, seat: int) -> list[str]:
    return [one.context["what"] for one in table.letters(seat, "deadline-missed")]


def test_first_a_grace_then_a_miss_then_the_seat_is_offered(table: Table, clock: HandClock) -> None:
    clock.advance(hours=48)
    sweep(table.installation)
    (wait,) = waits(table)
    assert wait.due_at == clock() + timedelta(hours=24)
    assert table.game().due_at == wait.due_at
    assert _late(table, 0) == _late(table, 1) == ["grace"]
    clock.advance(hours=24)
    sweep(table.installation)
    (wait,) = waits(table)
    assert (wait.missed, seat_row(table, 0).misses) == (1, 1)
    assert wait.due_at == clock() + timedelta(hours=48)  # the time of a turn begins anew
    assert _late(table, 0)[1:] == ["wait"]
    clock.advance(hours=48)
    sweep(table.installation)
    (wait,) = waits(table)
    assert (wait.due_at, seat_row(table, 0).misses) == (None, 2)
    assert seat_row(table, 0).offered_at == clock()
    assert _late(table, 0)[2:] == ["offer"]
    kinds = [one.kind for one in events(table, "deadline", "deadline-moved", "missed", "offered")]
    assert kinds == ["deadline", "deadline-moved", "deadline", "missed", "deadline-moved",
                     "deadline", "missed", "offered", "deadline-moved"]  # fmt: skip


def test_a_turn_in_the_grace_is_no_miss_and_graces_are_counted(
    table: Table, clock: HandClock
) -> None:
    for used in (1, 2, 3, 3):
        assert table.to_move() == (0,)
        clock.advance(hours=48)
        sweep(table.installation)
        assert seat_row(table, 0).graces == used
        clock.advance(hours=1)
        for _ in range(3):
            assert take_first(table) == "done"
    assert seat_row(table, 0).misses == 0  # the fourth was missed, and then it came after all
    assert [one.missed for one in waits(table, ended=True) if one.seat == 0] == [0, 0, 0, 1, 0]


def test_without_grace_the_first_deadline_is_missed(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, hours=10, grace_hours=0, misses_before_offer=1)
    clock.advance(hours=10)
    sweep(installation)
    assert _late(table, 1) == ["offer"]


def test_a_grace_found_late_is_a_whole_grace(table: Table, clock: HandClock) -> None:
    clock.advance(hours=60)  # nobody looked
    sweep(table.installation)
    assert waits(table)[0].due_at == clock() + timedelta(hours=24)


def test_at_deadline_does_nothing_before_it_and_nothing_twice(
    table: Table, clock: HandClock
) -> None:
    installation = table.installation

    def reach(seat: int) -> object:
        with installation.store.work() as session:
            game = session.get_one(Game, table.game_id)
            return at_deadline(session, installation.site, clock(), game, seat)

    assert reach(0) is None
    assert reach(1) is None
    clock.advance(hours=48)
    assert reach(0) is not None
    assert reach(0) is None


# -- races


def test_a_turn_that_came_in_the_second_of_the_deadline_counts(
    table: Table, clock: HandClock
) -> None:
    clock.advance(hours=48)
    mail_id = unread_mail(table, clock())
    assert sweep(table.installation) == 1
    assert events(table, "deadline") == []  # a mail from before the deadline is not read yet
    clock.advance(seconds=20)
    assert sweep(table.installation) == 0
    assert take_first(table, channel="mail") == "done"
    settled_mail(table, mail_id)
    clock.advance(minutes=1)
    sweep(table.installation)
    assert events(table, "deadline") == []
    assert seat_row(table, 0).misses == 0


def test_a_mail_after_the_deadline_does_not_hold_it_up(table: Table, clock: HandClock) -> None:
    clock.advance(hours=48, seconds=1)
    unread_mail(table, clock())
    sweep(table.installation)
    assert len(events(table, "deadline")) == 1


def test_a_turn_pays_from_when_its_mail_came_not_from_when_it_was_read(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, time="bank 10h + 2h", free_hours=1)
    clock.advance(hours=5)
    mail_id = unread_mail(table, clock())
    clock.advance(hours=3)
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        move = Gather(table.view(0).display[0])
        author = Author("mail", None, mail_id)
        turns.play(session, installation.site, clock(), author, game, 0, move)
    assert seat_row(table, 0).bank_seconds == (10 + 2 - 4) * 3600
    assert waits(table, ended=True)[0].ended_at == clock() - timedelta(hours=3)


def test_two_sweeps_at_once_do_everything_once(table: Table, clock: HandClock) -> None:
    others = [Table.begun(table.installation, hours=48, seed=f"{n}") for n in range(3)]
    for hours in (24, 24, 24):
        clock.advance(hours=hours)
        threads = [threading.Thread(target=sweep, args=(table.installation,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for one in (table, *others):
        assert len(events(one, "deadline")) == 2
        assert len(events(one, "missed")) == 1
        assert _late(one, 0) == ["grace", "wait"]
    sent = letters(table, "reminders")
    assert len({one.once for one in sent}) == len(sent)


def test_a_turn_and_a_sweep_at_once(table: Table, clock: HandClock) -> None:
    clock.advance(hours=48)
    outcome: list[str] = []
    threads = [
        threading.Thread(target=sweep, args=(table.installation,)),
        threading.Thread(target=lambda: outcome.append(take_first(table, 0))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcome == ["done"]
    assert table.to_move() == (1,)
    (wait,) = waits(table)
    assert (wait.seat, wait.due_at) == (1, clock() + timedelta(hours=48))
    assert len(events(table, "deadline")) <= 1
    assert seat_row(table, 0).misses == 0


def test_a_restart_in_the_middle_repeats_nothing(
    table: Table, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.advance(hours=48)

    def die(*_: object) -> None:
        raise SystemExit  # the process is killed before the commit

    with monkeypatch.context() as patched:
        patched.setattr(deadlines, "set_alarm", die)
        with pytest.raises(SystemExit):
            sweep(table.installation)
    assert events(table, "deadline") == []
    assert table.letters(0, "deadline-missed") == []
    sweep(table.installation)
    sweep(table.installation)
    assert len(events(table, "deadline")) == 1
    assert _late(table, 0) == ["grace"]


def test_a_table_that_fails_is_tried_three_times_and_halted_alone(
    table: Table, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    other = Table.begun(table.installation, hours=48, seed="other")
    spoil(waits(table)[0], table)
    clock.advance(hours=24)
    for _ in range(4):
        sweep(table.installation)
        clock.advance(minutes=10)
    game = table.game()
    assert (game.failures, game.alarm_at) == (3, None)
    assert game.halted_at is not None
    assert "is halted" in caplog.text
    assert [one.kind for one in other.letters(0) if one.kind.startswith("remind")] == ["reminder"]


# -- several at once


def in_the_pet_phase(installation: Installation) -> Table:
    """A table at which all three choose their pets."""
    table = Table.begun(installation, hours=48)
    while len(table.to_move()) < 3:
        assert take_first(table) == "done"
    return table


def test_in_the_pet_phase_each_has_his_own_deadline_and_all_late_get_one_letter(
    installation: Installation, clock: HandClock
) -> None:
    table = in_the_pet_phase(installation)
    assert [wait.seat for wait in waits(table)] == [0, 1, 2]
    table.order(1, "vacation 2026-12-01 to 2026-12-02")
    table.order(0, "pet none")
    assert [wait.seat for wait in waits(table)] == [1, 2]
    one, two = waits(table)
    assert one.due_at is not None
    assert two.due_at is not None
    assert one.due_at > two.due_at == table.game().due_at
    clock.advance(hours=48)
    sweep(installation)
    assert [letter.context["late"] for letter in table.letters(1, "deadline-missed")] == [[2]]
    assert {event.channel for event in events(table, "deadline")} == {CLOCK.channel}


def test_who_is_late_with_a_pet_and_next_to_move_is_asked_for_his_turn(
    installation: Installation, clock: HandClock
) -> None:
    """He gets word of what was done for him, and the letter of his turn beside it."""
    table = in_the_pet_phase(installation)
    later = position_now(table.game())
    for seat in range(3):
        apply(later, seat, Pet(None))
    (late,) = later.to_move
    for seat in {0, 1, 2} - {late}:
        table.order(seat, "pet none")
    for hours in (48, 24):  # his time, and the grace
        clock.advance(hours=hours)
        sweep(installation)
    assert table.to_move() == (late,)
    assert [one.context["how"] for one in table.letters(late, "played-for-you")] == ["default"]
    asked = table.letters(late, "your-turn")[-1]
    assert (asked.created_at, asked.state) == (clock(), "queued")


def test_game_over_stops_the_clock(installation: Installation, clock: HandClock) -> None:
    table = Table.begun(installation, hours=48)
    change(table, status="ended")
    clock.advance(hours=100)
    assert sweep(installation) == 1
    assert sweep(installation) == 0
    assert events(table, "deadline") == []


# -- tables that are broken


@pytest.mark.parametrize(
    "broken",
    [
        {"options": {"control": {"kind": "nonsense"}}},
        {"position": "nonsense"},
        {"options": []},
        {"seed": None, "position": "{}"},
        {"name": "x", "zone": "Mars/Olympus", "setup": {}, "position": "[]"},
    ],
)
def test_whatever_is_broken_one_table_is_halted_and_the_others_go_on(
    table: Table, clock: HandClock, broken: dict[str, object]
) -> None:
    other = Table.begun(table.installation, hours=48, seed="other", grace_hours=0, on_miss="bot")
    change(table, **broken)
    for hours in (48, *[0.2] * 8, 24, *[0.2] * 8, 48, *[0.2] * 8):
        clock.advance(hours=hours)
        sweep(table.installation)
    with table.installation.store.read() as session:
        halted, alarm = session.exec(
            select(Game.halted_at, Game.alarm_at).where(Game.id == table.game_id)
        ).one()
    assert (halted is not None, alarm) == (True, None)
    assert other.game().halted_at is None
    assert events(other, "missed")[0].seat == 0


def test_a_broken_wait_at_one_table_is_no_trouble_of_another(
    table: Table, clock: HandClock
) -> None:
    other = Table.begun(table.installation, hours=48, seed="other")
    spoil(waits(table)[0], table)
    change(table, alarm_at=None)  # the clock will not come to it by itself
    clock.advance(hours=24)
    assert sweep(table.installation) == 1
    assert len(letters(other, "reminder")) == 1
    assert other.order(0, "vacation 5 Dec to 9 Dec").outcome == "done"
    assert len(events(other, "absence")) == 1
    assert events(table, "absence") == []
    for _ in range(4):
        sweep(table.installation)
        clock.advance(minutes=10)
    assert table.game().halted_at is not None
    clock.advance(days=3)
    assert take_first(other) == "done"
