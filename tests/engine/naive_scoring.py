"""Scoring, R7.2 and R9, as plainly as it can be written; see `naive_rules`."""

from __future__ import annotations

from typing import Any

from tests.engine.naive_placing import KINDS, Card, Position, is_animal

PLACES = [10, 6, 2, 2, 2]


def points_of_one_kind(counts: list[float]) -> list[int]:
    """The points of every seat on one scoring card (R9.2)."""
    points = [0] * len(counts)
    ranked = 0
    for count in sorted(set(counts), reverse=True):
        if count == 0:
            continue
        equals = [seat for seat in range(len(counts)) if counts[seat] == count]
        shared = sum(PLACES[ranked : ranked + len(equals)])
        each = shared // len(equals)
        if shared % len(equals) != 0:
            each += 1
        for seat in equals:
            points[seat] = each
        ranked += len(equals)
    return points


def pet_counts(card: Card) -> bool:
    return is_animal(card) and card["weight"] <= 2 and card["special"] == ""


def score(position: Position) -> dict[str, Any]:
    """The `result` of the record format."""
    cards = position["cards"]
    players = position["players"]
    marks = [dict(seat_marks) for seat_marks in position["marks"]]
    for seat in range(players):
        pet = position["pets"][seat]
        if pet is not None and pet_counts(cards[pet]) and cards[pet]["kind"] != "none":
            marks[seat][cards[pet]["kind"]] += 1

    scoring = {kind: points_of_one_kind([mine[kind] for mine in marks]) for kind in KINDS}
    totals = []
    for seat in range(players):
        totals.append(sum(scoring[kind][seat] for kind in KINDS) + position["timbers"][seat])

    best = max(totals)
    first = [seat for seat in range(players) if totals[seat] == best]
    animals = []
    for seat in range(players):
        animals.append(len([name for name in position["hands"][seat] if is_animal(cards[name])]))
    fewest = min(animals[seat] for seat in first)
    winners = [seat for seat in first if animals[seat] == fewest]
    return {
        "totals": totals,
        "scoring": scoring,
        "timbers": list(position["timbers"]),
        "winners": winners,
    }
