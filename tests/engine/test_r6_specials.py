"""R6: special animals and driving out."""

from __future__ import annotations

import pytest

from tests.engine.conftest import TableMaker
from tests.engine.test_r1_material import house

MARKABLE = ["heavy", "slow", "shy", "useful"]

# --- R6.1 ---


def test_R6_1_fox_takes_two_timbers_from_the_bank(table: TableMaker) -> None:
    after = table(L="sheep", R="deer", hand="fox").after("play fox L1")
    assert after.state["timbers"] == [6, 4, 4]


def test_R6_1_after_every_payment(table: TableMaker) -> None:
    words = {"L": "sheep", "R": "deer", "hand": "fox", "display": "cat dog hen"}
    broke = table(**words, timbers=[0, 4, 4])
    assert broke.cabins("fox") == {"L1", "R1"}
    after = table(**words, timbers=[1, 4, 4]).after("play fox L2 take cat")
    assert after.state["timbers"] == [2, 4, 5]


def test_R6_1_fox_in_the_end_phase(table: TableMaker) -> None:
    words = {"L": "sheep", "R": "deer", "hand": "fox", "display": "cat", "phase": "end", "rain": 5}
    assert table(**words, timbers=[0, 4, 4]).cabins("fox") == set()
    assert table(**words, timbers=[1, 4, 4]).cabins("fox") == {"L1", "R1"}
    after = table(**words, timbers=[2, 4, 4]).after("play fox R2 take cat")
    assert after.state["timbers"] == [2, 4, 5]


@pytest.mark.parametrize("safe", ["fox", "mosquito", "spider"])
def test_R6_1_R6_4_R6_5_fox_mosquito_and_spider_stay(table: TableMaker, safe: str) -> None:
    before = table(L=f"{safe} | bee", R="rabbit", hand="skunk")
    assert before.victims("skunk") == {"bee", "rabbit"}


# --- R6.2 ---


def test_R6_2_hedgehog_among_heavier_meat_eaters(table: TableMaker) -> None:
    """The pig (2) needs not be lighter than the hedgehog (0); the bee (0) is no hedgehog."""
    before = table(L="hedgehog | bee", R="rabbit", hand="pig cat")
    assert before.broken("pig", "L1") == set()
    assert before.broken("cat", "L1") == set()
    assert before.broken("pig", "L2") == {"R5.5"}
    after = table(L="pig", R="deer", hand="hedgehog bee")
    assert after.broken("hedgehog", "L1") == set()
    assert after.broken("bee", "L1") == {"R5.5"}


def test_R6_2_not_among_those_that_weigh_nothing(table: TableMaker) -> None:
    """The toad (0) is not heavier than the hedgehog (0) and not lighter either."""
    assert table(L="hedgehog", R="deer", hand="toad").broken("toad", "L1") == {"R5.5"}
    assert table(L="toad", R="deer", hand="hedgehog").broken("hedgehog", "L1") == {"R5.5"}


def test_R6_2_the_others_in_the_cabin_still_count(table: TableMaker) -> None:
    before = table(L=["hedgehog bee", " hedgehog"][0], R="deer", hand="cat")
    assert before.broken("cat", "L1") == {"R5.5"}


# --- R6.3 ---


@pytest.mark.parametrize("eater", ["toad", "cat", "pig"])
def test_R6_3_turtle_among_any_meat_eater(table: TableMaker, eater: str) -> None:
    before = table(L="turtle", R="rabbit", hand=eater)
    assert before.broken(eater, "L1") == set()
    reverse = table(L=eater, R="rabbit", hand="turtle")
    assert reverse.broken("turtle", "L1") == set() or eater == "pig"
    level = table(L=eater, R="deer", hand="turtle")
    assert level.broken("turtle", "L1") == set()


def test_R6_3_a_meat_eater_as_light_as_a_weightless_turtle(table: TableMaker) -> None:
    """Unlike beside the hedgehog, an equal weight is no matter beside the turtle."""
    deck = house(turtle={"weight": 0})
    assert table(deck=deck, L="turtle", R="bee", hand="toad").broken("toad", "L1") == set()


