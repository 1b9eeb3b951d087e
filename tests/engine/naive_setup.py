"""Decks and deals for the naive rules: R1.5 and R3, as plainly as they can be written."""

from __future__ import annotations

import csv
import itertools
import random
from pathlib import Path
from typing import Any

from tests.engine.naive_placing import KINDS, Card

HOUSE_DECK = Path(__file__).parents[2] / "engine" / "decks" / "house.csv"
SPECIALS = [
    "fox",
    "hedgehog",
    "mosquito",
    "bronto",
    "turtle",
    "skunk",
    "spider",
    "chimpanzee",
]


def read_deck(path: Path = HOUSE_DECK) -> list[Card]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{**row, "weight": int(row["weight"])} for row in csv.DictReader(file)]


def by_name(cards: list[Card]) -> dict[str, Card]:
    return {card["name"]: card for card in cards}


def deck_is_legal(cards: list[Card]) -> bool:
    """R1.5, without names for the faults."""
    names = [card["name"] for card in cards]
    if len(cards) != 55 or len(set(names)) != 55 or "rain" in names:
        return False
    provisions = [card for card in cards if card["kind"] == "provision"]
    if len(provisions) != 8 or any(card["diet"] != "none" for card in provisions):
        return False
    specials = {card["special"]: card for card in cards if card["special"]}
    if sorted(card["special"] for card in cards if card["special"]) != sorted(SPECIALS):
        return False
    return (
        specials["bronto"]["kind"] == "heavy"
        and specials["chimpanzee"]["kind"] == "none"
        and specials["hedgehog"]["weight"] == 0
        and specials["turtle"]["diet"] not in ["carnivore", "omnivore"]
        and specials["hedgehog"]["diet"] not in ["carnivore", "omnivore"]
        and specials["skunk"]["diet"] in ["herbivore", "omnivore"]
        and all(
            specials[name]["weight"] == 0 or specials[name]["diet"] in ["carnivore", "omnivore"]
            for name in ["mosquito", "spider"]
        )
        and any(first_four_are_right(four) for four in _fours(cards))
    )


def _fours(cards: list[Card]) -> list[list[Card]]:
    """Enough fours to know whether any satisfies R3.3: two cards of a kind are as good as ten."""
    chosen = []
    for kind in [*KINDS, "none"]:
        fitting = [card for card in cards if card["kind"] == kind and card["weight"] in [1, 2]]
        chosen += fitting if kind == "none" else fitting[:2]
    return [list(four) for four in itertools.combinations(chosen[:8], 4)]


def first_four_are_right(four: list[Card]) -> bool:
    """R3.3: each weighs 1 or 2 and no three of them share a kind."""
    if any(card["weight"] not in [1, 2] for card in four):
        return False
    kinds = [card["kind"] for card in four]
    return all(kinds.count(kind) < 3 for kind in KINDS)


def deal(rng: random.Random, players: int, cards: list[Card]) -> dict[str, Any]:
    """A set-up by R3 in the form of the record."""
    while True:
        deck = list(cards)
        rng.shuffle(deck)
        four = [deck.pop(0) for _ in range(4)]
        for _ in range(1000):
            for place in range(4):
                tries = 0
                while four[place]["weight"] not in [1, 2] and tries < len(cards):
                    deck.append(four[place])
                    four[place] = deck.pop(0)
                    tries += 1
            if first_four_are_right(four):
                return _deal_rest(rng, players, [card["name"] for card in four], deck)
            for kind in KINDS:
                sharing = [place for place in range(4) if four[place]["kind"] == kind]
                if len(sharing) >= 3:
                    for place in sharing[2:]:
                        deck.append(four[place])
                        four[place] = deck.pop(0)


def _deal_rest(
    rng: random.Random, players: int, four: list[str], deck: list[Card]
) -> dict[str, Any]:
    names = [card["name"] for card in deck]
    rng.shuffle(names)
    hands = [[names.pop(0), names.pop(0)] for _ in range(players)]
    display = [names.pop(0) for _ in range(3)]
    half = len(names) // 2
    upper = names[:half]
    lower = names[half:] + ["rain"] * 4
    rng.shuffle(lower)
    return {
        "ark": {"L": [[four[0]], [four[2]]], "R": [[four[1]], [four[3]]]},
        "hands": hands,
        "display": display,
        "stack": [*upper, "rain", *lower],
    }


def setup_is_legal(setup: dict[str, Any], players: int, cards: list[Card]) -> bool:
    """Whether R3 can produce this set-up."""
    ark = setup["ark"]
    if [len(cabin) for side in "LR" for cabin in ark[side]] != [1, 1, 1, 1]:
        return False
    if len(ark["L"]) != 2 or len(setup["hands"]) != players or len(setup["display"]) != 3:
        return False
    if any(len(hand) != 2 for hand in setup["hands"]):
        return False
    four = [cabin[0] for side in "LR" for cabin in ark[side]]
    everything = four + [name for hand in setup["hands"] for name in hand]
    everything += setup["display"] + setup["stack"]
    if sorted(everything) != sorted([card["name"] for card in cards] + ["rain"] * 5):
        return False
    known = by_name(cards)
    if not first_four_are_right([known[name] for name in four]):
        return False
    half = (55 - 4 - 2 * players - 3) // 2
    return bool(setup["stack"].index("rain") == half)
