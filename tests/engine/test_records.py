"""The games in `tests/records/`: they still replay, and together they show the whole game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import moves, record
from engine.__main__ import main
from engine.ark import CODES
from engine.game import IllegalMove, apply, legal_moves, violations
from tests.engine import naive, naive_rules
from tests.engine.build import score_json
from tests.engine.features import REQUIRED, features

RECORDS = Path(__file__).parents[1] / "records"
GAMES = naive.read_records(RECORDS / "games.jsonl")
FULL = sorted(RECORDS.glob("full-*.ark.json"))
REJECTIONS = naive.read_records(RECORDS / "rejections.jsonl")


@pytest.mark.parametrize("path", [RECORDS / "games.jsonl", *FULL], ids=lambda path: path.name)
def test_records_replay(path: Path) -> None:
    for one in record.read(path.read_text(encoding="utf-8")):
        again = record.replay(one)
        assert again.finished
        assert score_json(again.position) == one.result


@pytest.mark.parametrize("path", [RECORDS / "games.jsonl", *FULL], ids=lambda path: path.name)
def test_records_replay_from_the_command_line(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(path)]) == 0
    count = len(naive.read_records(path))
    assert len(capsys.readouterr().out.splitlines()) == count


@pytest.mark.parametrize("path", FULL, ids=lambda path: path.name)
def test_legal_lists_and_states_are_those_of_the_naive_rules(path: Path) -> None:
    (one,) = naive.read_records(path)
    assert all("legal" in turn and "state" in turn for turn in one["turns"])
    assert naive.replay_check(one) == []


def test_there_is_a_full_record_for_each_number_of_players() -> None:
    assert [path.name for path in FULL] == [f"full-{players}.ark.json" for players in (3, 4, 5)]


def test_the_games_show_everything() -> None:
    shown = [features(game) for game in GAMES]
    assert set().union(*shown) >= REQUIRED
    for game, found in zip(GAMES, shown, strict=True):
        assert set(game["x-shows"]) <= found


def test_every_rejection_code_is_shown_once() -> None:
    assert [rejection["code"] for rejection in REJECTIONS] == list(CODES)


@pytest.mark.parametrize("rejection", REJECTIONS, ids=lambda rejection: rejection["code"])
def test_a_rejected_move_breaks_its_one_rule(rejection: dict[str, Any]) -> None:
    """The move breaks this one rule and no other, and changes nothing."""
    game = GAMES[rejection["game"] - 1]
    (one,) = record.read(json.dumps({**game, "turns": game["turns"][: rejection["after"]]}))
    position = record.start(one)
    for _turn, _events, position in record.walk(one):  # noqa: B007 - the last one is wanted
        pass
    seat, move = rejection["seat"], moves.from_json(rejection["move"])
    assert [(found.rule, found.code) for found in violations(position, seat, move)] == [
        (rejection["rule"], rejection["code"])
    ]
    assert move not in list(legal_moves(position, seat))
    before = position.copy()
    with pytest.raises(IllegalMove) as caught:
        apply(position, seat, move)
    assert isinstance(caught.value, ValueError)
    assert [found.code for found in caught.value.violations] == [rejection["code"]]
    assert rejection["rule"] in str(caught.value)
    assert position == before


@pytest.mark.parametrize("rejection", REJECTIONS, ids=lambda rejection: rejection["code"])
def test_rejections_are_illegal_for_the_naive_rules_too(rejection: dict[str, Any]) -> None:
    position = naive.position_after(GAMES[rejection["game"] - 1], rejection["after"])
    assert rejection["move"] not in naive_rules.legal_moves(position, rejection["seat"])