# --- R6.4 ---


def test_R6_4_mosquito_may_drive_out_a_two(table: TableMaker) -> None:
    before = table(
        L="zebra | sheep | seal | chimpanzee",
        R="deer | grain-1 | horse | rabbit",
        hand="mosquito",
    )
    assert before.victims("mosquito") == {"zebra", "sheep", "seal", "chimpanzee", "deer"}


def test_R6_4_whatever_kind_it_is(table: TableMaker) -> None:
    """Heavy, slow and useful ones too; ones and threes not."""
    deck = house(bison={"weight": 2}, deer={"weight": 1}, sheep={"weight": 3})
    before = table(deck=deck, L="bison | deer", R="sheep", hand="mosquito")
    assert before.victims("mosquito") == {"bison"}


def test_R6_4_mosquito_need_not(table: TableMaker) -> None:
    before = table(L="zebra", R="deer", hand="mosquito")
    assert before.allows("play mosquito L1")
    assert before.allows("play mosquito L1 out zebra")


# --- R6.5 ---


def test_R6_5_spider_may_drive_out_a_shy_one(table: TableMaker) -> None:
    before = table(
        L="zebra mouse | flamingo | bee", R="deer | snail | hedgehog | rabbit", hand="spider"
    )
    assert before.victims("spider") == {"zebra", "mouse", "flamingo", "deer", "rabbit"}
    assert before.allows("play spider L1")


# --- R6.6 ---


def test_R6_6_skunk_may_drive_out_any_animal(table: TableMaker) -> None:
    before = table(
        L="polar-bear | bee | turtle | reindeer | snail",
        R="deer | hedgehog | bison | hen",
        hand="skunk",
    )
    assert before.victims("skunk") == {
        "polar-bear",
        "bee",
        "turtle",
        "reindeer",
        "snail",
        "deer",
        "hedgehog",
        "bison",
        "hen",
    }


def test_R6_6_bronto_and_chimpanzee_can_be_driven_out(table: TableMaker) -> None:
    before = table(L="bronto | chimpanzee", R="bison | deer", hand="skunk")
    # Without the bison the ark would be too heavy on the left.
    assert before.victims("skunk") == {"bronto", "chimpanzee", "deer"}


def test_R6_6_a_skunk_may_also_just_enter(table: TableMaker) -> None:
    before = table(L="deer", R="sheep", hand="skunk")
    assert before.allows("play skunk L1")
    assert before.allows("play skunk L1 out deer")


# --- R6.7 ---


def test_R6_7_bronto_counts_one_and_a_half(table: TableMaker) -> None:
    before = table(L="mouse", R="deer", hand="bronto")
    after = before.after("play bronto L1")
    assert after.marks() == {"heavy": 1.5}


# --- R6.8 ---


def test_R6_8_chimpanzee_marks_any_kind_but_provision(table: TableMaker) -> None:
    before = table(L="horse", R="hippo", hand="chimpanzee")
    for kind in MARKABLE:
        after = before.after(f"play chimpanzee L1 mark {kind}")
        assert after.marks() == {kind: 1.5}
    assert not before.allows("play chimpanzee L1 mark provision")


def test_R6_8_chimpanzee_must_mark(table: TableMaker) -> None:
    before = table(L="horse", R="hippo", hand="chimpanzee")
    assert not before.allows("play chimpanzee L1")


def test_R6_8_only_a_chimpanzee_marks(table: TableMaker) -> None:
    before = table(L="zebra", R="deer", hand="hamster mosquito")
    assert not before.allows("play hamster L1 mark shy")
    assert not before.allows("play mosquito L1 out zebra mark shy")


