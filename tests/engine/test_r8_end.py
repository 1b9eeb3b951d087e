"""R8: the end phase."""

from __future__ import annotations

import pytest

from tests.engine.conftest import TableMaker

END = {"phase": "end", "rain": 5, "L": "mouse", "R": "bee"}


def test_R8_1_pass_or_exactly_one_card(table: TableMaker) -> None:
    before = table(**END, hand="hamster hedgehog", display="cat dog")
    assert {len(move.get("plays", [])) for move in before.legal()} == {0, 1}
    assert before.allows("pass")
    assert before.allows("play hamster L1")
    assert not before.allows("play hamster L1 + play hedgehog R1")
    assert not before.allows("take cat")


def test_R8_1_clockwise_past_those_who_are_out(table: TableMaker) -> None:
    before = table(**END, hand="hamster", players=5, passed=[1, 2], display="")
    after = before.after("play hamster L1")
    assert after.state["to_move"] == [3]
    assert before.after("pass").state["to_move"] == [3]
    assert before.after("pass").state["passed"] == [0, 1, 2]


def test_R8_1_whoever_passes_is_out(table: TableMaker) -> None:
    now = table(**END, hand="hamster hedgehog", others=["spider", "lemming"], display="")
    now = now.after("play hamster L1").after("pass", 1).after("play lemming R1", 2)
    assert now.state["to_move"] == [0]
    now = now.after("play hedgehog R1")
    assert now.state["to_move"] == [2]
    assert now.legal(1) == []


def test_R8_1_the_last_one_goes_on_turn_after_turn(table: TableMaker) -> None:
    now = table(**END, hand="hamster hedgehog", passed=[1, 2], display="")
    now = now.after("play hamster L1")
    assert now.state["to_move"] == [0]
    now = now.after("play hedgehog R1")
    assert (now.state["phase"], now.state["to_move"]) == ("end", [0])
    assert now.legal() == [{"type": "pass"}]
    now = now.after("pass")
    assert (now.state["phase"], now.state["to_move"]) == ("over", [])


def test_R8_2_a_play_costs_a_timber_to_the_bank(table: TableMaker) -> None:
    before = table(**END, hand="hamster", timbers=[1, 2, 3], display="cat")
    assert before.after("play hamster L1").state["timbers"] == [0, 2, 3]


def test_R8_2_a_new_cabin_costs_one_more_to_the_right_neighbour(table: TableMaker) -> None:
    before = table(**END, hand="hamster", timbers=[2, 2, 3], display="cat", passed=[2])
    after = before.after("play hamster L2 take cat")
    assert after.state["timbers"] == [0, 2, 4]  # seat 2 has passed and receives it all the same


@pytest.mark.parametrize(
    ("timbers", "cabins"),
    [(0, set()), (1, {"L1", "R1"}), (2, {"L1", "L2", "R1", "R2"})],
)
def test_R8_2_both_timbers_must_be_in_hand(
    table: TableMaker, timbers: int, cabins: set[str]
) -> None:
    before = table(**END, hand="hamster", timbers=[timbers, 4, 4], display="cat")
    assert before.cabins("hamster") == cabins
    assert before.allows("play hamster L1") == ("L1" in cabins)
    assert before.allows("play hamster L2 take cat") == ("L2" in cabins)


@pytest.mark.parametrize("card", ["snail", "koala", "dates-1", "grain-1"])
def test_R8_2_no_slow_cards_and_no_provisions(table: TableMaker, card: str) -> None:
    before = table(**END, hand=card, display="cat")
    assert before.legal() == [{"type": "pass"}]


def test_R8_2_R5_still_applies(table: TableMaker) -> None:
    before = table(L="cat | camel", R="grain-1 | sheep", hand="hamster", phase="end", rain=5)
    assert before.broken("hamster", "L1") == {"R5.5", "R5.6"}
    assert before.broken("hamster", "R1") == {"R5.4", "R5.6"}
    assert before.cabins("hamster") == {"R2", "L3", "R3"}


def test_R8_2_special_powers_and_driving_out_still_apply(table: TableMaker) -> None:
    before = table(
        L="zebra", R="bee | hamster", hand="mosquito chimpanzee skunk", phase="end", rain=5,
        display="",
    )  # fmt: skip
    after = before.after("play mosquito L1 out zebra")
    assert after.marks() == {"shy": 1}
    assert after.state["timbers"] == [3, 4, 4]
    assert before.victims("skunk") == {"zebra", "bee", "hamster"}
    assert before.after("play chimpanzee R3 mark slow").marks() == {"slow": 1.5}


def test_R8_3_opening_takes_from_what_is_left_of_the_display(table: TableMaker) -> None:
    before = table(**END, hand="hamster", others=["lemming"], display="cat dog", stack="fox")
    assert not before.allows("play hamster L2")
    after = before.after("play hamster L2 take cat")
    assert after.state["display"] == ["dog"]
    assert after.state["hands"][0] == ["cat"]
    assert after.state["stack"][0] == "fox"
    last = after.after("play lemming R2 take dog", 1)
    assert last.state["display"] == []


def test_R8_3_an_empty_display_gives_nothing(table: TableMaker) -> None:
    before = table(**END, hand="hamster", display="")
    assert before.after("play hamster L2").state["hands"][0] == []


def test_R8_4_who_cannot_play_must_pass(table: TableMaker) -> None:
    before = table(**END, hand="", display="cat")
    assert before.legal() == [{"type": "pass"}]
    poor = table(**END, hand="hamster", timbers=[0, 4, 4], display="cat")
    assert poor.legal() == [{"type": "pass"}]


def test_R8_4_over_when_everybody_has_passed(table: TableMaker) -> None:
    now = table(**END, players=4, to_move=[2], display="cat")
    for seat in [2, 3, 0, 1]:
        assert (now.state["phase"], now.state["to_move"]) == ("end", [seat])
        now = now.after("pass", seat)
    assert (now.state["phase"], now.state["to_move"]) == ("over", [])
    assert now.state["passed"] == [0, 1, 2, 3]
    assert all(now.legal(seat) == [] for seat in range(4))
