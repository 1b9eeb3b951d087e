"""R3: the set-up."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import builtin_deck
from engine.game import Position, new_game
from engine.record import from_setup, state
from engine.view import view
from tests.engine import naive_rules, naive_setup
from tests.engine.build import engine_deck
from tests.engine.conftest import TableMaker
from tests.engine.decks import legal_decks
from tests.engine.test_r1_material import house

PLAYERS = [3, 4, 5]


def setup_of(position: Position) -> dict[str, Any]:
    dealt = state(position)
    return {key: dealt[key] for key in ["ark", "hands", "display", "stack"]}


@pytest.mark.parametrize("players", PLAYERS)
def test_R3_1_seat_0_starts_and_the_next_seat_is_the_left_neighbour(players: int) -> None:
    position = a_deal(players)
    assert view(position, None).to_move == (0,)


def a_deal(players: int) -> Position:
    return new_game(f"start {players}", players, builtin_deck())


def test_R3_1_turns_go_round_to_the_left(table: TableMaker) -> None:
    now = table(L="mouse", R="bee", players=4, display="cat dog hen")
    for seat, card in enumerate(["cat", "dog", "hen"]):
        assert now.state["to_move"] == [seat]
        now = now.after(f"take {card}", seat)
    assert now.state["to_move"] == [3]
    now = now.after(f"take {now.state['display'][0]}", 3)
    assert now.state["to_move"] == [0]


@pytest.mark.parametrize("players", [-1, 0, 1, 2, 6])
def test_R3_1_three_to_five_players(players: int) -> None:
    with pytest.raises(ValueError, match="3"):
        new_game("few", players, builtin_deck())


@pytest.mark.parametrize(
    ("players", "timbers"), [(3, (4, 4, 4)), (4, (3, 3, 3, 4)), (5, (3, 3, 3, 4, 4))]
)
def test_R3_2_timbers(players: int, timbers: tuple[int, ...]) -> None:
    assert view(a_deal(players), None).timbers == timbers
    assert tuple(state(a_deal(players))["timbers"]) == timbers


@given(seed=st.text(), players=st.sampled_from(PLAYERS))
def test_R3_3_R3_4_every_deal_follows_the_rules(seed: str, players: int) -> None:
    setup = setup_of(new_game(seed, players, builtin_deck()))
    assert naive_setup.setup_is_legal(setup, players, naive_setup.read_deck())


@given(seed=st.integers(0, 10**9), players=st.sampled_from(PLAYERS), cards=legal_decks())
def test_R3_3_random_decks_are_dealt_by_the_rules(
    seed: int, players: int, cards: list[dict[str, Any]]
) -> None:
    setup = setup_of(new_game(str(seed), players, engine_deck(cards)))
    assert naive_setup.setup_is_legal(setup, players, cards)


def test_R3_3_a_deck_with_only_four_cards_for_the_first_cabins() -> None:
    """Whatever the shuffle, exactly these four are turned up in the end."""
    four = {"dates-1", "grain-1", "fox", "skunk"}
    cards = [
        {**card, "weight": 0} if card["weight"] in (1, 2) and card["name"] not in four else card
        for card in house()
    ]
    for seed in range(10):
        ark = setup_of(new_game(str(seed), 5, engine_deck(cards)))["ark"]
        assert {cabin[0] for side in "LR" for cabin in ark[side]} == four


def test_R3_3_no_markers_and_no_powers_for_the_first_four() -> None:
    """Fox, skunk, chimpanzee and turtle may lie there and do nothing."""
    for seed in range(200):
        position = new_game(f"first {seed}", 3, builtin_deck())
        first_four = {cabin[0] for cabins in state(position)["ark"].values() for cabin in cabins}
        if first_four & {"fox", "skunk", "chimpanzee", "turtle"}:
            spectator = view(position, None)
            assert spectator.timbers == (4, 4, 4)
            assert not any(count for marks in spectator.marks for count in marks.values())
            return
    pytest.fail("no special animal among the first four in 200 deals")


def test_R3_3_places_of_the_first_four_are_equally_likely() -> None:
    """No place among L1, R1, L2, R2 prefers a card: the hamster stands everywhere."""
    places: Counter[str] = Counter()
    for seed in range(400):
        ark = setup_of(new_game(f"place {seed}", 3, builtin_deck()))["ark"]
        for side in "LR":
            for number, cabin in enumerate(ark[side], 1):
                if cabin == ["hamster"]:
                    places[f"{side}{number}"] += 1
    assert set(places) == {"L1", "L2", "R1", "R2"}


@pytest.mark.parametrize(("players", "half"), [(3, 21), (4, 20), (5, 19)])
def test_R3_4_stack(players: int, half: int) -> None:
    setup = setup_of(a_deal(players))
    stack = setup["stack"]
    assert [len(hand) for hand in setup["hands"]] == [2] * players
    assert len(setup["display"]) == 3
    assert len(stack) == 2 * half + 5
    assert "rain" not in stack[:half]
    assert stack[half] == "rain"
    assert stack[half:].count("rain") == 5


def test_R3_4_rain_falls_anywhere_in_the_lower_half() -> None:
    """The lower half is shuffled with its four rain cards: all its places are met."""
    places = set()
    for seed in range(150):
        stack = setup_of(new_game(f"rain {seed}", 3, builtin_deck()))["stack"]
        places |= {place for place, name in enumerate(stack) if name == "rain"}
    assert places == {*range(21, 47)}


def test_R3_4_a_seed_always_deals_the_same() -> None:
    one, other = (new_game("same", 4, builtin_deck()) for _ in range(2))
    assert one == other
    assert setup_of(one) == setup_of(other)
    assert setup_of(one) != setup_of(new_game("another", 4, builtin_deck()))


def broken_setups() -> dict[str, dict[str, Any]]:
    """Set-ups that R3 cannot produce, each with one thing wrong."""

    good = setup_of(a_deal(3))
    faulty: dict[str, dict[str, Any]] = {}

    def variant(name: str) -> dict[str, Any]:
        faulty[name] = copy.deepcopy(good)
        return faulty[name]

    stack = variant("rain in the upper half")["stack"]
    stack[20], stack[21] = stack[21], stack[20]
    stack = variant("rain below its place")["stack"]
    place = next(i for i in range(22, 47) if stack[i] != "rain")
    stack[21], stack[place] = stack[place], stack[21]
    one = variant("four rain cards")
    one["stack"].remove("rain")
    one = variant("six rain cards")
    one["stack"].append("rain")
    one = variant("a card twice")
    one["stack"][0] = one["hands"][0][0]
    one = variant("a card missing")
    del one["stack"][0]
    one = variant("an unknown card")
    one["stack"][0] = "unicorn"
    one = variant("three in a hand")
    one["hands"][0].append(one["stack"].pop(0))
    one = variant("a hand too many")
    one["hands"].append([])
    one = variant("a hand missing")
    del one["hands"][0]
    one = variant("display of two")
    one["stack"].insert(0, one["display"].pop())
    one = variant("rain in a hand")
    place = one["stack"].index("rain", 22)
    one["stack"][place], one["hands"][0][0] = one["hands"][0][0], "rain"
    one = variant("two cards in a cabin")
    one["ark"]["L"] = [one["ark"]["L"][0] + one["ark"]["L"][1]]
    one = variant("three cabins on a side")
    one["ark"]["L"].append(one["ark"]["R"].pop())
    one = variant("a heavy card in the first cabins")
    _swap(one, one["ark"]["L"][0][0], "elephant")
    one = variant("three of a kind in the first cabins")
    for old, new in zip(
        [one["ark"]["L"][0][0], one["ark"]["R"][0][0], one["ark"]["L"][1][0]],
        ["hamster", "deer", "zebra"],
        strict=True,
    ):
        _swap(one, old, new)
    return faulty


def _swap(setup: dict[str, Any], old: str, new: str) -> None:
    """Exchange two cards wherever they lie."""
    lists = [setup["stack"], setup["display"], *setup["hands"]]
    lists += [cabin for side in "LR" for cabin in setup["ark"][side]]
    for cards in lists:
        cards[:] = [{old: new, new: old}.get(name, name) for name in cards]


@pytest.mark.parametrize("fault", broken_setups())
def test_R3_4_set_ups_that_no_deal_can_produce_are_refused(fault: str) -> None:
    setup = broken_setups()[fault]
    with pytest.raises(ValueError, match=r"R3|deck|card"):
        from_setup(setup, 3, builtin_deck())


@pytest.mark.parametrize("players", PLAYERS)
def test_R3_4_a_set_up_gives_the_position_it_came_from(players: int) -> None:
    dealt = a_deal(players)
    setup = setup_of(dealt)
    assert from_setup(setup, players, builtin_deck()) == dealt
    cards = naive_setup.by_name(naive_setup.read_deck())
    assert state(dealt) == naive_rules.state(naive_rules.start(setup, players, cards))
