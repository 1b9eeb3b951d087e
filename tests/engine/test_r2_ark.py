"""R2: cabins, balance, adjacency."""

from __future__ import annotations

import random

import pytest

from engine.ark import Ark
from engine.cards import builtin_deck
from engine.game import apply, legal_moves, new_game
from engine.tables import LEFT, RIGHT
from engine.view import view
from tests.engine.build import EngineTable, Table
from tests.engine.conftest import TableMaker


def disc(table: Table) -> int:
    """The balance as the engine shows it; the naive rules keep it themselves."""
    if isinstance(table, EngineTable):
        return view(table.position, None).balance
    disc: int = table.position["disc"]  # type: ignore[attr-defined]
    return disc


def test_R2_1_sides_may_differ_in_length(table: TableMaker) -> None:
    before = table(L="mouse | lemming | snail | bee", R="hamster", hand="hedgehog")
    assert before.cabins("hedgehog") == {"L1", "L2", "L3", "L4", "L5", "R1", "R2"}


def test_R2_1_a_cabin_holds_at_most_three(table: TableMaker) -> None:
    before = table(L="mouse bee snail | lemming", R="hamster", hand="hedgehog")
    assert before.cabins("hedgehog") == {"L2", "L3", "R1", "R2"}


def test_R2_2_balance_is_right_minus_left(table: TableMaker) -> None:
    before = table(L="hamster | dates-1", R="horse | mouse", hand="sheep")
    assert disc(before) == 3 - 2
    assert disc(before.after("play sheep L1")) == 3 - 4


@pytest.mark.parametrize(
    ("left", "right", "card", "expected"),
    [
        ("hamster", "rabbit", "sheep", {"L1", "L2", "R1", "R2"}),
        ("hamster", "rabbit", "bison", set()),
        ("hamster", "deer", "bison", {"L1", "L2"}),
        ("hamster", "deer", "sheep", {"L1", "L2"}),
        ("hamster", "bison", "mammoth", {"L1", "L2"}),
        ("bison", "hamster", "horse", {"R1", "R2"}),
        ("bison", "hamster", "mouse", {"L1", "L2", "R1", "R2"}),
    ],
)
def test_R2_2_balance_stays_within_two(
    table: TableMaker, left: str, right: str, card: str, expected: set[str]
) -> None:
    assert table(L=left, R=right, hand=card).cabins(card) == expected


def test_R2_2_after_every_single_placement(table: TableMaker) -> None:
    """Two heavy ones may only come in the order that keeps the ark level in between."""
    before = table(L="hamster", R="horse", hand="hippo rhino")
    assert before.allows("play hippo L1")
    assert before.allows("play hippo L1 + play rhino R1")
    assert not before.allows("play rhino R1")
    assert not before.allows("play rhino R1 + play hippo L1")


def test_R2_2_provisions_weigh_too(table: TableMaker) -> None:
    before = table(L="hamster", R="grain-1", hand="grain-2 dates-1")
    assert before.cabins("grain-2") == {"L2"}
    assert before.cabins("dates-1") == {"L2", "R2"}


def test_R2_3_adjacent_are_the_neighbours_on_its_side_and_the_one_opposite(
    table: TableMaker,
) -> None:
    """A shy animal keeps out of the dog's cabin and of the adjacent ones, and of no others."""
    before = table(
        L="snail | dog | bee",
        R="caterpillar | hedgehog | lemming | sheep | spider",
        hand="mouse",
    )
    assert before.cabins("mouse") == {"L4", "R1", "R3", "R4", "R5", "R6"}


def test_R2_3_a_new_cabin_is_adjacent_to_what_exists(table: TableMaker) -> None:
    """L2 is next to L1 and opposite R2; R3 is next to R2 and has nothing opposite."""
    next_to_a_dog = table(L="dog", R="snail | bee", hand="mouse")
    assert next_to_a_dog.cabins("mouse") == {"R2", "R3"}
    opposite_a_dog = table(L="snail", R="bee | dog", hand="mouse")
    assert opposite_a_dog.cabins("mouse") == {"L1"}


def test_R2_an_ark_loaded_at_once_is_that_loaded_card_by_card() -> None:
    rng = random.Random(2)
    position = new_game("loaded", 4, builtin_deck())
    while position.phase != "over":
        seat = position.to_move[0]
        legal = legal_moves(position, seat)
        apply(position, seat, legal[rng.randrange(len(legal))])
        crews = position.ark.side(LEFT), position.ark.side(RIGHT)
        at_once, by_card = Ark.loaded(position.tables, *crews), Ark()
        for side, cabins in zip((LEFT, RIGHT), crews, strict=True):
            for row, crew in enumerate(cabins):
                for card in crew:
                    by_card.enter(position.tables, card, 2 * row + side)
        assert _told(at_once) == _told(by_card)


def _told(ark: Ark) -> dict[str, object]:
    """All that an ark holds; the doors of cards that are aboard say nothing."""
    held = {name: getattr(ark, name) for name in Ark.__slots__}
    held["doors"] = [doors for card, doors in enumerate(ark.doors) if ark.ashore >> card & 1]
    return held
