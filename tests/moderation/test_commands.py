"""The same actions from the command line."""

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.moderation import ACTIONS
from pbem.store import Game
from tests.moderation.doing import audits, dump
from tests.moderation.world import RUNNING, World


@pytest.fixture(autouse=True)
def here(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARK_INSTANCE", str(world.installation.settings.instance))


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def test_the_list_names_every_action() -> None:
    told = run("act", "--list").output
    assert all(f"  {name}" in told for name in ACTIONS)


def test_an_action_is_shown_and_with_yes_done(world: World) -> None:
    before = dump(world.installation)
    shown = run("act", "pause", "--game", "1")
    assert "would happen" in shown.output
    assert "stand still" in shown.output
    assert dump(world.installation) == before
    assert run("act", "pause", "--game", "1", "--reason", "A storm.", "--yes").exit_code == 0
    row = audits(world.installation)[-1]
    assert (row.channel, row.person_id, row.reason) == ("cli", None, "A storm.")


@pytest.mark.parametrize("args", [
    ("nothing",), ("pause",), ("pause", "--game", "99"), ("more-time", "--game", "1"),
    ("more-time", "--game", "1", "--seat", "1", "--set", "span"),
    ("upload-deck", "--file", "cards=/no/such/file", "--set", "name=x"),
])  # fmt: skip
def test_what_cannot_be_done_is_one_line(args: tuple[str, ...]) -> None:
    came = run("act", *args, "--yes")
    assert came.exit_code in (1, 2)
    assert "Traceback" not in came.output


def test_the_short_commands_go_the_same_way(world: World) -> None:
    for args, said in (
        (("game", "pause", "1"), "stand still"),
        (("game", "pause", "1"), "stand still already"),
        (("game", "resume", "1"), "goes on"),
        (("pace", "--game", "1", "72h"), "3d"),
        (("more-time", "--game", "1", "--seat", "1", "24h"), "deadline: "),
        (("more-time", "--game", "1", "--seat", "0", "24h"), "No deadline runs"),
        (("more-absence", "--game", "1", "--seat", "1", "7"), "28"),
        (("clock", "stop"), "stopped"),
        (("clock", "stop"), "it was stopped already"),
        (("clock", "start"), "running"),
        (("game", "end", "1"), "--yes"),
        (("game", "end", "1", "--yes"), "has ended"),
    ):  # fmt: skip
        assert said in run(*args).output, (args, run(*args).output)
    assert [row.action for row in audits(world.installation)] == [
        "pause", "resume", "pace", "more-time", "more-absence", "stop-all", "start-all", "end",
    ]  # fmt: skip
    with world.installation.store.read() as session:
        assert session.get_one(Game, RUNNING).status == "ended"
