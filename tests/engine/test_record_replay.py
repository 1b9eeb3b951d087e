"""Records that are wrong: what is said about them, and that nothing ends in a traceback."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import record
from engine.__main__ import main
from tests.engine.faulty import FULL_GAME, GAME, Json, changed, fault, first_board, objection
from tests.engine.test_records import GAMES, RECORDS
from tests.examples import examples


def test_an_illegal_move_names_the_turn_the_card_the_cabin_and_the_rule() -> None:
    number, turn = first_board(GAME)
    card = turn["move"]["plays"][0]["card"]
    move = {"type": "board", "plays": [{"card": card, "cabin": "L9"}]}
    found = fault(changed(lambda r: r["turns"][number - 1].update(move=move)))
    assert found.startswith(f"turn {number}: {card} cannot enter L9: R5.1 ")


RULE_FAULTS: dict[str, tuple[Callable[[Json], object], str]] = {
    "another seat": (lambda r: r["turns"][0].update(seat=1), "turn 1: "),
    "a seat that is not there": (lambda r: r["turns"][0].update(seat=9), "turn 1: "),
    "a seat below": (lambda r: r["turns"][0].update(seat=-1), "turn 1: "),
    "an unknown card": (
        lambda r: r["turns"][0].update(move={"type": "gather", "take": "unicorn"}),
        "turn 1: ",
    ),
    "a turn too many": (lambda r: r["turns"].append(r["turns"][-1]), "R8.4"),
    "no result": (lambda r: r.pop("result"), "result"),
    "a result before the end": (lambda r: r["turns"].pop(), "result"),
    "wrong totals": (lambda r: r["result"]["totals"].reverse(), "totals"),
    "wrong winners": (lambda r: r["result"].update(winners=[0, 1, 2]), "winners"),
    "wrong timbers": (lambda r: r["result"].update(timbers=[9, 9, 9]), "timbers"),
    "wrong scoring": (lambda r: r["result"]["scoring"].update(shy=[1, 1, 1]), "scoring"),
    "scoring of four kinds": (lambda r: r["result"]["scoring"].pop("shy"), "scoring"),
    "cards dealt otherwise": (
        lambda r: r["setup"]["stack"].insert(0, r["setup"]["stack"].pop()),
        "R3",
    ),
    "a hand of three": (
        lambda r: r["setup"]["hands"][0].append(r["setup"]["stack"].pop(0)),
        "R3",
    ),
}


@pytest.mark.parametrize("name", RULE_FAULTS)
def test_faults_against_the_rules(name: str) -> None:
    change, word = RULE_FAULTS[name]
    assert word in fault(changed(change))


STATE_FAULTS: dict[str, Callable[[Json], object]] = {
    "ark": lambda s: s["ark"]["L"][0].reverse() or s["ark"]["L"].append([]),
    "hands": lambda s: s["hands"][0].append("unicorn"),
    "display": lambda s: s["display"].reverse(),
    "stack": lambda s: s["stack"].reverse(),
    "rain": lambda s: s.update(rain=s["rain"] + 1),
    "timbers": lambda s: s["timbers"].append(0),
    "marks": lambda s: s["marks"][0].update(shy=s["marks"][0]["shy"] + 0.5),
    "pets": lambda s: s.update(pets=["fox"] * len(s["pets"])),
    "passed": lambda s: s.update(passed=[0, 1]),
    "phase": lambda s: s.update(phase="dinner"),
    "to_move": lambda s: s.update(to_move=[7]),
}


@pytest.mark.parametrize("key", STATE_FAULTS)
def test_a_state_that_differs(key: str) -> None:
    found = fault(changed(lambda r: STATE_FAULTS[key](r["turns"][4]["state"]), FULL_GAME))
    assert found.startswith("turn 5: state: ")
    assert key in found


def test_a_state_without_a_key() -> None:
    found = fault(changed(lambda r: r["turns"][4]["state"].pop("rain"), FULL_GAME))
    assert found.startswith("turn 5: ")
    assert "rain" in found


def test_a_state_is_compared_as_numbers() -> None:
    def as_floats(form: Json) -> None:
        for turn in form["turns"]:
            for marks in turn["state"]["marks"]:
                marks.update({kind: float(count) for kind, count in marks.items()})

    (one,) = record.read(json.dumps(changed(as_floats, FULL_GAME)))
    assert record.replay(one).finished


def test_a_legal_list_that_differs() -> None:
    def turn(change: Callable[[list[Json]], object]) -> str:
        return fault(changed(lambda r: change(r["turns"][2]["legal"]), FULL_GAME))

    for found in [
        turn(lambda legal: legal.pop()),
        turn(lambda legal: legal.append(legal[0])),
        turn(lambda legal: legal.append({"type": "pass"})),
        turn(lambda legal: legal.append({"type": "gather", "take": "unicorn"})),
        turn(lambda legal: legal.clear()),
    ]:
        assert found.startswith("turn 3: legal")


def test_a_legal_list_may_have_any_order() -> None:
    form = changed(lambda r: [turn["legal"].reverse() for turn in r["turns"]], FULL_GAME)
    (one,) = record.read(json.dumps(form))
    assert record.replay(one).finished


@pytest.mark.parametrize("name", ["\x1b[31m", "x" * 5000, "\n" * 5000])
def test_a_foreign_name_is_shown_short_and_printable(name: str) -> None:
    play = {"card": name, "cabin": name, "mark": name, "out": name, "take": name}
    for move in [
        {"type": "gather", "take": name},
        {"type": "pet", "card": name},
        {"type": "board", "plays": [play, play]},
    ]:
        found = fault({**GAME, "turns": [{"seat": 0, "move": move}]})
        assert found.startswith("turn 1: ")
        assert found.isprintable()
        assert len(found) < 1000


def test_a_set_up_without_its_stack_is_told_briefly() -> None:
    found = fault(changed(lambda r: r["setup"].update(stack=[])))
    assert "bronto" in found
    assert " more" in found
    assert len(found) < 1000


# --- The command line ---


def replay_file(path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    path.write_bytes(content)
    status = main(["replay", str(path)])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"not json",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"{}",
        b'{"format": "ark-record/1"}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"1" * 10_000,
        b'{"format": "ark-record/1", "players": NaN}',
        b'"\\ud800"',
        b"\xef\xbb\xbf",
        json.dumps({**GAME, "players": 10**400}).encode(),
    ],
)
def test_a_file_that_is_no_record_gets_one_line_and_status_1(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = replay_file(tmp_path / "x.jsonl", content, capsys)
    assert status == 1
    assert said.count("\n") == 1
    assert len(said) < 500


def test_the_first_bad_game_of_many_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = changed(lambda r: r["turns"][3].update(move={"type": "pass"}))
    lines = [json.dumps(GAME), json.dumps(GAMES[1]), json.dumps(bad), json.dumps(GAME)]
    status, said = replay_file(tmp_path / "x.jsonl", "\n".join(lines).encode(), capsys)
    assert status == 1
    *good, last = said.splitlines()
    assert len(good) == 2
    assert last.startswith("game 3: turn 4: ")
    assert "R4.1" in last


@pytest.mark.parametrize("indent", [None, 2])
def test_one_record_may_be_spread_over_lines(
    indent: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.dumps(GAME, indent=indent).replace("\n", "\r\n").encode()
    assert replay_file(tmp_path / "x.ark.json", content, capsys)[0] == 0


def test_a_missing_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "/no/such/file"]) == 1
    assert main(["replay", "/"]) == 1
    captured = capsys.readouterr()
    assert len((captured.out + captured.err).splitlines()) == 2


def test_the_real_program_says_the_same() -> None:
    for path, status in [(RECORDS / "games.jsonl", 0), (Path(__file__), 1)]:
        run = subprocess.run(
            [sys.executable, "-m", "engine", "replay", str(path)],
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parents[2],
        )
        assert run.returncode == status
        assert "Traceback" not in run.stdout + run.stderr
        assert len(run.stdout.splitlines()) == (len(GAMES) if status == 0 else 1)


# --- Anything at all ---

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def checks(text: str) -> None:
    """Reading and replaying raises nothing but RecordError, whose message is one clean line."""
    message = objection(text)
    if message is not None:
        assert message
        assert message.isprintable()
        assert len(message) < 1000


@examples(60)
@given(text=st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    checks(text)


@examples(60)
@given(value=JSON_VALUES)
def test_any_json_is_read_or_refused(value: Any) -> None:
    checks(json.dumps(value))
    checks(json.dumps({"format": "ark-record/1", "setup": value, "turns": value}))


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something lies in a JSON value."""
    inside: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    return [path, *(deeper for key, item in inside for deeper in paths(item, (*path, key)))]


SHORT = {**FULL_GAME, "turns": FULL_GAME["turns"][:3], "names": ["a", "b", "c"], "rules": "ark-1"}
SHORT["ended"] = {"by": "silence"}
del SHORT["result"]
PATHS = {"short": paths(SHORT)[1:], "whole": paths(GAME)[1:]}


@examples(60)
@given(data=st.data())
def test_any_value_anywhere_in_a_record(data: st.DataObject) -> None:
    """Replaced by something of another type, removed, or repeated."""
    which = data.draw(st.sampled_from(["short", "whole"]))
    form = copy.deepcopy(SHORT if which == "short" else GAME)
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(PATHS[which]))
        holder: Any = form
        try:
            for key in way:
                holder = holder[key]
            old = holder[last]
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took it away
        how = data.draw(st.sampled_from(["replace", "remove", "repeat", "number"]))
        if how == "remove":
            del holder[last]
        elif how == "repeat" and isinstance(holder, list):
            holder.append(old)
        elif how == "number":
            holder[last] = data.draw(st.sampled_from([0, -1, 1, 2.5, 10**30, True]))
        else:
            holder[last] = data.draw(JSON_VALUES)
    checks(json.dumps(form))
