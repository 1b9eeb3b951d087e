"""Outages, a clock that jumps, the panic switch, and what is late."""

from datetime import timedelta

import pytest
from click.testing import CliRunner
from flask import Flask

from pbem.app import create_app
from pbem.cli import main
from pbem.clock import Steady, mail_outage, sweep
from pbem.clock.canary import late
from pbem.clock.pulse import GAP
from pbem.installation import Installation
from pbem.store import Game, Heartbeat
from tests.clock.machine import Machine
from tests.clock.people import events, settle, take_first, unread_mail, waits
from tests.conftest import HandClock
from tests.desk.table import Table

HOUR = timedelta(hours=1)


@pytest.fixture
def machine(installation: Installation, clock: HandClock) -> Machine:
    found = Machine(installation, clock)
    found.ticks()
    return found


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation, hours=48)


def due(table: Table) -> object:
    return waits(table)[0].due_at


def why(table: Table) -> list[str]:
    return [one.public["why"] for one in events(table, "deadline-moved")]


def test_beats_without_a_gap_are_no_outage(machine: Machine, table: Table) -> None:
    before = due(table)
    for _ in range(20):
        machine.passes(hours=0.04)
        machine.ticks()
    assert due(table) == before
    assert why(table) == []


def test_the_time_a_server_was_down_is_given_back(machine: Machine, table: Table) -> None:
    before = due(table)
    machine.runs(10)
    machine.passes(hours=60)  # past the deadline, past every reminder
    machine.ticks()
    assert table.letters(0, "reminder") == []
    assert events(table, "deadline") == []
    assert due(table) == before + 60 * HOUR  # type: ignore[operator]
    assert why(table) == ["outage"]
    assert table.game().due_at == due(table)
    machine.ticks()
    assert why(table) == ["outage"]
    machine.runs(14.1)
    assert len(table.letters(0, "reminder")) == 1  # at half of the time, counted


def test_a_restart_of_the_machine_is_an_outage_too(machine: Machine, table: Table) -> None:
    before = due(table)
    machine.passes(hours=5)
    machine.restarts()
    machine.ticks()
    assert due(table) == before + 5 * HOUR  # type: ignore[operator]


def test_a_wait_that_begins_after_an_outage_is_not_credited(
    machine: Machine, table: Table, clock: HandClock
) -> None:
    machine.passes(hours=5)
    machine.ticks()
    take_first(table)
    assert due(table) == clock() + 48 * HOUR
    machine.ticks()
    assert why(table) == ["outage"]


def test_a_daily_deadline_moves_by_the_outage(
    installation: Installation, machine: Machine, clock: HandClock
) -> None:
    table = Table.begun(installation, time="daily 20:00 UTC")
    machine.passes(hours=3)
    machine.ticks()
    assert due(table) == clock().replace(hour=23)


def test_lost_mail_is_no_ones_fault(machine: Machine, table: Table, clock: HandClock) -> None:
    machine.runs(20)
    before = due(table)
    with machine.installation.store.work() as session:
        assert mail_outage(session, clock() - 6 * HOUR, clock() - HOUR, clock()) is not None
        assert mail_outage(session, clock() - HOUR, clock() - 6 * HOUR, clock()) is None
        assert mail_outage(session, clock(), clock() + HOUR, clock()) is None
    machine.ticks()
    assert due(table) == before + 5 * HOUR  # type: ignore[operator]


# -- a clock that cannot be believed


@pytest.mark.parametrize("hours", [-2, 30, 24 * 365])
def test_nothing_is_due_by_a_clock_that_jumped(
    machine: Machine, table: Table, hours: float, clock: HandClock
) -> None:
    before = due(table)
    machine.passes(hours=0.01)
    machine.jumps(hours)
    for _ in range(3):
        machine.passes(hours=0.01)
        assert machine.ticks() == 0
        assert sweep(machine.installation) == 0
    assert table.letters(0, "reminder") == []
    machine.jumps(-hours)  # it is right again, without anybody's help
    machine.ticks()
    assert due(table) >= before  # type: ignore[operator]
    assert due(table) <= before + HOUR  # type: ignore[operator]
    machine.runs(25)
    assert len(table.letters(0, "reminder")) == 1


def test_a_wait_begun_by_a_wrong_clock_begins_when_it_is_right(
    machine: Machine, table: Table, clock: HandClock
) -> None:
    machine.jumps(-24 * 365)
    machine.ticks()
    take_first(table)
    assert waits(table)[0].unsure
    machine.jumps(24 * 365)
    machine.ticks()
    (wait,) = waits(table)
    assert (wait.unsure, wait.since) == (False, clock())
    assert wait.due_at == clock() + 48 * HOUR
    assert events(table, "deadline") == []


