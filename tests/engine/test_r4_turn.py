"""R4: a turn in the main phase, and rain."""

from __future__ import annotations

import pytest

from tests.engine.conftest import TableMaker

# --- R4.1 ---


def test_R4_1_a_turn_is_one_gather_or_one_board(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", hand="hedgehog", display="cat dog hen")
    assert {move["type"] for move in before.legal()} == {"gather", "board"}
    after = before.after("play hedgehog L1")
    assert after.state["to_move"] == [1]
    assert after.legal(0) == []


def test_R4_1_only_the_seat_to_move_moves(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", hand="hedgehog", others=["cat"], display="dog hen pig")
    assert before.legal(1) == []
    assert not before.allows("take dog", seat=1)


def test_R4_1_there_is_no_pass(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", display="cat dog hen")
    assert len(before.legal()) == 3
    assert not before.allows("pass")
    assert not before.allows("pet none")


def test_R4_1_there_is_no_hand_limit(table: TableMaker) -> None:
    many = "tyranno mammoth walrus elephant hippo rhino bison horse camel polar-bear brown-bear"
    after = table(L="mouse", R="bee", hand=many, display="cat dog hen").after("take cat")
    assert len(after.state["hands"][0]) == 13


def test_R4_1_the_display_is_refilled_to_three(table: TableMaker) -> None:
    before = table(
        L="mouse",
        R="bee",
        hand="hedgehog lemming",
        display="cat dog hen",
        stack="pig sheep deer",
    )
    assert before.after("play hedgehog L1").state["display"] == ["cat", "dog", "hen"]
    assert before.after("play hedgehog L2 take dog").state["display"] == ["cat", "hen", "pig"]
    both = before.after("play hedgehog L2 take dog + play lemming R2 take cat")
    assert both.state["display"] == ["hen", "pig", "sheep"]
    assert both.state["stack"][0] == "deer"


# --- R4.2 ---


def test_R4_2_gather_takes_a_card_of_the_display_and_the_top_of_the_stack(
    table: TableMaker,
) -> None:
    before = table(L="mouse", R="bee", hand="sheep", display="cat dog hen", stack="fox pig deer")
    after = before.after("take dog")
    assert after.state["hands"][0] == ["sheep", "dog", "fox"]
    assert after.state["display"] == ["cat", "hen", "pig"]
    assert after.state["stack"][0] == "deer"


def test_R4_2_every_card_of_the_display_and_no_other_can_be_taken(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", display="cat dog hen", stack="fox")
    assert before.allows("take cat")
    assert before.allows("take dog")
    assert before.allows("take hen")
    assert not before.allows("take fox")
    assert not before.allows("take mouse")


# --- R4.3 ---


@pytest.mark.parametrize("single", ["snail", "dates-1"])
def test_R4_3_slow_cards_and_provisions_are_played_alone(table: TableMaker, single: str) -> None:
    before = table(L="bee", R="hedgehog", hand=f"{single} lemming", display="cat dog hen")
    assert before.allows(f"play {single} L1")
    assert before.allows("play lemming R1")
    assert not before.allows(f"play {single} L1 + play lemming R1")
    assert not before.allows(f"play lemming R1 + play {single} L1")


def test_R4_3_the_second_card_is_optional(table: TableMaker) -> None:
    before = table(L="bee", R="snail", hand="mouse lemming")
    assert before.allows("play mouse L1 + play lemming R1")
    assert before.allows("play lemming R1 + play mouse L1")
    assert before.allows("play mouse L1")
    assert before.allows("play lemming R1")


def test_R4_3_there_is_no_third_card(table: TableMaker) -> None:
    before = table(L="bee | hedgehog", R="snail", hand="mouse lemming spider")
    assert before.allows("play mouse L1 + play lemming R1")
    assert not before.allows("play mouse L1 + play lemming R1 + play spider L2")
    assert max(len(move["plays"]) for move in before.legal() if "plays" in move) == 2


def test_R4_3_the_second_goes_into_another_cabin(table: TableMaker) -> None:
    before = table(L="bee", R="snail", hand="mouse lemming", display="cat dog hen")
    assert not before.allows("play mouse L1 + play lemming L1")
    assert not before.allows("play mouse L2 take cat + play lemming L2")
    assert before.allows("play mouse L2 take hen + play lemming R1")


def test_R4_3_the_second_goes_into_another_cabin_than_a_driver_out(table: TableMaker) -> None:
    before = table(L="bee zebra", R="snail", hand="mosquito mouse")
    assert before.allows("play mosquito L1 out zebra + play mouse R1")
    assert not before.allows("play mosquito L1 out zebra + play mouse L1")


def test_R4_3_the_second_may_be_the_card_taken_with_the_first(table: TableMaker) -> None:
    before = table(L="bee", R="snail", hand="mouse", display="lemming caterpillar dates-1")
    assert before.allows("play mouse L2 take lemming + play lemming R1")
    assert not before.allows("play lemming R1")
    assert not before.allows("play mouse L2 take caterpillar + play caterpillar R1")
    assert not before.allows("play mouse L2 take dates-1 + play dates-1 R2 take lemming")


def test_R4_3_the_foxs_timbers_pay_for_the_second(table: TableMaker) -> None:
    before = table(
        L="bee", R="spider", hand="fox hedgehog", display="lemming cat dog", timbers=[1, 4, 4]
    )
    assert before.allows("play fox L2 take cat + play hedgehog R2 take dog")
    assert not before.allows("play hedgehog R2 take dog + play fox L2 take cat")
    after = before.after("play fox L2 take cat + play hedgehog R2 take dog")
    assert after.state["timbers"] == [1 - 1 + 2 - 1, 4, 4 + 2]


def test_R4_3_the_second_may_open_the_cabin_after_the_one_the_first_opened(
    table: TableMaker,
) -> None:
    before = table(L="bee", R="spider", hand="mouse lemming", display="hen cat dog")
    after = before.after("play mouse L2 take cat + play lemming L3 take dog")
    assert after.state["ark"]["L"] == [["bee"], ["mouse"], ["lemming"]]
    assert not before.allows("play mouse L3 take cat")


def test_R4_3_the_first_is_complete_before_the_second(table: TableMaker) -> None:
    """A meat eater that came first keeps a shy one away that would have come before it."""
    before = table(L="bee", R="spider", hand="cat mouse", display="hen pig dog")
    assert before.allows("play mouse R1 + play cat L2 take hen")
    assert before.allows("play mouse L1 + play cat L2 take hen")
    assert not before.allows("play cat L2 take hen + play mouse L1")
    assert before.allows("play cat L2 take hen + play mouse R1")


def test_R4_3_a_meat_eater_frightens_the_card_taken_with_it(table: TableMaker) -> None:
    before = table(L="bee", R="spider", hand="cat", display="mouse pig dog")
    assert before.allows("play cat L2 take mouse + play mouse R1")
    assert not before.allows("play cat L2 take mouse + play mouse L1")
    assert not before.allows("play cat L2 take mouse + play mouse L3 take pig")
    assert not before.allows("play cat L2 take mouse + play mouse R2 take pig")


# --- R4.4 ---


@pytest.mark.parametrize(
    ("card", "marks"),
    [
        ("hippo", {"heavy": 1}),
        ("snail", {"slow": 1}),
        ("mouse", {"shy": 1}),
        ("hedgehog", {"useful": 1}),
        ("dates-1", {"provision": 1}),
        ("fox", {}),
        ("spider", {}),
        ("skunk", {}),
    ],
)
def test_R4_4_a_marker_on_the_kind_of_the_card(
    table: TableMaker, card: str, marks: dict[str, int]
) -> None:
    before = table(L="reindeer", R="bee | lemming", hand=card, display="cat dog hen")
    after = before.after(f"play {card} R3 take cat")
    assert after.marks(0) == marks
    assert after.marks(1) == after.marks(2) == {}
    assert after.state["ark"]["R"][2] == [card]


def test_R4_4_two_cards_two_markers(table: TableMaker) -> None:
    before = table(L="bee", R="snail", hand="mouse lemming", marks=[{"shy": 1.5, "slow": 2}])
    after = before.after("play mouse L1 + play lemming R1")
    assert after.marks() == {"shy": 3.5, "slow": 2}


# --- R4.5 ---


def test_R4_5_rain_in_a_gather_is_replaced_by_the_next_card(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", display="cat dog hen", stack="rain fox pig deer")
    after = before.after("take cat")
    assert after.state["hands"][0] == ["cat", "fox"]
    assert after.state["display"] == ["dog", "hen", "pig"]
    assert after.state["rain"] == 1
    assert after.state["phase"] == "main"
    assert after.state["to_move"] == [1]


def test_R4_5_rain_in_a_refill_is_replaced_by_the_next_card(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", hand="snail", display="cat dog hen", stack="rain fox pig")
    after = before.after("play snail L2 take dog")
    assert after.state["display"] == ["cat", "hen", "fox"]
    assert after.state["rain"] == 1
    assert after.state["stack"][0] == "pig"


def test_R4_5_third_and_fourth_rain_change_nothing(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", display="cat dog hen", stack="rain rain fox pig", rain=2)
    after = before.after("take cat")
    assert (after.state["rain"], after.state["phase"]) == (4, "main")
    assert after.state["to_move"] == [1]


def test_R4_5_second_rain_when_the_turn_and_its_refill_are_complete(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", display="cat dog hen", stack="rain fox rain pig deer")
    after = before.after("take cat")
    assert after.state["hands"][0] == ["cat", "fox"]
    assert after.state["display"] == ["dog", "hen", "pig"]
    assert after.state["phase"] == "pets"
    assert after.state["to_move"] == [0, 1, 2]


def test_R4_5_fifth_rain_the_blind_card_is_not_replaced(table: TableMaker) -> None:
    before = table(
        L="mouse",
        R="bee",
        display="cat dog hen",
        stack="rain fox pig deer",
        rain=4,
        others=["", ""],
    )
    stack = before.state["stack"]
    after = before.after("take cat")
    assert after.state["hands"][0] == ["cat"]
    assert after.state["display"] == ["dog", "hen"]
    assert after.state["stack"] == stack[1:]
    assert (after.state["rain"], after.state["phase"]) == (5, "end")
    assert after.state["to_move"] == [1]


def test_R4_5_fifth_rain_a_refill_stops_where_it_is(table: TableMaker) -> None:
    before = table(
        L="mouse",
        R="bee",
        hand="hedgehog snail spider",
        display="cat dog hen",
        stack="fox rain pig",
        rain=4,
    )
    after = before.after("play hedgehog L2 take cat + play spider R2 take hen")
    assert after.state["display"] == ["dog", "fox"]
    assert after.state["stack"][0] == "pig"
    assert (after.state["phase"], after.state["to_move"]) == ("end", [1])


def test_R4_5_fifth_rain_after_a_blind_card_stops_the_refill(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", display="cat dog hen", stack="fox rain pig", rain=4)
    after = before.after("take cat")
    assert after.state["hands"][0] == ["cat", "fox"]
    assert after.state["display"] == ["dog", "hen"]
    assert after.state["phase"] == "end"


def test_R4_5_the_end_phase_begins_with_the_left_neighbour(table: TableMaker) -> None:
    before = table(L="mouse", R="bee", display="cat dog hen", stack="rain fox", rain=4, to_move=[2])
    assert before.after("take cat", seat=2).state["to_move"] == [0]


def test_R4_5_second_and_fifth_rain_in_one_turn_pets_first(table: TableMaker) -> None:
    before = table(
        L="mouse",
        R="bee",
        display="cat dog hen",
        stack="rain rain rain rain fox",
        rain=1,
        hand="sheep",
        others=["deer", "pig"],
        to_move=[1],
    )
    after = before.after("take cat", seat=1)
    assert (after.state["rain"], after.state["phase"]) == (5, "pets")
    assert after.state["to_move"] == [0, 1, 2]
    assert after.state["hands"][1] == ["deer", "cat"]
    assert after.state["display"] == ["dog", "hen"]
    chosen = after.after("pet sheep", 0).after("pet none", 1).after("pet none", 2)
    assert (chosen.state["phase"], chosen.state["to_move"]) == ("end", [2])
