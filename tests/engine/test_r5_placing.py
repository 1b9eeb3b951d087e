"""R5: which card may go into which cabin. Every position here is level, or nearly so."""

from __future__ import annotations

import pytest

from tests.engine import naive_setup
from tests.engine.conftest import TableMaker

# --- R5.1 ---


def test_R5_1_room_for_three(table: TableMaker) -> None:
    before = table(L="mouse bee", R="snail caterpillar", hand="spider")
    assert before.cabins("spider") == {"L1", "L2", "R1", "R2"}
    full = table(L="mouse bee snail", R="caterpillar", hand="spider")
    assert full.cabins("spider") == {"L2", "R1", "R2"}
    assert full.broken("spider", "L1") == {"R5.1"}


def test_R5_1_only_the_next_new_cabin(table: TableMaker) -> None:
    before = table(L="mouse", R="caterpillar", hand="spider", display="cat dog hen")
    assert before.allows("play spider L2 take cat")
    for cabin in ["L3", "R3", "R9", "L10"]:
        assert not before.allows(f"play spider {cabin} take cat")
        assert not before.allows(f"play spider {cabin}")


# --- R5.2 ---


@pytest.mark.parametrize(
    ("inside", "card", "fits"),
    [
        ("camel", "fox", False),  # hot, cold
        ("reindeer", "caterpillar", False),  # cold, hot
        ("camel", "skunk", False),
        ("bee", "skunk", True),
        ("bee", "caterpillar", True),
        ("camel", "caterpillar", True),
        ("reindeer", "lemming", True),
        ("grain-1", "mosquito", False),  # provisions have a climate
        ("dates-1", "mosquito", True),
        ("dates-1", "fox", False),
        ("grain-1", "fox", True),
        ("bee camel", "skunk", False),
        ("bee reindeer", "skunk", True),
    ],
)
def test_R5_2_hot_and_cold_do_not_share(
    table: TableMaker, inside: str, card: str, fits: bool
) -> None:
    before = table(L=inside, R="horse" if "camel" in inside else "sheep", hand=card)
    assert before.broken(card, "L1") == (set() if fits else {"R5.2"})
    assert ("L1" in before.cabins(card)) == fits


# --- R5.3 ---


@pytest.mark.parametrize(
    ("card", "cabins"),
    [
        ("bee", {"L1", "L2", "R1", "R2"}),
        ("hamster", {"L1", "L2", "R1", "R2"}),
        ("sheep", {"L1", "L2"}),
        ("horse", {"L1", "L2"}),
        ("mammoth", set()),
    ],
)
def test_R5_3_balance(table: TableMaker, card: str, cabins: set[str]) -> None:
    """One to the right before the card comes."""
    before = table(L="mouse", R="rabbit", hand=card)
    assert before.cabins(card) == cabins
    for cabin in {"L1", "R1"} - cabins:
        assert before.broken(card, cabin) == {"R5.3"}


# --- R5.4 ---


@pytest.mark.parametrize(
    ("inside", "card", "fits"),
    [
        ("grain-1", "skunk", False),  # herbivore to provision
        ("grain-1", "hen", False),  # omnivore to provision
        ("skunk", "grain-1", False),  # provision to herbivore
        ("hen", "grain-1", False),  # provision to omnivore
        ("grain-1", "fox", True),  # carnivore to provision
        ("fox", "grain-1", True),
        ("grain-1", "bee", True),  # neither eats
        ("bee", "grain-1", True),
        ("bee dates-1", "mouse", False),
        ("bee mouse", "dates-1", False),
    ],
)
def test_R5_4_plant_eaters_and_provisions(
    table: TableMaker, inside: str, card: str, fits: bool
) -> None:
    before = table(L=inside, R="sheep" if card == "grain-1" else "rabbit", hand=card)
    assert before.broken(card, "L1") == (set() if fits else {"R5.4"})
    assert ("L1" in before.cabins(card)) == fits


# --- R5.5 ---


@pytest.mark.parametrize(
    ("inside", "card", "fits"),
    [
        ("sheep", "cat", True),  # 1 beside 2
        ("cat", "sheep", True),
        ("skunk", "cat", False),  # 1 beside 1: equal is not enough
        ("cat", "skunk", False),
        ("bee", "cat", False),  # 1 beside 0
        ("cat", "bee", False),
        ("skunk", "toad", True),  # 0 beside 1
        ("lemming", "toad", False),  # 0 beside 0
        ("sheep", "hen", True),  # omnivores eat meat too
        ("skunk", "hen", False),
        ("cat", "dog", False),  # never two of them
        ("sheep cat", "toad", False),
        ("sheep bee", "cat", False),  # every other animal in the cabin
        ("grain-1", "cat", True),  # provisions are no animals
        ("grain-1 grain-2", "walrus", True),
        ("cat", "dates-1", True),
        ("cat sheep", "grain-1", None),  # the sheep is a plant eater: R5.4
    ],
)
def test_R5_5_meat_eaters_are_lighter_than_all_others(
    table: TableMaker, inside: str, card: str, fits: bool | None
) -> None:
    # What stands opposite keeps the ark level enough for any card that comes to L1.
    weights = {card["name"]: card["weight"] for card in naive_setup.read_deck()}
    inside_weight = sum(weights[name] for name in inside.split())
    right = ["mouse", "rabbit", "deer", "horse", "bison horse"][inside_weight]
    before = table(L=inside, R=right, hand=card)
    expected = {True: set(), False: {"R5.5"}, None: {"R5.4"}}[fits]
    assert before.broken(card, "L1") == expected
    assert ("L1" in before.cabins(card)) == bool(fits)