def test_R6_8_two_halves_make_three_wholes(table: TableMaker) -> None:
    before = table(L="horse", R="hippo", hand="chimpanzee", marks=[{"heavy": 1.5}])
    assert before.after("play chimpanzee L1 mark heavy").marks() == {"heavy": 3}


# --- R6.9 ---


def test_R6_9_the_victim_leaves_the_game_and_its_place_is_taken(table: TableMaker) -> None:
    before = table(L="mouse zebra bee", R="deer", hand="mosquito", gone="")
    after = before.after("play mosquito L1 out zebra")
    assert after.state["ark"]["L"] == [["mouse", "mosquito", "bee"]]
    everywhere = [after.state["display"], after.state["stack"], *after.state["hands"]]
    assert not any("zebra" in cards for cards in everywhere)


def test_R6_9_a_full_cabin_can_be_entered(table: TableMaker) -> None:
    before = table(L="mouse zebra bee", R="deer", hand="mosquito")
    assert not before.allows("play mosquito L1")
    assert before.allows("play mosquito L1 out zebra")


def test_R6_9_all_rules_are_checked_with_the_victim_gone(table: TableMaker) -> None:
    """The cold sheep out, the hot mosquito in; but a cold deer beside it keeps it out."""
    alone = table(L="sheep", R="rabbit", hand="mosquito")
    assert not alone.allows("play mosquito L1")
    assert alone.allows("play mosquito L1 out sheep")
    beside = table(L="sheep deer", R="horse", hand="mosquito")
    assert not beside.allows("play mosquito L1 out sheep")


def test_R6_9_the_victims_appetite_is_gone_too(table: TableMaker) -> None:
    """A skunk (1) takes the place of the cat (1), beside which it could not be."""
    before = table(L="cat", R="rabbit", hand="skunk")
    assert not before.allows("play skunk L1")
    assert before.allows("play skunk L1 out cat")


def test_R6_9_a_shy_driver_out_is_not_afraid_of_its_victim(table: TableMaker) -> None:
    deck = house(skunk={"kind": "shy"})
    before = table(deck=deck, L="cat", R="rabbit", hand="skunk")
    assert before.allows("play skunk L1 out cat")
    watched = table(deck=deck, L="cat", R="hen", hand="skunk")
    assert not watched.allows("play skunk L1 out cat")


def test_R6_9_the_balance_moves_by_the_difference(table: TableMaker) -> None:
    """+2 before: the zebra's 2 must not leave the left; on the right they may."""
    before = table(L="zebra", R="ostrich | grain-1", hand="mosquito")
    assert before.victims("mosquito") == {"ostrich"}
    equal = table(L="mammoth", R="bison horse", hand="skunk")
    # The skunk (1) for the mammoth (4) would leave +5.
    assert equal.victims("skunk") == {"bison", "horse"}


def test_R6_9_a_marker_for_the_victims_kind_and_those_placed_stay(table: TableMaker) -> None:
    before = table(
        L="zebra", R="rabbit", hand="mosquito", marks=[{}, {"shy": 2}], display="cat dog hen"
    )
    after = before.after("play mosquito L1 out zebra")
    assert after.marks(0) == {"shy": 1}
    assert after.marks(1) == {"shy": 2}


def test_R6_9_both_kinds_are_marked(table: TableMaker) -> None:
    deck = house(skunk={"kind": "useful"})
    before = table(deck=deck, L="snail | bee", R="squirrel", hand="skunk")
    assert before.after("play skunk L1 out snail").marks() == {"useful": 1, "slow": 1}
    assert before.after("play skunk L2 out bee").marks() == {"useful": 2}
    assert before.after("play skunk L1").marks() == {"useful": 1}


def test_R6_9_driving_out_bronto_marks_one_and_a_half(table: TableMaker) -> None:
    before = table(L="bronto", R="bison", hand="skunk", marks=[{"heavy": 1.5}])
    assert before.after("play skunk L1 out bronto").marks() == {"heavy": 3}


