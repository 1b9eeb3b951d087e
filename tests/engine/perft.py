"""Perft: the number of legal sequences of moves of a given length.

Golden counts lie in `perft.json`; `python -m tests.engine.perft` makes them anew, with both
implementations, and refuses to write counts on which they differ.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from engine import moves
from engine.game import Position, apply, legal_moves, new_game
from tests.engine import naive_rules, naive_setup
from tests.engine.build import engine_deck
from tests.engine.naive_placing import Position as NaivePosition
from tests.engine.random_play import engine_moves, keys, naive_start

GOLDEN = Path(__file__).with_name("perft.json")
# Seed, players, turns played before (always the middle of the sorted legal list), depth.
STARTS = [
    ("perft a", 3, 0, 3),
    ("perft b", 4, 0, 3),
    ("perft c", 5, 0, 3),
    ("perft a", 3, 9, 2),
    ("perft b", 4, 12, 2),
    ("perft c", 5, 17, 2),
    ("perft a", 3, 30, 3),
]


def engine_perft(position: Position, depth: int) -> int:
    if not position.to_move:
        return 0
    seat = min(position.to_move)
    legal = legal_moves(position, seat)
    if depth == 1:
        return len(legal)
    total = 0
    for move in legal:
        following = position.copy()
        apply(following, seat, move)
        total += engine_perft(following, depth - 1)
    return total


def naive_perft(position: NaivePosition, depth: int) -> int:
    if not position["to_move"]:
        return 0
    seat = position["to_move"][0]
    legal = naive_rules.legal_moves(position, seat)
    if depth == 1:
        return len(legal)
    return sum(
        naive_perft(naive_rules.after_move(position, seat, move), depth - 1) for move in legal
    )


def start_of(seed: str, players: int, turns: int) -> tuple[Position, NaivePosition]:
    """The position some turns into a game in which everybody plays the middle of the list."""
    cards = naive_setup.read_deck()
    position = new_game(seed, players, engine_deck(cards))
    naive = naive_start(position, cards)
    for _ in range(turns):
        seat = min(position.to_move)
        legal = keys(engine_moves(position, seat))
        move: dict[str, Any] = json.loads(legal[len(legal) // 2])
        apply(position, seat, moves.from_json(move))
        naive = naive_rules.after_move(naive, seat, move)
    return position, naive


def main() -> int:
    rows = []
    for seed, players, turns, depth in STARTS:
        position, naive = start_of(seed, players, turns)
        counts = [engine_perft(position, d) for d in range(1, depth + 1)]
        if counts != [naive_perft(naive, d) for d in range(1, depth + 1)]:
            print(f"{seed}, {players} players, turn {turns}: the implementations differ")
            return 1
        rows.append({"seed": seed, "players": players, "turns": turns, "counts": counts})
    GOLDEN.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
