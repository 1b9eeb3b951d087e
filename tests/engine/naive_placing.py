"""R2, R5 and the driving out of R6, as plainly as they can be written; see `naive_rules`."""

from __future__ import annotations

from typing import Any

Card = dict[str, Any]
Position = dict[str, Any]
Move = dict[str, Any]

KINDS = ["heavy", "slow", "shy", "useful", "provision"]
MEAT_EATERS = ["carnivore", "omnivore"]
PLANT_EATERS = ["herbivore", "omnivore"]
NEVER_VICTIMS = ["fox", "mosquito", "spider"]


def balance(position: Position) -> int:
    """R2.2: right minus left."""
    total = 0
    for cabin in position["ark"]["R"]:
        total += sum(position["cards"][name]["weight"] for name in cabin)
    for cabin in position["ark"]["L"]:
        total -= sum(position["cards"][name]["weight"] for name in cabin)
    return total


def gain(position: Position, play: dict[str, Any]) -> int:
    """How far a play moves the disc."""
    weight: int = position["cards"][play["card"]]["weight"]
    if "out" in play:
        weight -= position["cards"][play["out"]]["weight"]
    return weight if play["cabin"][0] == "R" else -weight


def is_animal(card: Card) -> bool:
    return bool(card["kind"] != "provision")


def adjacent_cabins(position: Position, side: str, number: int) -> list[list[str]]:
    """The cabins next to a cabin, which may be a new one (R2.3)."""
    mine = position["ark"][side]
    others = position["ark"]["R" if side == "L" else "L"]
    found = []
    if number > 1:
        found.append(mine[number - 2])
    if number < len(mine):
        found.append(mine[number])
    if number <= len(others):
        found.append(others[number - 1])
    return found


def may_stay(eater: Card, animal: Card) -> bool:
    """Whether a meat eater bears this other animal beside it (R5.5, R6.2, R6.3)."""
    if eater["weight"] < animal["weight"]:
        return True
    if animal["special"] == "turtle":
        return True
    return bool(animal["special"] == "hedgehog" and eater["weight"] > animal["weight"])


def broken_rules(position: Position, play: dict[str, Any]) -> list[str]:
    """The rules of R5 this play would break: all are asked about the cabin as it would be then."""
    cards = position["cards"]
    side, number = play["cabin"][0], int(play["cabin"][1:])
    cabins = position["ark"][side]
    before = cabins[number - 1] if number <= len(cabins) else []
    names = [name for name in before if name != play.get("out")] + [play["card"]]
    cabin = [cards[name] for name in names]
    broken = []

    if len(cabin) > 3:
        broken.append("R5.1")

    climates = [card["climate"] for card in cabin]
    if "hot" in climates and "cold" in climates:
        broken.append("R5.2")

    disc = position["disc"] + gain(position, play)
    if disc < -2 or disc > 2:
        broken.append("R5.3")

    plant_eater_here = any(card["diet"] in PLANT_EATERS for card in cabin)
    provision_here = any(not is_animal(card) for card in cabin)
    if plant_eater_here and provision_here:
        broken.append("R5.4")

    for eater in cabin:
        if eater["diet"] in MEAT_EATERS:
            others = [card for card in cabin if card is not eater and is_animal(card)]
            if not all(may_stay(eater, other) for other in others) and "R5.5" not in broken:
                broken.append("R5.5")

    if cards[play["card"]]["kind"] == "shy":
        near = [name for name in names if name != play["card"]]
        for adjacent in adjacent_cabins(position, side, number):
            near += adjacent
        if any(cards[name]["diet"] in MEAT_EATERS for name in near):
            broken.append("R5.6")

    return broken


def may_drive_out(card: Card, victim: Card) -> bool:
    if not is_animal(victim) or victim["special"] in NEVER_VICTIMS:
        return False
    if card["special"] == "mosquito":
        return bool(victim["weight"] == 2)
    if card["special"] == "spider":
        return bool(victim["kind"] == "shy")
    return bool(card["special"] == "skunk")


def is_single(card: Card) -> bool:
    """Whether this card can only be played alone (R4.3)."""
    return bool(card["kind"] in ["slow", "provision"])
