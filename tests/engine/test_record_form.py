"""Reading and writing records: what is refused for its form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine import record
from tests.engine import naive
from tests.engine.faulty import FULL_GAME, GAME, Json, changed, fault, first_board
from tests.engine.test_records import GAMES


@pytest.mark.parametrize(
    "form", [None, 1, "ark-record/1", [], {}, [GAME], {"format": "ark-record/2"}, {"x-format": 1}]
)
def test_values_that_are_no_records(form: Any) -> None:
    assert "record" in fault(form)


@pytest.mark.parametrize("text", ["", " \n\n", "{", "nothing", '{"format": "ark-record/1"', "\0"])
def test_texts_that_hold_no_record(text: str) -> None:
    with pytest.raises(record.RecordError):
        record.read(text)


@pytest.mark.parametrize(
    "twice",
    [
        ('"players"', '"players": 3, "players"'),
        ('"display"', '"display": [], "display"'),
        ('"winners"', '"x-a": 1, "x-b": 2, "x-a": 1, "winners"'),
    ],
)
def test_a_key_that_stands_twice_is_refused(twice: tuple[str, str]) -> None:
    with pytest.raises(record.NotARecord, match="stands twice in one object"):
        record.read(json.dumps(GAME).replace(*twice, 1))


FORM_FAULTS: dict[str, tuple[Callable[[Json], object], str]] = {
    "format of another version": (lambda r: r.update(format="ark-record/2"), "format"),
    "no format": (lambda r: r.pop("format"), "format"),
    "no deck": (lambda r: r.pop("deck"), "deck"),
    "a deck that is not built in, without cards": (lambda r: r.update(deck="ours"), "ours"),
    "a deck that is no name": (lambda r: r.update(deck=5), "deck"),
    "no players": (lambda r: r.pop("players"), "players"),
    "two players": (lambda r: r.update(players=2), "players"),
    "six players": (lambda r: r.update(players=6), "players"),
    "players in words": (lambda r: r.update(players="3"), "players"),
    "true players": (lambda r: r.update(players=True), "players"),
    "no setup": (lambda r: r.pop("setup"), "setup"),
    "no turns": (lambda r: r.pop("turns"), "turns"),
    "turns that are no list": (lambda r: r.update(turns={}), "turns"),
    "an unknown key": (lambda r: r.update(colour="red"), "colour"),
    "names of other seats": (lambda r: r.update(names=["Ann"]), "names"),
    "names that are no texts": (lambda r: r.update(names=[1, 2, 3]), "names"),
    "cards of the house deck that are not its own": (
        lambda r: r.update(cards=[{"name": "fox"}]),
        "card",
    ),
    "rules of another version": (lambda r: r.update(rules="ark-2"), "ark-2"),
    "variants that are no list": (lambda r: r.update(variants="fast"), "variants"),
    "a proof that is no object": (lambda r: r.update(proof=[]), "proof"),
    "ended by nobody known": (
        lambda r: (r.pop("result"), r.update(ended={"by": "weather"})),
        "ended",
    ),
    "ended without by": (lambda r: (r.pop("result"), r.update(ended={"why": "rain"})), "by"),
    "ended early with a result": (lambda r: r.update(ended={"by": "consent"}), "result"),
    "setup without an ark": (lambda r: r["setup"].pop("ark"), "ark"),
    "setup with an unknown key": (lambda r: r["setup"].update(weather=[]), "weather"),
    "ark with a third side": (lambda r: r["setup"]["ark"].update(M=[]), "M"),
    "hands that are no lists": (lambda r: r["setup"].update(hands=["fox"]), "hands"),
    "stack of numbers": (lambda r: r["setup"].update(stack=[1, 2]), "stack"),
    "result without totals": (lambda r: r["result"].pop("totals"), "totals"),
    "result that is no object": (lambda r: r.update(result=[]), "result"),
    "result with an unknown key": (lambda r: r["result"].update(money=1), "money"),
}


@pytest.mark.parametrize("name", FORM_FAULTS)
def test_a_fault_of_form_is_named(name: str) -> None:
    change, word = FORM_FAULTS[name]
    assert word in fault(changed(change))


TURN_FAULTS: dict[str, tuple[Callable[[Json], object], str]] = {
    "no seat": (lambda t: t.pop("seat"), "seat"),
    "a seat in words": (lambda t: t.update(seat="0"), "seat"),
    "a true seat": (lambda t: t.update(seat=False), "seat"),
    "no move": (lambda t: t.pop("move"), "move"),
    "a move in words": (lambda t: t.update(move="take fox"), "move"),
    "an unknown type of move": (lambda t: t["move"].update(type="jump"), "type"),
    "a type that is no text": (lambda t: t["move"].update(type=["gather"]), "type"),
    "an unknown key": (lambda t: t.update(mood="good"), "mood"),
    "an unknown key of the move": (lambda t: t["move"].update(mood="good"), "mood"),
    "no plays": (lambda t: t["move"].pop("plays"), "plays"),
    "a play that is no object": (lambda t: t["move"].update(plays=["fox L3"]), "play"),
    "a play without a card": (lambda t: t["move"]["plays"][0].pop("card"), "card"),
    "a play without a cabin": (lambda t: t["move"]["plays"][0].pop("cabin"), "cabin"),
    "a cabin that is a number": (lambda t: t["move"]["plays"][0].update(cabin=3), "cabin"),
    "nobody driven out": (lambda t: t["move"]["plays"][0].update(out=None), "out"),
    "an unknown key of the play": (lambda t: t["move"]["plays"][0].update(mood="good"), "mood"),
    "a list instead of a turn": (lambda t: t.clear(), "seat"),
}


@pytest.mark.parametrize("name", TURN_FAULTS)
def test_faults_of_form_in_a_turn(name: str) -> None:
    change, word = TURN_FAULTS[name]
    number = first_board(GAME)[0]
    found = fault(changed(lambda r: change(r["turns"][number - 1])))
    assert found.startswith(f"turn {number}: ")
    assert word in found


def test_private_keys_are_ignored() -> None:
    form = changed(lambda r: (r.update({"x-note": 1}), r["turns"][0].update({"x-note": [2]})))
    form["setup"]["x-note"] = form["result"]["x-note"] = form["turns"][0]["move"]["x-note"] = None
    (one,) = record.read(json.dumps(form))
    assert record.replay(one).finished


def test_optional_keys_are_read_and_written() -> None:
    names = ["Ann", "Bo", "Cy", "Di", "Ed"][: GAME["players"]]
    extra = {"names": names, "rules": "ark-1", "variants": [], "proof": {"salt": "s"}, "x-a": {}}
    (one,) = record.read(json.dumps({**GAME, **extra}))
    again = json.loads(record.write(one))
    assert again == {**GAME, **extra}
    ended = {"by": "moderator", "why": "the summer was over"}
    short = {key: value for key, value in GAME.items() if key != "result"}
    short = {**short, "turns": GAME["turns"][:5], "ended": ended}
    (one,) = record.read(json.dumps(short))
    assert not record.replay(one).finished
    assert json.loads(record.write(one)) == short


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['players']} players")
def test_what_is_read_is_written_again(game: Json) -> None:
    (one,) = record.read(json.dumps(game))
    text = record.write(one)
    assert json.loads(text) == game
    assert "\n" not in text
    assert record.read(text) == [one]


def test_full_records_are_written_again() -> None:
    (one,) = record.read(json.dumps(FULL_GAME))
    assert json.loads(record.write(one)) == FULL_GAME


def test_other_decks_are_written_with_their_cards() -> None:
    cards = [{**card} for card in naive.deck_of(GAME)]
    renamed = {**GAME, "deck": "ours", "cards": cards}
    (one,) = record.read(json.dumps(renamed))
    assert record.replay(one).finished
    assert json.loads(record.write(one)) == renamed
    cards[0] = {**cards[0], "kind": "none"}
    assert "R1.5" in fault({**renamed, "cards": cards})
    # The house deck may say its cards as well.
    (one,) = record.read(json.dumps({**GAME, "cards": naive.deck_of(GAME)}))
    assert record.replay(one).finished
