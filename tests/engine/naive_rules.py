"""The rules once more, as plainly as they can be written.

This is the engine's oracle and the baseline of its benchmark. It is written from the rules
alone and shares nothing with `engine/`: cards are dictionaries, cabins are lists of names, every
card is tried in every cabin, every rule is asked about the whole cabin as it would be then, and
every step makes a copy of the whole position.
Nothing here is clever; where a shorter way existed, the more obvious one was taken.

A *position* is a dictionary with the keys of the record's `state` and four more: `cards` (name to
card), `players` (how many), `next` (the seat that goes on after the pets, or begins the end phase)
and `disc` (the balance).
"""

from __future__ import annotations

from typing import Any

from tests.engine.naive_placing import (
    KINDS,
    Card,
    Move,
    Position,
    balance,
    broken_rules,
    gain,
    is_single,
    may_drive_out,
)


def left_neighbour(position: Position, seat: int) -> int:
    players: int = position["players"]
    return (seat + 1) % players


def right_neighbour(position: Position, seat: int) -> int:
    players: int = position["players"]
    return (seat - 1) % players


def start(setup: dict[str, Any], players: int, cards: dict[str, Card]) -> Position:
    """The position before the first turn (R3)."""
    timbers = [4, 4, 4] if players == 3 else [3, 3, 3, 4, 4][:players]
    position = {
        "cards": cards,
        "players": players,
        "next": 0,
        "ark": {side: [list(cabin) for cabin in setup["ark"][side]] for side in "LR"},
        "hands": [list(hand) for hand in setup["hands"]],
        "display": list(setup["display"]),
        "stack": list(setup["stack"]),
        "rain": 0,
        "timbers": timbers,
        "marks": [dict.fromkeys(KINDS, 0) for _ in range(players)],
        "pets": [None] * players,
        "passed": [],
        "phase": "main",
        "to_move": [0],
    }
    position["disc"] = balance(position)
    return position


def copied(position: Position) -> Position:
    new = dict(position)
    new["ark"] = {side: [list(cabin) for cabin in position["ark"][side]] for side in "LR"}
    new["hands"] = [list(hand) for hand in position["hands"]]
    new["marks"] = [dict(marks) for marks in position["marks"]]
    for key in ["display", "stack", "timbers", "pets", "passed", "to_move"]:
        new[key] = list(position[key])
    return new


def state(position: Position) -> dict[str, Any]:
    """The `state` of the record format."""
    new = copied(position)
    for key in ["cards", "players", "next", "disc"]:
        del new[key]
    return new


# --- One play: R4.4, R6, R8.2 ---------------------------------------------------------------


def put_marker(position: Position, seat: int, card: Card, mark: str | None) -> None:
    """Mark this card, entered or driven out by the player (R4.4, R6.7 to R6.9)."""
    marks = position["marks"][seat]
    if card["special"] == "chimpanzee":
        marks[mark] += 1.5
    elif card["special"] == "bronto":
        marks["heavy"] += 1.5
    elif card["kind"] != "none":
        marks[card["kind"]] += 1


def is_opening(position: Position, play: dict[str, Any]) -> bool:
    side, number = play["cabin"][0], int(play["cabin"][1:])
    return number == len(position["ark"][side]) + 1


def price(position: Position, play: dict[str, Any]) -> int:
    """The timbers the player must have: for a new cabin (R5.7) and for playing late (R8.2)."""
    timbers = 0
    if position["phase"] == "end":
        timbers += 1
    if is_opening(position, play):
        timbers += 1
    return timbers


def placements(position: Position, seat: int) -> list[dict[str, Any]]:
    """Every card of the hand in every cabin and in place of every victim, allowed or not."""
    cards = position["cards"]
    found = []
    for name in position["hands"][seat]:
        for side in "LR":
            cabins = position["ark"][side]
            for number in range(1, len(cabins) + 2):
                found.append({"card": name, "cabin": f"{side}{number}"})
            for number, cabin in enumerate(cabins, 1):
                for victim in cabin:
                    if may_drive_out(cards[name], cards[victim]):
                        found.append({"card": name, "cabin": f"{side}{number}", "out": victim})
    return found


def is_allowed(position: Position, seat: int, placement: dict[str, Any]) -> bool:
    card = position["cards"][placement["card"]]
    if position["timbers"][seat] < price(position, placement):
        return False
    if position["phase"] == "end" and is_single(card):
        return False
    return not broken_rules(position, placement)


def completed(position: Position, placement: dict[str, Any]) -> list[dict[str, Any]]:
    """The plays a placement can be completed to: every kind to mark, every card to take."""
    plays = [placement]
    for name in [placement["card"], placement.get("out")]:
        if name is not None and position["cards"][name]["special"] == "chimpanzee":
            plays = [{**placement, "mark": kind} for kind in ["heavy", "slow", "shy", "useful"]]
    if is_opening(position, placement) and position["display"]:
        plays = [{**play, "take": take} for play in plays for take in position["display"]]
    return plays


