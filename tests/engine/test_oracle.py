"""The engine against the naive rules, over random games with the house deck and with others."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine import moves
from engine.game import Position, apply, fits, legal_moves, new_game, victims, violations
from engine.record import state
from tests.engine import naive_rules, naive_scoring, naive_setup
from tests.engine.build import engine_deck, score_json
from tests.engine.decks import legal_decks
from tests.engine.naive_placing import Position as NaivePosition
from tests.engine.naive_placing import broken_rules, may_drive_out
from tests.engine.random_play import engine_moves, keys, naive_start, pick
from tests.examples import GAMES

Json = dict[str, Any]
SEEDS = st.integers(0, 2**32)
PLAYERS = st.sampled_from([3, 4, 5])


def lockstep(seed: int, players: int, cards: list[Json]) -> None:
    """Play a game on both and compare everything after every turn."""
    rng = random.Random(seed)
    position = new_game(f"lockstep {seed}", players, engine_deck(cards))
    naive = naive_start(position, cards)
    while naive["to_move"]:
        assert list(position.to_move) == naive["to_move"]
        seat = rng.choice(naive["to_move"])
        legal = naive_rules.legal_moves(naive, seat)
        assert keys(engine_moves(position, seat)) == keys(legal)
        for other in range(players):
            if other not in naive["to_move"]:
                assert list(legal_moves(position, other)) == []
        move = pick(rng, legal)
        naive = naive_rules.after_move(naive, seat, move)
        before = position.copy()
        apply(position, seat, moves.from_json(move))
        assert state(position) == naive_rules.state(naive)
        assert position != before
    assert position.phase == "over"
    assert tuple(position.to_move) == ()
    assert score_json(position) == naive_scoring.score(naive)


@GAMES
@given(seed=SEEDS, players=PLAYERS)
def test_games_of_the_house_deck_agree_with_the_naive_rules(seed: int, players: int) -> None:
    lockstep(seed, players, naive_setup.read_deck())


@GAMES
@given(seed=SEEDS, players=PLAYERS, cards=legal_decks())
def test_games_of_any_legal_deck_agree_with_the_naive_rules(
    seed: int, players: int, cards: list[Json]
) -> None:
    lockstep(seed, players, cards)


def random_positions(
    seed: int, players: int, cards: list[Json], count: int
) -> list[tuple[Position, NaivePosition]]:
    """Some positions of one random game, on both."""
    rng = random.Random(seed)
    position = new_game(f"positions {seed}", players, engine_deck(cards))
    naive = naive_start(position, cards)
    found = []
    while naive["to_move"]:
        found.append((position.copy(), naive))
        seat = rng.choice(naive["to_move"])
        move = pick(rng, engine_moves(position, seat))
        naive = naive_rules.after_move(naive, seat, move)
        apply(position, seat, moves.from_json(move))
    return rng.sample(found, min(count, len(found)))


def mutated(rng: random.Random, move: Json, naive: NaivePosition, seat: int) -> Json:
    """The move with one or two things changed: often illegal, always of the right form."""
    new: Json = json.loads(json.dumps(move))
    hand = naive["hands"][seat]
    anything = rng.choice([hand, naive["display"], list(naive["cards"])]) or ["bee"]
    if rng.random() < 0.1 or "plays" not in new:
        return rng.choice(
            [
                {"type": "gather", "take": rng.choice(anything)},
                {"type": "pet", "card": rng.choice([*anything, None])},
                {"type": "pass"},
                {"type": "board", "plays": [random_play(rng, naive, anything)]},
            ]
        )
    plays = new["plays"]
    for _ in range(rng.choice([1, 1, 2])):
        play = rng.choice(plays)
        change = rng.choice(["card", "cabin", "out", "mark", "take", "swap", "drop", "add"])
        if change == "card":
            play["card"] = rng.choice(anything)
        elif change == "cabin":
            play["cabin"] = random_cabin(rng, naive)
        elif change == "out":
            inside = [name for side in "LR" for cabin in naive["ark"][side] for name in cabin]
            play["out"] = rng.choice(inside)
        elif change == "mark":
            play["mark"] = rng.choice(["heavy", "slow", "shy", "useful", "provision"])
        elif change == "take":
            play["take"] = rng.choice(anything)
        elif change == "swap":
            plays.reverse()
        elif change == "drop":
            play.pop(rng.choice(["out", "mark", "take"]), None)
        elif len(plays) < 2:
            plays.append(random_play(rng, naive, anything))
    return new


def random_cabin(rng: random.Random, naive: NaivePosition) -> str:
    side = rng.choice("LR")
    return f"{side}{rng.randint(1, len(naive['ark'][side]) + 2)}"


def random_play(rng: random.Random, naive: NaivePosition, names: list[str]) -> Json:
    play = {"card": rng.choice(names), "cabin": random_cabin(rng, naive)}
    if rng.random() < 0.3 and naive["display"]:
        play["take"] = rng.choice(naive["display"])
    return play


def check_mutations(seed: int, players: int, cards: list[Json]) -> None:
    rng = random.Random(seed)
    for position, naive in random_positions(seed, players, cards, count=6):
        before = state(position)
        for seat in range(players):
            legal = naive_rules.legal_moves(naive, seat)
            legal_keys = set(keys(legal))
            samples = legal if legal else engine_moves(position, naive["to_move"][0])
            for _ in range(40):
                move = mutated(rng, rng.choice(samples), naive, seat)
                found = violations(position, seat, moves.from_json(move))
                assert (not found) == (keys([move])[0] in legal_keys), (move, found)
                for violation in found:
                    assert violation.rule.startswith("R")
                    assert violation.code
                    assert violation.sentence
        assert state(position) == before


@GAMES
@given(seed=SEEDS, players=PLAYERS)
def test_violations_are_empty_exactly_for_legal_moves(seed: int, players: int) -> None:
    check_mutations(seed, players, naive_setup.read_deck())


@GAMES
@given(seed=SEEDS, players=PLAYERS, cards=legal_decks())
def test_violations_with_random_decks(seed: int, players: int, cards: list[Json]) -> None:
    check_mutations(seed, players, cards)


@GAMES
@given(seed=SEEDS, players=PLAYERS, cards=legal_decks())
def test_fits_names_every_broken_rule(seed: int, players: int, cards: list[Json]) -> None:
    """For each card in hand and each cabin the rules of R5 are the same on both."""
    for position, naive in random_positions(seed, players, cards, count=6):
        if naive["phase"] == "pets":
            continue
        seat = naive["to_move"][0]
        for name in naive["hands"][seat]:
            for side in "LR":
                for number in range(1, len(naive["ark"][side]) + 2):
                    cabin = f"{side}{number}"
                    found = {violation.rule for violation in fits(position, seat, name, cabin)}
                    expected = broken_rules(naive, {"card": name, "cabin": cabin})
                    assert found - {"R5.7", "R8.2"} == set(expected), (name, cabin)


@GAMES
@given(seed=SEEDS, players=PLAYERS, cards=legal_decks())
def test_victims_are_those_that_a_legal_play_drives_out(
    seed: int, players: int, cards: list[Json]
) -> None:
    """`victims` names exactly those that a legal single play drives out."""
    for position, naive in random_positions(seed, players, cards, count=6):
        if naive["phase"] == "pets":
            continue
        seat = naive["to_move"][0]
        legal = naive_rules.legal_moves(naive, seat)
        for name in naive["hands"][seat]:
            for side in "LR":
                for number, inside in enumerate(naive["ark"][side], 1):
                    cabin = f"{side}{number}"
                    driven_out = {
                        move["plays"][0].get("out")
                        for move in legal
                        if move["type"] == "board"
                        and len(move["plays"]) == 1
                        and move["plays"][0]["card"] == name
                        and move["plays"][0]["cabin"] == cabin
                    } - {None}
                    found = victims(position, seat, name, cabin)
                    assert set(found) == driven_out
                    assert len(found) == len(set(found))
                    known = naive["cards"]
                    assert all(may_drive_out(known[name], known[out]) for out in found)
                    assert set(found) <= set(inside)
