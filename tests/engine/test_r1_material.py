"""R1: the material, and which decks are refused."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.cards import KINDS, DeckError, builtin_deck, load_deck
from engine.game import new_game
from engine.view import view
from tests.engine import naive_setup
from tests.engine.conftest import TableMaker

Cards = list[dict[str, Any]]


def lines_of(cards: Cards) -> list[str]:
    header = ["name", "weight", "climate", "diet", "kind", "special"]
    return [",".join(header), *(",".join(str(card[key]) for key in header) for card in cards)]


def house(**changes: dict[str, Any]) -> Cards:
    """The house deck with some cards changed: house(cat={"weight": 5})."""
    by_key = {name.replace("_", "-"): change for name, change in changes.items()}
    cards = [{**card, **by_key.pop(card["name"], {})} for card in naive_setup.read_deck()]
    assert not by_key
    return cards


def faults(cards: Cards) -> list[str]:
    with pytest.raises(DeckError) as caught:
        load_deck(lines_of(cards), "bad")
    assert isinstance(caught.value, ValueError)
    return caught.value.faults


def test_R1_1_house_deck() -> None:
    deck = builtin_deck()
    assert deck.builtin
    assert len(deck.cards) == 55
    assert Counter(card.kind for card in deck.cards) == {
        "heavy": 10,
        "slow": 10,
        "shy": 11,
        "useful": 11,
        "none": 5,
        "provision": 8,
    }
    assert {card.weight for card in deck.cards} == {0, 1, 2, 3, 4}
    assert {card.climate for card in deck.cards} == {"hot", "cold", "none"}
    assert {card.diet for card in deck.cards} == {"herbivore", "carnivore", "omnivore", "none"}
    assert all(card.diet == "none" for card in deck.cards if card.kind == "provision")
    assert sorted(card.special for card in deck.cards if card.special) == [
        "bronto",
        "chimpanzee",
        "fox",
        "hedgehog",
        "mosquito",
        "skunk",
        "spider",
        "turtle",
    ]


def test_R1_1_cards_are_found_by_name_and_number() -> None:
    deck = builtin_deck()
    fox = deck.card("fox")
    assert (fox.weight, fox.climate, fox.diet, fox.kind) == (1, "cold", "carnivore", "none")
    assert fox.special == "fox"
    assert deck.card("zebra").special == ""
    assert deck.cards[deck.number("zebra")].name == "zebra"


def test_R1_2_scoring_cards_show_how_many_cards_of_their_kind_there_are() -> None:
    assert KINDS == ("heavy", "slow", "shy", "useful", "provision")
    expected = {"heavy": 10, "slow": 10, "shy": 11, "useful": 11, "provision": 8}
    assert dict(builtin_deck().kind_counts) == expected
    more_slow = load_deck(lines_of(house(cat={"kind": "slow"})), "other")
    assert dict(more_slow.kind_counts) == {**expected, "slow": 11, "useful": 10}


def test_R1_2_five_rain_cards_are_in_the_stack() -> None:
    spectator = view(new_game("rain", 4, builtin_deck()), None)
    assert spectator.stack_count == 55 - 4 - 2 * 4 - 3 + 5


def test_R1_3_markers_are_not_limited(table: TableMaker) -> None:
    before = table(L="hamster", R="deer", hand="mouse", marks=[{"shy": 17}])
    assert before.after("play mouse L1").marks() == {"shy": 18}


def test_R1_3_timbers_are_not_limited(table: TableMaker) -> None:
    before = table(L="cat", R="dog", hand="fox sheep", display="reindeer", timbers=[22, 0, 0])
    after = before.after("play fox R2 take reindeer")
    assert after.state["timbers"] == [23, 0, 1]


def test_R1_4_a_game_remembers_its_deck() -> None:
    other = load_deck(lines_of(house(cat={"weight": 2})), "mine")
    assert not other.builtin
    assert new_game("deck", 3, other).deck.name == "mine"
    assert new_game("deck", 3, other).deck.card("cat").weight == 2


def test_R1_4_a_deck_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_text("\n".join(lines_of(house())) + "\n", encoding="utf-8")
    assert load_deck(path, "ours").cards == builtin_deck().cards


def test_R1_4_house_deck_is_a_file_like_any_other() -> None:
    with naive_setup.HOUSE_DECK.open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == ["name", "weight", "climate", "diet", "kind", "special"]
    assert load_deck(naive_setup.HOUSE_DECK, "house").cards == builtin_deck().cards


ONE_FAULT: dict[str, tuple[Cards, str]] = {
    "54 cards": (house()[:-1], "55"),
    "56 cards": ([*house(), {**house()[0], "name": "yak", "special": ""}], "55"),
    "two of a name": (house(cat={"name": "dog"}), "dog"),
    "a card called rain": (house(cat={"name": "rain"}), "rain"),
    "nine provisions": (house(bee={"kind": "provision"}), "provisions"),
    "seven provisions": (house(dates_1={"kind": "none"}), "provisions"),
    "a provision that eats": (house(dates_1={"diet": "herbivore"}), "dates-1"),
    "no fox": (house(fox={"special": ""}), "fox"),
    "two foxes": (house(cat={"special": "fox"}), "fox"),
    "a bronto not heavy": (house(bronto={"kind": "none"}), "bronto"),
    "a chimpanzee of a kind": (house(chimpanzee={"kind": "shy"}), "chimpanzee"),
    "a hedgehog with weight": (house(hedgehog={"weight": 1}), "hedgehog"),
    "a hedgehog that eats meat": (house(hedgehog={"diet": "carnivore"}), "hedgehog"),
    "a turtle that eats all": (house(turtle={"diet": "omnivore"}), "turtle"),
    "a skunk that eats no plants": (house(skunk={"diet": "carnivore"}), "skunk"),
    "a skunk that eats nothing": (house(skunk={"diet": "none"}), "skunk"),
    "a heavy mosquito": (house(mosquito={"weight": 1}), "mosquito"),
    "a heavy spider": (house(spider={"weight": 2, "diet": "herbivore"}), "spider"),
    "a weight of five": (house(tyranno={"weight": 5}), "tyranno"),
    "a weight that is no number": (house(tyranno={"weight": "much"}), "tyranno"),
    "an unknown climate": (house(tyranno={"climate": "wet"}), "wet"),
    "an unknown diet": (house(tyranno={"diet": "plankton"}), "plankton"),
    "an unknown kind": (house(tyranno={"kind": "fierce"}), "fierce"),
    "an unknown power": (house(tyranno={"special": "roar"}), "roar"),
}


@pytest.mark.parametrize("fault", ONE_FAULT)
def test_R1_5_each_fault_is_named(fault: str) -> None:
    cards, word = ONE_FAULT[fault]
    found = faults(cards)
    assert any(word in sentence for sentence in found), found
    assert not naive_setup.deck_is_legal(cards) or any(
        word in fault for word in ["weight of five", "no number", "unknown"]
    )


def test_R1_5_one_fault_is_one_sentence() -> None:
    assert len(faults(house(hedgehog={"weight": 1}))) == 1
    assert len(faults(house(skunk={"diet": "none"}))) == 1
    assert len(faults(house(bronto={"kind": "none"}))) == 1


def test_R1_5_no_four_cards_for_the_first_cabins() -> None:
    """All cards that weigh 1 or 2 are of one kind, so no four of them satisfy R3.3."""
    cards = [
        {**card, "weight": 0} if card["weight"] in (1, 2) and card["kind"] != "provision" else card
        for card in house()
    ]
    found = faults(cards)
    assert len(found) == 1
    assert "R3.3" in found[0]


def test_R1_5_two_kinds_are_enough_for_the_first_cabins() -> None:
    """Two provisions and two animals without a kind are four such cards."""
    cards = [
        {**card, "weight": 0}
        if card["weight"] in (1, 2) and card["kind"] not in ("provision", "none")
        else card
        for card in house()
    ]
    assert load_deck(lines_of(cards), "narrow").cards[0].name == "bronto"


def test_R1_5_every_fault_at_once() -> None:
    cards = house(
        hedgehog={"weight": 1},
        skunk={"diet": "none"},
        bronto={"kind": "none"},
        dates_1={"diet": "herbivore"},
        cat={"name": "rain"},
        turtle={"diet": "carnivore"},
    )
    found = faults(cards)
    for word in ["hedgehog", "skunk", "bronto", "dates-1", "rain", "turtle"]:
        assert any(word in sentence for sentence in found), (word, found)
    assert len(found) == len(set(found)) >= 6


def test_R1_5_a_legal_deck_far_from_the_house_deck_is_taken() -> None:
    """Meat-eating insects may weigh; a skunk may eat all; provisions may lack a climate."""
    cards = house(
        mosquito={"weight": 4, "diet": "carnivore"},
        spider={"weight": 3, "diet": "omnivore", "kind": "shy"},
        skunk={"diet": "omnivore", "kind": "heavy", "weight": 0},
        hedgehog={"diet": "herbivore", "climate": "cold"},
        turtle={"weight": 4, "diet": "none", "kind": "useful"},
        bronto={"weight": 0, "diet": "carnivore"},
        chimpanzee={"weight": 0, "diet": "none"},
        fox={"kind": "slow", "weight": 4},
        dates_1={"climate": "none", "weight": 4},
    )
    assert naive_setup.deck_is_legal(cards)
    assert load_deck(lines_of(cards), "far").card("spider").weight == 3


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [""],
        ["name,weight"],
        ["name,weight,climate,diet,kind,special", "fox"],
        ["name,weight,climate,diet,kind,special", "a,b,c,d,e,f,g,h"],
        ["\x00"],
        ['"'],
        lines_of(house())[1:],
        [line.rsplit(",", 1)[0] for line in lines_of(house())],
    ],
)
def test_R1_5_a_file_that_is_no_deck_is_refused_with_faults(lines: list[str]) -> None:
    with pytest.raises(DeckError) as caught:
        load_deck(lines, "bad")
    assert caught.value.faults
    assert all(isinstance(fault, str) and fault for fault in caught.value.faults)