@pytest.mark.parametrize("hours", [-30, 30])
def test_somebody_confirms_the_clock(
    machine: Machine, table: Table, hours: float, clock: HandClock
) -> None:
    machine.passes(hours=1)
    machine.ticks()
    before = due(table)
    machine.jumps(hours)
    machine.ticks()
    with machine.installation.store.work() as session:
        from pbem.clock import confirm

        assert confirm(session, clock(), Steady(machine.boot, machine.seconds))
        assert not confirm(session, clock(), Steady(machine.boot, machine.seconds))
    machine.passes(hours=0.01)
    machine.ticks()
    assert due(table) == before + max(0, hours) * HOUR  # type: ignore[operator]


def test_a_machine_that_was_off_for_a_year_is_asked_about(machine: Machine, table: Table) -> None:
    machine.restarts()
    machine.jumps(24 * 365)
    assert machine.ticks() == 0
    with machine.installation.store.read() as session:
        assert "forward" in late(session, machine.clock())[0]


def test_setting_the_clock_by_seconds_is_no_jump(machine: Machine, table: Table) -> None:
    for seconds in (-20, 30, -40):
        machine.jumps(seconds / 3600)
        machine.passes(hours=0.01)
        machine.ticks()
    with machine.installation.store.read() as session:
        assert late(session, machine.clock()) == []


# -- the panic switch


def test_stopping_and_starting_at_once_moves_no_deadline(
    machine: Machine, table: Table, clock: HandClock
) -> None:
    before = due(table)
    assert "stopped" in command("stop", clock)
    with machine.installation.store.read() as session:
        assert session.get_one(Heartbeat, 1).stopped_at is not None
    assert "already" in command("stop", clock)
    assert "stopped" in command("status", clock)
    assert "running" in command("start", clock)
    assert "running already" in command("start", clock)
    assert "not doubted" in command("confirm", clock)
    assert due(table) == before


def test_what_passes_while_stopped_is_given_back(
    machine: Machine, table: Table, clock: HandClock
) -> None:
    from pbem.clock import start, stop

    before = due(table)
    with machine.installation.store.work() as session:
        assert stop(session, clock())
    machine.runs(100)
    take = take_first(table, 0)
    assert take == "done"  # who wants to play may
    with machine.installation.store.work() as session:
        row = session.get_one(Game, table.game_id)
        assert row.status == "running"
        assert start(session, clock()) is not None
    machine.ticks()
    assert events(table, "deadline") == []
    assert due(table) == clock() + 48 * HOUR
    assert before is not None


def command(action: str, clock: HandClock) -> str:
    done = CliRunner().invoke(main, ["clock", action])
    assert done.exit_code == 0, done.output
    return done.output


# -- what is late


@pytest.fixture
def app(installation: Installation) -> Flask:
    return create_app(installation)


def test_health_says_what_is_late(
    machine: Machine, table: Table, clock: HandClock, app: Flask
) -> None:
    client = app.test_client()
    assert client.get("/health").status_code == 200
    unread_mail(table, clock())
    clock.advance(minutes=11)
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json is not None
    assert any("a mail waits" in one for one in answer.json["late"])
    assert any("has not looked" in one for one in answer.json["late"])


def test_the_canary_sings_once_an_hour(
    machine: Machine, table: Table, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    unread_mail(table, clock())
    for _ in range(12):
        machine.passes(hours=0.03)
        machine.ticks()
    assert caplog.text.count("late: a mail waits to be read") == 1


def test_a_stopped_clock_is_told_and_is_not_late(
    machine: Machine, clock: HandClock, app: Flask
) -> None:
    from pbem.clock import stop

    with machine.installation.store.work() as session:
        stop(session, clock())
    answer = app.test_client().get("/health")
    assert (answer.status_code, answer.json and answer.json["clock"]) == (200, "stopped")


def test_an_outage_is_longer_than_the_pause_between_beats() -> None:
    assert timedelta(seconds=30) < GAP < timedelta(minutes=10)


def test_a_bot_that_does_not_move_and_a_days_letter_are_late(
    machine: Machine, installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, players=2, bots=("greedy",))
    settle(table, 0, digest_at=clock())
    take_first(table)
    take_first(table)
    assert table.game().bot_waits
    machine.passes(hours=0.15)
    with installation.store.read() as session:
        assert not [one for one in late(session, clock()) if "bot" in one or "day's" in one]
    machine.passes(hours=0.02)
    with installation.store.read() as session:
        found = " ".join(late(session, clock()))
    assert "a bot is to move since" in found
    assert "a day's letter waits" in found
