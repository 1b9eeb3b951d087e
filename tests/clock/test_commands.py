"""The operator's hand on a table's clock, and time controls chosen when a table is opened."""

from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.installation import Installation
from pbem.store.options import options_of
from pbem.timing import parse_control
from tests.clock.people import events, waits
from tests.conftest import HandClock
from tests.desk.table import Table


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, words)
    return done.exit_code, done.output


@pytest.fixture
def table(installation: Installation, clock: HandClock) -> Table:
    """Begun just now: the command line asks the real clock."""
    clock.now = datetime.now(UTC)
    return Table.begun(installation, hours=48)


def test_another_pace_more_time_more_absence(table: Table) -> None:
    number, before = str(table.game_id), waits(table)[0].due_at
    assert before is not None
    assert run("more-time", "--game", number, "--seat", "0", "3d")[0] == 0
    assert waits(table)[0].due_at == before + timedelta(days=3)
    assert run("more-time", "--game", number, "--seat", "1", "3d")[0] == 1
    status, said = run("more-absence", "--game", number, "--seat", "1", "9")
    assert (status, said.strip()) == (0, "Bo may be away 9 days more at this table: 30 in all.")
    assert run("pace", "--game", number, "bank 2d + 8h") == (0, "bank 48h + 8h cap 4d\n")
    assert run("pace", "--game", number, "bank 2d + 8h")[0] == 1
    assert options_of(table.game()).control == parse_control("bank 2d + 8h")
    assert [one.kind for one in events(table, "pace", "absence-granted")] == [
        "absence-granted", "pace",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ("pace", "--game", "1", "soon"),
        ("pace", "--game", "99", "48h"),
        ("more-time", "--game", "1", "--seat", "0", "long"),
        ("more-absence", "--game", "1", "--seat", "4", "9"),
        ("new-game", "--name", "T", "--seat", "bot:greedy", "--time", "soon"),
    ],
)
def test_what_cannot_be_is_one_line(table: Table, words: tuple[str, ...]) -> None:
    code, said = run(*words)
    assert code in (1, 2)
    assert "Error" in said
    assert "Traceback" not in said


def test_new_games_with_any_control(installation: Installation) -> None:
    table = Table.begun(installation, hours=48)
    answer = table.order(
        0, "new game Boat with bo@example.net, cy@example.net time daily 20:00 Hong Kong mon-fri"
    )
    assert answer.outcome == "done"
    answer = table.order(0, "new game Boat with bo@example.net, cy@example.net time soon")
    assert answer.outcome == "refused"
    seats = [word for name in ("greedy", "random", "greedy") for word in ("--seat", f"bot:{name}")]
    code, said = run("new-game", "--name", "T", *seats, "--time", "bank 5d + 8h")
    assert code == 0
    with installation.store.read() as session:
        from pbem.store import Game

        game = session.get_one(Game, int(said.splitlines()[-1]))
        assert options_of(game).control == parse_control("bank 5d + 8h cap 10d")
        boat = session.get_one(Game, game.id - 1)  # type: ignore[operator]
        assert options_of(boat).control == parse_control("daily 20:00 Asia/Hong_Kong mon-fri")


def test_status_says_since_when_and_until_when_the_table_waits(installation: Installation) -> None:
    (line,) = Table.begun(installation, hours=48).order(1, "status").lines
    assert "It has waited since Tue 1 Dec, 09:00 UTC." in line.message
    assert "Time ends Thu 3 Dec, 09:00 UTC." in line.message