def allowed_plays(position: Position, seat: int) -> list[dict[str, Any]]:
    plays = []
    for placement in placements(position, seat):
        if is_allowed(position, seat, placement):
            plays += completed(position, placement)
    return plays


def after_play(position: Position, seat: int, play: dict[str, Any]) -> Position:
    """The position after an allowed play."""
    new = copied(position)
    cards = new["cards"]
    card = cards[play["card"]]
    side, number = play["cabin"][0], int(play["cabin"][1:])
    cabins = new["ark"][side]
    new["hands"][seat].remove(play["card"])
    new["timbers"][seat] -= price(position, play)
    new["disc"] += gain(position, play)
    put_marker(new, seat, card, play.get("mark"))
    if is_opening(position, play):
        new["timbers"][right_neighbour(new, seat)] += 1
        cabins.append([play["card"]])
        if "take" in play:
            new["display"].remove(play["take"])
            new["hands"][seat].append(play["take"])
    elif "out" in play:
        cabin = cabins[number - 1]
        cabin[cabin.index(play["out"])] = play["card"]
        put_marker(new, seat, cards[play["out"]], play.get("mark"))
    else:
        cabins[number - 1].append(play["card"])
    if card["special"] == "fox":
        new["timbers"][seat] += 2
    return new


# --- Moves: R4, R7, R8 ----------------------------------------------------------------------


def legal_moves(position: Position, seat: int) -> list[Move]:
    """Every legal complete move of a seat in the form of the record; none if it is not to move."""
    if seat not in position["to_move"]:
        return []
    cards = position["cards"]
    moves: list[Move] = []
    if position["phase"] == "pets":
        for name in [*position["hands"][seat], None]:
            moves.append({"type": "pet", "card": name})
        return moves

    if position["phase"] == "main":
        for name in position["display"]:
            moves.append({"type": "gather", "take": name})
    if position["phase"] == "end":
        moves.append({"type": "pass"})

    for first in allowed_plays(position, seat):
        moves.append({"type": "board", "plays": [first]})
        if position["phase"] == "end" or is_single(cards[first["card"]]):
            continue
        between = after_play(position, seat, first)
        for second in allowed_plays(between, seat):
            if second["cabin"] != first["cabin"] and not is_single(cards[second["card"]]):
                moves.append({"type": "board", "plays": [first, second]})
    return moves


def draw(position: Position) -> str | None:
    """The next card of the stack, rain put aside; None once the fifth rain card is out (R4.5)."""
    while position["rain"] < 5:
        name: str = position["stack"].pop(0)
        if name != "rain":
            return name
        position["rain"] += 1
    return None


def after_move(position: Position, seat: int, move: Move) -> Position:
    """The position after a legal move, with everything that follows from it."""
    if move["type"] == "pet":
        return after_pet(position, seat, move["card"])
    if position["phase"] == "end":
        return after_end_move(position, seat, move)

    rain_before = position["rain"]
    if move["type"] == "gather":
        new = copied(position)
        new["display"].remove(move["take"])
        new["hands"][seat].append(move["take"])
        drawn = draw(new)
        if drawn is not None:
            new["hands"][seat].append(drawn)
    else:
        new = position
        for play in move["plays"]:
            new = after_play(new, seat, play)

    while len(new["display"]) < 3:
        drawn = draw(new)
        if drawn is None:
            break
        new["display"].append(drawn)

    new["next"] = left_neighbour(new, seat)
    if rain_before < 2 <= new["rain"]:
        new["phase"] = "pets"
        new["to_move"] = list(range(new["players"]))
    else:
        go_on(new)
    return new


def go_on(position: Position) -> None:
    """Main or end phase, with the seat that is next."""
    position["phase"] = "end" if position["rain"] == 5 else "main"
    position["to_move"] = [position["next"]]


def after_pet(position: Position, seat: int, name: str | None) -> Position:
    new = copied(position)
    if name is not None:
        new["hands"][seat].remove(name)
        new["pets"][seat] = name
    new["to_move"].remove(seat)
    if not new["to_move"]:
        go_on(new)
    return new


def after_end_move(position: Position, seat: int, move: Move) -> Position:
    if move["type"] == "pass":
        new = copied(position)
        new["passed"].append(seat)
        new["passed"].sort()
    else:
        new = after_play(position, seat, move["plays"][0])
    if len(new["passed"]) == new["players"]:
        new["phase"] = "over"
        new["to_move"] = []
        return new
    following = left_neighbour(new, seat)
    while following in new["passed"]:
        following = left_neighbour(new, following)
    new["to_move"] = [following]
    return new