def test_R6_9_driving_out_the_chimpanzee_marks_a_kind_of_choice(table: TableMaker) -> None:
    before = table(L="chimpanzee", R="rabbit", hand="mosquito")
    assert not before.allows("play mosquito L1 out chimpanzee")
    assert not before.allows("play mosquito L1 out chimpanzee mark provision")
    for kind in MARKABLE:
        after = before.after(f"play mosquito L1 out chimpanzee mark {kind}")
        assert after.marks() == {kind: 1.5}


def test_R6_9_no_marker_for_a_victim_without_a_kind(table: TableMaker) -> None:
    deck = house(bee={"kind": "none"})
    before = table(deck=deck, L="bee", R="squirrel", hand="skunk")
    assert before.after("play skunk L1 out bee").marks() == {}


def test_R6_9_provisions_are_no_victims(table: TableMaker) -> None:
    before = table(L="grain-1", R="deer", hand="skunk")
    assert not before.allows("play skunk L1 out grain-1")
    mosquito = table(L="grain-1", R="zebra", hand="mosquito")
    assert mosquito.victims("mosquito") == {"zebra"}


def test_R6_9_a_new_cabin_has_no_victim(table: TableMaker) -> None:
    before = table(L="deer", R="zebra", hand="mosquito", display="cat dog hen")
    assert not before.allows("play mosquito L2 out zebra take cat")
    assert not before.allows("play mosquito L2 out zebra")
    assert not before.allows("play mosquito L1 out zebra")  # not in that cabin


def test_R6_9_only_three_animals_drive_out(table: TableMaker) -> None:
    before = table(L="mouse", R="rabbit", hand="hedgehog fox hen")
    for card in ["hedgehog", "fox", "hen"]:
        assert before.victims(card) == set()
        assert not before.allows(f"play {card} L1 out mouse")


def test_R6_9_the_second_of_two_may_drive_out_too(table: TableMaker) -> None:
    before = table(L="mouse", R="zebra | bee", hand="skunk mosquito spider")
    after = before.after("play spider L1 out mouse + play mosquito R1 out zebra")
    assert after.state["ark"] == {"L": [["spider"]], "R": [["mosquito"], ["bee"]]}
    assert after.marks() == {"shy": 2}


def test_R6_9_a_meat_eater_driven_out_frightens_no_longer(table: TableMaker) -> None:
    before = table(L="cat | bee", R="rabbit", hand="skunk mouse")
    assert not before.allows("play mouse L2")
    assert not before.allows("play skunk L2 + play mouse L2")
    assert before.allows("play skunk L1 out cat + play mouse L2")
    assert not before.allows("play mouse L2 + play skunk L1 out cat")


# --- R6.10 ---


def test_R6_10_hedgehog_and_turtle_obey_every_other_rule(table: TableMaker) -> None:
    deck = house(
        hedgehog={"climate": "cold", "diet": "herbivore", "kind": "shy"}, turtle={"climate": "hot"}
    )
    before = table(
        deck=deck,
        L="caterpillar | dates-1 | cat",
        R="lemming | grain-1 | bee",
        hand="hedgehog turtle",
    )
    assert before.broken("hedgehog", "L1") == {"R5.2"}
    assert before.broken("hedgehog", "R2") == {"R5.4"}
    assert before.broken("hedgehog", "L3") == {"R5.6"}
    assert before.broken("turtle", "R1") == {"R5.2"}
    assert before.broken("turtle", "L2") == {"R5.4"}
    assert before.broken("turtle", "R2") == {"R5.2", "R5.4"}


def test_R6_10_the_powerful_obey_all_rules(table: TableMaker) -> None:
    before = table(L="bee | zebra", R=["grain-1", " bison"][0], hand="fox skunk chimpanzee")
    assert before.broken("fox", "L1") == {"R5.5"}
    assert before.broken("fox", "L2") == {"R5.2"}
    assert before.broken("skunk", "R1") == {"R5.4"}
    assert before.broken("chimpanzee", "R1") >= {"R5.2", "R5.4"}
