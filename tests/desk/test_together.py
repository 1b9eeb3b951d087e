"""What a table decides together: votes, clocks that stand still, its end; and being halted."""

import sqlite3
from datetime import timedelta

import pytest
from click.testing import CliRunner
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from engine.record import read, replay
from pbem.archive.records import dump, record_of
from pbem.cli import main
from pbem.clock import sweep
from pbem.clock.reminders import Round
from pbem.desk import ending, failing, pausing, turns
from pbem.installation import Installation
from pbem.jobs.bots import play_bots_or_halt
from pbem.letters.render import render
from pbem.store import Game, Outage, Vote
from pbem.store.log import Author
from pbem.store.options import options_of
from pbem.timing import PerTurn
from tests.clock.people import change, events, take_first, waits
from tests.conftest import HandClock
from tests.desk.table import Table


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation, hours=48)


def said(table: Table, seat: int, text: str) -> str:
    answer = table.order(seat, text)
    return answer.lines[0].code or answer.outcome


def votes(table: Table) -> list[tuple[str, str | None]]:
    with table.installation.store.read() as session:
        return [(one.what, one.outcome) for one in session.exec(select(Vote).order_by(Vote.id))]


def test_a_pause_needs_everybody_and_gives_each_clock_what_it_had(
    table: Table, clock: HandClock
) -> None:
    clock.advance(hours=10)
    assert said(table, 1, "pause") == "done"
    assert said(table, 0, "vote yes") == "done"
    assert table.game().paused_at is None
    assert said(table, 2, "vote yes") == "done"
    assert table.game().paused_at == clock()
    assert votes(table) == [("pause", "agreed")]
    assert waits(table)[0].due_at is None
    clock.advance(days=9)
    sweep(table.installation)
    assert events(table, "deadline") == []
    assert said(table, 2, "resume") == "done"
    assert waits(table)[0].due_at == clock() + timedelta(hours=38)
    assert [one.public["why"] for one in events(table, "deadline-moved")] == ["pause", "pause"]
    kinds = [one.context["what"] for one in table.letters(0, "paused")]
    assert kinds == ["vote", "resumed"]


def test_turns_come_while_the_clocks_stand(table: Table, clock: HandClock) -> None:
    change(table, moderator_id=None)
    for seat in range(3):
        table.order(seat, "pause" if not seat else "vote yes")
    clock.advance(days=2)
    assert take_first(table) == "done"
    (wait,) = waits(table)
    assert (wait.seat, wait.due_at) == (1, None)
    clock.advance(days=2)
    said(table, 0, "resume")
    assert waits(table)[0].due_at == clock() + timedelta(hours=48)


def test_one_no_is_enough_and_silence_is_none(table: Table, clock: HandClock) -> None:
    assert said(table, 0, "vote end") == "done"
    assert said(table, 1, "vote pause") == "other-vote"
    assert said(table, 1, "vote no") == "done"
    assert said(table, 2, "vote yes") == "no-vote"
    assert said(table, 2, "vote time 72h") == "done"
    assert said(table, 0, "vote time 72h") == "done"
    for _ in range(3):
        take_first(table)
    clock.advance(days=5)
    sweep(table.installation)
    assert votes(table) == [("end", "refused"), ("time", "silent")]
    assert table.game().vote_ends_at is None
    outcomes = [one.context["outcome"] for one in table.letters(2, "vote-over")]
    assert outcomes == ["refused", "silent"]


def test_another_time_is_agreed_on(table: Table) -> None:
    for seat in range(3):
        assert said(table, seat, "vote time 72h") == "done"
    assert options_of(table.game()).control == PerTurn(seconds=72 * 3600)
    assert said(table, 0, "vote time 72h") == "information"
    assert said(table, 0, "vote lunch") == "vote-choice"


def test_an_end_by_consent_has_no_winner_and_no_turns(table: Table, clock: HandClock) -> None:
    take_first(table)
    for seat in range(3):
        assert said(table, seat, "vote end" if not seat else "vote yes") == "done"
    game = table.game()
    assert (game.status, game.alarm_at, game.finished_at) == ("ended", None, clock())
    (event,) = events(table, "ended")
    assert event.public["by"] == "consent"
    assert len(event.public["points"]) == 3
    assert waits(table) == []
    assert said(table, 1, f"take {table.view(1).display[0]}") == "game-over"
    with table.installation.store.read() as session:
        (record,) = read(dump(record_of(session, game)))
    assert (record.result, record.ended["by"]) == (None, "consent")
    assert not replay(record).finished
    assert len(record.turns) == 1


def test_an_emergency_stops_the_clocks_for_a_day_once(table: Table, clock: HandClock) -> None:
    assert said(table, 1, "pause now") == "done"
    assert said(table, 2, "resume") == "emergency"
    assert said(table, 2, "pause") == "information"
    clock.advance(hours=24)
    sweep(table.installation)
    assert table.game().paused_at is None
    assert waits(table)[0].due_at == clock() + timedelta(hours=48)
    assert said(table, 1, "pause now") == "emergency-used"
    assert said(table, 2, "pause now") == "done"
    assert said(table, 2, "resume") == "done"