def test_R5_5_the_ones_already_there_count_as_well(table: TableMaker) -> None:
    """A light animal cannot join a meat eater, though it eats nobody itself."""
    before = table(L="polar-bear", R="horse", hand="mammoth sheep")
    assert before.broken("sheep", "L1") == {"R5.5"}
    assert before.broken("mammoth", "L1") == {"R5.3"}


# --- R5.6 ---


def test_R5_6_shy_not_into_a_cabin_with_a_meat_eater(table: TableMaker) -> None:
    before = table(L="toad", R="bee", hand="deer squirrel")
    assert before.broken("deer", "L1") == {"R5.6"}
    assert before.broken("squirrel", "L1") == {"R5.6"}


def test_R5_6_shy_not_beside_a_meat_eater_nor_opposite(table: TableMaker) -> None:
    before = table(L="bee | cat | snail", R="spider | mouse | caterpillar", hand="rabbit")
    assert before.broken("rabbit", "L1") == {"R5.6"}
    assert before.broken("rabbit", "L3") == {"R5.6"}
    assert before.broken("rabbit", "R2") == {"R5.6"}
    assert before.cabins("rabbit") == {"R1", "R3", "R4", "L4"}


@pytest.mark.parametrize("eater", ["cat", "hen"])
def test_R5_6_carnivores_and_omnivores_frighten(table: TableMaker, eater: str) -> None:
    before = table(L="bee | snail", R=eater, hand="mouse")
    assert before.cabins("mouse") == {"L2", "L3"}


def test_R5_6_meat_eaters_may_come_later(table: TableMaker) -> None:
    before = table(L="deer", R="sheep", hand="cat")
    assert before.broken("cat", "L1") == set()
    assert before.cabins("cat") >= {"L1", "L2", "R1", "R2"}


def test_R5_6_others_are_not_shy(table: TableMaker) -> None:
    before = table(L="bee", R="cat", hand="hedgehog")
    assert "L1" in before.cabins("hedgehog")


# --- R5.7 ---


def test_R5_7_a_new_cabin_costs_a_timber_to_the_right_neighbour(table: TableMaker) -> None:
    before = table(
        L="mouse", R="bee", hand="spider", players=4, timbers=[1, 2, 3, 4], display="cat dog hen"
    )
    after = before.after("play spider L2 take hen")
    assert after.state["timbers"] == [0, 2, 3, 5]
    assert after.state["ark"]["L"] == [["mouse"], ["spider"]]
    assert after.state["hands"][0] == ["hen"]


def test_R5_7_seat_2s_right_neighbour_is_seat_1(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", others=["", "spider"], to_move=[2], display="cat dog hen")
    after = before.after("play spider R2 take cat", seat=2)
    assert after.state["timbers"] == [4, 5, 3]


def test_R5_7_not_without_a_timber(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", hand="spider", timbers=[0, 4, 4])
    assert before.cabins("spider") == {"L1", "R1"}


def test_R5_7_two_new_cabins_cost_two(table: TableMaker) -> None:
    words = {"L": "mouse", "R": "bee", "hand": "spider hedgehog", "display": "cat dog hen"}
    move = "play spider L2 take cat + play hedgehog R2 take dog"
    assert not table(**words, timbers=[1, 4, 4]).allows(move)
    after = table(**words, timbers=[2, 4, 4]).after(move)
    assert after.state["timbers"] == [0, 4, 6]


def test_R5_7_taking_a_card_is_compulsory_and_only_for_a_new_cabin(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", hand="spider", display="cat dog hen")
    assert not before.allows("play spider L2")
    assert not before.allows("play spider L1 take cat")
    assert not before.allows("play spider L2 take spider")
    assert not before.allows("play spider L2 take pig")
    for card in ["cat", "dog", "hen"]:
        assert before.allows(f"play spider L2 take {card}")


def test_R5_7_the_display_is_not_refilled_between_two_cabins(table: TableMaker) -> None:
    before = table(
        L="mouse", R="bee", hand="spider hedgehog", display="cat dog hen", stack="pig deer"
    )
    assert not before.allows("play spider L2 take cat + play hedgehog R2 take pig")
    assert not before.allows("play spider L2 take cat + play hedgehog R2 take cat")
    after = before.after("play spider L2 take cat + play hedgehog R2 take hen")
    assert after.state["hands"][0] == ["cat", "hen"]
    assert after.state["display"] == ["dog", "pig", "deer"]


def test_R5_7_nothing_is_taken_from_an_empty_display(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", hand="spider", display="", phase="end", rain=5)
    after = before.after("play spider L2")
    assert after.state["hands"][0] == []
    assert after.state["timbers"] == [2, 4, 5]


def test_R5_7_any_card_may_open_a_cabin(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", hand="grain-1 snail")
    assert {"L2", "R2"} <= before.cabins("grain-1")
    assert {"L2", "R2"} <= before.cabins("snail")
