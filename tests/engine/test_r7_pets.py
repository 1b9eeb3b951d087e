"""R7: pets."""

from __future__ import annotations

import pytest

from engine.game import Position, apply, violations
from engine.moves import Gather, Pet
from engine.view import view
from tests.engine.build import EngineTable, build_state
from tests.engine.conftest import TableMaker
from tests.engine.naive_setup import read_deck
from tests.engine.random_play import keys
from tests.engine.test_r1_material import house


def test_R7_1_every_card_in_hand_or_none(table: TableMaker) -> None:
    before = table(
        L="mouse", R="bee", hand="hamster fox", others=["elephant dates-1"], phase="pets",
        rain=2, to_move=[0, 1, 2],
    )  # fmt: skip
    assert keys(before.legal(0)) == keys(
        [{"type": "pet", "card": card} for card in ("hamster", "fox", None)]
    )
    assert before.allows("pet elephant", 1)
    assert before.allows("pet dates-1", 1)
    assert not before.allows("pet hamster", 1)
    assert not before.allows("pass", 1)
    assert before.legal(2) == [{"type": "pet", "card": None}]


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_R7_1_all_choose_in_any_order_and_once(table: TableMaker, order: list[int]) -> None:
    now = table(
        L="mouse", R="bee", hand="hamster", others=["deer", "sheep"], phase="pets", rain=2,
        to_move=[0, 1, 2], first=2,
    )  # fmt: skip
    waiting = [0, 1, 2]
    for seat in order:
        assert now.state["to_move"] == waiting
        card = ["hamster", "deer", "sheep"][seat]
        now = now.after(f"pet {card}", seat)
        assert now.legal(seat) == [] or now.state["phase"] != "pets"
        waiting.remove(seat)
    assert now.state["pets"] == ["hamster", "deer", "sheep"]
    assert now.state["hands"] == [[], [], []]
    assert (now.state["phase"], now.state["to_move"]) == ("main", [2])


def test_R7_1_play_goes_on_with_the_left_neighbour_of_whoever_revealed_it(
    table: TableMaker,
) -> None:
    before = table(L="mouse", R="bee", stack="rain fox", rain=1, display="cat dog hen", to_move=[1])
    now = before.after("take cat", 1)
    for seat in [2, 0, 1]:
        assert now.state["phase"] == "pets"
        now = now.after("pet none", seat)
    assert (now.state["phase"], now.state["to_move"]) == ("main", [2])


def test_R7_1_the_pet_may_be_the_card_just_drawn(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", stack="rain rain hamster", display="cat dog hen")
    now = before.after("take cat")
    assert now.state["phase"] == "pets"
    assert now.allows("pet hamster")
    assert now.allows("pet cat")


def test_R7_1_nobody_sees_the_choice() -> None:
    position = two_rains()
    before = [view(position, seat).to_json() for seat in (0, 2, None)]
    apply(position, 1, Pet("deer"))
    after = [view(position, seat).to_json() for seat in (0, 2, None)]
    for was, now in zip(before, after, strict=True):
        changed = {key for key in was if was[key] != now[key]}
        assert changed <= {"to_move", "turn"}


def two_rains() -> Position:
    state = build_state(
        read_deck(), L="mouse", R="bee", stack="rain rain fox", display="cat dog hen",
        hand="hamster", others=["deer sheep", "pig"],
    )  # fmt: skip
    table = EngineTable.of(state, 3, read_deck(), 0)
    assert isinstance(table, EngineTable)
    apply(table.position, 0, Gather("cat"))
    return table.position


def test_R7_1_a_second_answer_is_refused() -> None:
    position = two_rains()
    apply(position, 1, Pet(None))
    assert violations(position, 1, Pet("deer"))
    assert violations(position, 0, Gather("dog"))
    assert not violations(position, 0, Pet("hamster"))


@pytest.mark.parametrize(
    ("pet", "kind"),
    [
        ("hamster", "shy"),  # 1
        ("mouse", "shy"),  # 0
        ("zebra", "shy"),  # 2
        ("anteater", "slow"),
        ("hen", "useful"),
        ("horse", None),  # 3
        ("camel", None),
        ("elephant", None),
        ("dates-1", None),  # no animal
        ("grain-1", None),
        ("turtle", None),  # special
        ("hedgehog", None),
        ("fox", None),
        ("bronto", None),
    ],
)
def test_R7_2_which_pets_count(table: TableMaker, pet: str, kind: str | None) -> None:
    before = table(
        L="bee", R="snail", phase="over", rain=5, to_move=[], pets=[pet], passed=[0, 1, 2],
        timbers=[0, 0, 0],
    )  # fmt: skip
    expected = {name: [0, 0, 0] for name in ["heavy", "slow", "shy", "useful", "provision"]}
    if kind:
        expected[kind] = [10, 0, 0]
    assert before.score()["scoring"] == expected
    assert before.marks() == {}


def test_R7_2_a_light_heavy_one_counts_on_heavy(table: TableMaker) -> None:
    deck = house(hippo={"weight": 2}, bee={"kind": "none"})
    words = {
        "deck": deck, "L": "mouse", "R": "snail", "phase": "over", "rain": 5, "to_move": [],
        "passed": [0, 1, 2], "timbers": [0, 0, 0],
    }  # fmt: skip
    assert table(**words, pets=["hippo"]).score()["scoring"]["heavy"] == [10, 0, 0]
    assert table(**words, pets=["bee"]).score()["totals"] == [0, 0, 0]


def test_R7_2_one_marker_is_added_to_the_others(table: TableMaker) -> None:
    before = table(
        L="bee", R="snail", phase="over", rain=5, to_move=[], passed=[0, 1, 2],
        pets=["hamster", "deer"], marks=[{"shy": 1}, {"shy": 0.0}, {"shy": 1.5}],
    )  # fmt: skip
    assert before.score()["scoring"]["shy"] == [10, 2, 6]


@pytest.mark.parametrize("pet", ["hamster", "elephant"])
def test_R7_2_a_card_set_aside_is_no_longer_in_the_hand(table: TableMaker, pet: str) -> None:
    before = table(L="mouse", R="bee", hand=f"{pet} deer", phase="pets", rain=2, to_move=[0, 1, 2])
    after = before.after(f"pet {pet}").after("pet none", 1).after("pet none", 2)
    assert after.state["hands"][0] == ["deer"]
    assert not after.allows(f"play {pet} L1")
    assert after.state["pets"] == [pet, None, None]
