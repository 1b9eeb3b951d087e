"""Random legal decks (R1.5), from near the house deck to very far from it."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from tests.engine import naive_setup

CLIMATES = ["hot", "cold", "none"]
DIETS = ["herbivore", "carnivore", "omnivore", "none"]
ANIMAL_KINDS = ["heavy", "slow", "shy", "useful", "none"]

# How often each value comes up, relative to the others; a style makes some of them common.
STYLES: dict[str, dict[str, dict[Any, int]]] = {
    "even": {},
    "all shy": {"kind": {"shy": 20}},
    "everything hot": {"climate": {"hot": 30}},
    "no climate": {"climate": {"none": 30}},
    "meat eaters": {"diet": {"carnivore": 12, "omnivore": 6}},
    "plant eaters": {"diet": {"herbivore": 15}},
    "shy and meat eaters": {"diet": {"carnivore": 5}, "kind": {"shy": 8}},
    "light": {"weight": {0: 8, 1: 8}},
    "heavy": {"weight": {3: 4, 4: 6}},
    "twos": {"weight": {2: 20}},
    "no slow ones": {"kind": {"slow": 0}},
    "peaceful and light": {"diet": {"none": 20}, "weight": {0: 9, 1: 9}, "kind": {"slow": 0}},
}


def random_deck(rng: random.Random, style: str) -> list[dict[str, Any]]:
    """55 cards that satisfy R1.5; the same generator gives the same deck."""
    common = STYLES[style]

    def pick(key: str, values: list[Any]) -> Any:
        weights = [common.get(key, {}).get(value, 1) for value in values]
        return rng.choices(values, weights)[0]

    while True:
        cards = []
        for name in [*naive_setup.SPECIALS, *(f"animal-{number}" for number in range(1, 40))]:
            special = name if name in naive_setup.SPECIALS else ""
            card = {
                "name": name,
                "weight": pick("weight", [0, 1, 2, 3, 4]),
                "climate": pick("climate", CLIMATES),
                "diet": pick("diet", DIETS),
                "kind": pick("kind", ANIMAL_KINDS),
                "special": special,
            }
            cards.append(_with_duties(card, rng))
        for number in range(1, 9):
            cards.append(
                {
                    "name": f"food-{number}",
                    "weight": pick("weight", [0, 1, 2, 3, 4]),
                    "climate": pick("climate", CLIMATES),
                    "diet": "none",
                    "kind": "provision",
                    "special": "",
                }
            )
        if naive_setup.deck_is_legal(cards):
            return cards


def _with_duties(card: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """What R1.5 demands of the special animals."""
    special = card["special"]
    if special == "bronto":
        card["kind"] = "heavy"
    if special == "chimpanzee":
        card["kind"] = "none"
    if special == "hedgehog":
        card["weight"] = 0
    if special in ("turtle", "hedgehog"):
        card["diet"] = rng.choice(["herbivore", "none"])
    if special == "skunk":
        card["diet"] = rng.choice(["herbivore", "omnivore"])
    if special in ("mosquito", "spider") and card["diet"] in ("herbivore", "none"):
        card["weight"] = 0
    return card


def legal_decks() -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.builds(
        lambda seed, style: random_deck(random.Random(seed), style),
        st.integers(0, 2**32),
        st.sampled_from(sorted(STYLES)),
    )