def test_the_moderator_stops_the_clocks_by_himself(table: Table) -> None:
    assert said(table, 0, "pause") == "done"  # Ann has opened the table
    assert table.game().paused_at is not None
    assert votes(table) == []


def test_a_long_silence_is_told_and_then_ends_a_game(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, time="none", silence_days=20, on_silence="none")
    for _ in range(12):
        clock.advance(days=1)
        sweep(installation)
    assert said(table, 1, "say all: anybody there?") == "done"
    seen = []
    for _ in range(40):
        clock.advance(days=1)
        sweep(installation)
        seen.append((len(table.letters(2, "silence")), table.game().status))
    assert seen.index((1, "running")) == 13 - 1
    assert seen.index((1, "ended")) == 20 - 1
    assert events(table, "ended")[0].public == {"by": "silence", "points": None}


def test_a_failing_bot_halts_its_table_alone_and_it_goes_on_when_mended(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, players=2, bots=("greedy",), hours=48)
    other = Table.begun(installation, players=2, bots=("greedy",), hours=48, seed="2")
    for _ in range(2):
        take_first(table)
    kept = table.game().position
    change(table, position="nonsense")
    for _ in range(3):
        play_bots_or_halt(installation, table.game_id)
    assert table.game().halted_at == clock()
    assert other.game().halted_at is None
    with installation.store.read() as session:
        for kind in ("halted", "halted-moderator"):
            (row,) = [one for one in table.letters() if one.kind == kind][:1]
            letter = render(session, installation.site, row)
            assert "halted" in letter.subject + letter.text
    clock.advance(hours=30)
    sweep(installation)
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        assert failing.resume(session, installation.site, clock(), Author("cli"), game)
    assert table.game().position == kept
    assert table.game().bot_waits
    play_bots_or_halt(installation, table.game_id)
    assert table.to_move() == (0,)
    assert [one.kind for one in events(table, "halted", "mended")] == ["halted", "mended"]


def test_no_table_is_halted_for_what_ails_the_database(
    installation: Installation, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.begun(installation, players=2, bots=("greedy",), hours=48)
    for _ in range(2):
        take_first(table)
    cause = sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = sqlite3.SQLITE_BUSY

    def busy(*_given: object) -> bool:
        raise OperationalError("UPDATE game", None, cause)

    with monkeypatch.context() as patched:
        patched.setattr(turns, "play_bot", busy)
        for _ in range(failing.ATTEMPTS):
            play_bots_or_halt(installation, table.game_id)
    clock.advance(hours=50)
    with monkeypatch.context() as patched:
        patched.setattr(Round, "waits", busy)
        for _ in range(failing.ATTEMPTS):
            sweep(installation)
    assert (table.game().failures, table.game().halted_at) == (0, None)
    play_bots_or_halt(installation, table.game_id)
    assert table.to_move() == (0,)


def test_at_a_halted_table_no_turn_is_done_and_no_time_runs(table: Table, clock: HandClock) -> None:
    installation = table.installation
    clock.advance(hours=47)
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        failing.halt(session, installation.site, clock(), Author("clock"), game)
    clock.advance(hours=47)
    assert said(table, 0, f"take {table.view(0).display[0]}") == "halted"
    sweep(installation)
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        failing.resume(session, installation.site, clock(), Author("cli"), game)
    assert waits(table)[0].due_at == clock() + timedelta(hours=1)
    with installation.store.read() as session:
        (outage,) = session.exec(select(Outage)).all()
    assert outage.game_id == table.game_id


def test_the_command_line_looks_after_a_table(table: Table) -> None:
    number, runner = str(table.game_id), CliRunner()

    def run(*words: str) -> tuple[int, str]:
        result = runner.invoke(main, ["game", *words])
        return result.exit_code, result.output

    assert run("pause", number)[0] == 0
    assert run("pause", number)[0] == 1
    assert run("resume", number) == (0, f"game {number} goes on\n")
    assert "neither" in run("resume", number)[1]
    assert "not offered" in run("seat", number, "0", "bot")[1]
    assert "--yes" in run("end", number)[1]
    assert run("end", number, "--yes")[0] == 0
    assert run("end", number, "--yes")[0] == 1
    assert "no game 99" in run("pause", "99")[1]
    assert events(table, "ended")[0].public["by"] == "moderator"


def test_what_does_not_run_is_neither_stopped_nor_ended(table: Table, clock: HandClock) -> None:
    change(table, status="over")
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        site, author = table.installation.site, Author("cli")
        assert not pausing.pause(session, site, clock(), author, game, "moderator")
        assert not ending.end(session, site, clock(), author, game, "moderator")
        assert not failing.resume(session, site, clock(), author, game)


def test_a_table_may_have_no_pause_of_one_player(installation: Installation) -> None:
    table = Table.begun(installation, emergency_pause_hours=0)
    assert said(table, 1, "pause now") == "no-emergency"
    assert table.game().paused_at is None
