"""`import`, `archive` and `replay-all`: the archive without its pages."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.installation import Installation
from tests.archive.games import played, record_lines

Ark = Callable[..., Result]


@pytest.fixture
def ark(installation: Installation) -> Ark:
    """The command line of the installation."""

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(main, [str(one) for one in arguments])

    return run


def test_an_archive_goes_out_and_comes_in_again(ark: Ark, tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_text("\n".join([*record_lines()[:2], played("cli")]), encoding="utf-8")
    assert ark("import", many).output.split() == ["1", "2", "3"]
    again = ark("import", many)
    assert again.exit_code == 1
    assert "in the archive already, as game 1" in again.output
    site = tmp_path / "site"
    assert "3 games in" in ark("archive", "build", site, "--language", "de").output
    assert 'lang="de"' in (site / "index.html").read_text(encoding="utf-8")
    assert sorted(one.name for one in (site / "games").iterdir()) == sorted(
        f"{number}.{ending}" for number in (1, 2, 3) for ending in ("html", "ark.json")
    )
    refused = ark("import", site)
    assert refused.exit_code == 1
    assert "brought in: 0, refused: 3" in refused.output
    assert "3 games written" in ark("archive", "export", tmp_path / "all.zip").output
    assert "anew from 3 games" in ark("archive", "rebuild").output
    assert "3 games replayed, 0 of them part" in ark("replay-all").output


def test_one_bad_file_does_not_keep_the_good_ones_out(ark: Ark, tmp_path: Path) -> None:
    (tmp_path / "a.ark.json").write_text(played("good"), encoding="utf-8")
    form = json.loads(played("bad"))
    form["result"]["totals"][0] += 1
    (tmp_path / "b.ark.json").write_text(json.dumps(form), encoding="utf-8")
    found = ark("import", tmp_path)
    assert found.exit_code == 1
    assert "b.ark.json: result: R9 totals" in found.output
    assert "brought in: 1, refused: 1" in found.output


def test_nothing_to_bring_in_is_said(ark: Ark, tmp_path: Path) -> None:
    found = ark("import", tmp_path)
    assert found.exit_code == 1
    assert "there is no record in" in found.output


def test_replay_all_names_the_game_and_the_turn(
    ark: Ark, installation: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "one.ark.json"
    file.write_text(record_lines()[0], encoding="utf-8")
    ark("import", file)
    with installation.store.work() as session:
        session.connection().exec_driver_sql("UPDATE event SET happenings = '[]' WHERE seq = 4")
    found = ark("replay-all")
    assert found.exit_code == 1
    assert "game 1 (over): turn 3: what happened is not what was stored" in found.output
