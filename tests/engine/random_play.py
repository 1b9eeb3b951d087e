"""Random games on the engine and the naive rules side by side."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from engine import moves
from engine.game import Position, apply, legal_moves, new_game
from engine.record import state
from tests.engine import naive_rules, naive_setup
from tests.engine.build import engine_deck
from tests.engine.naive_placing import Position as NaivePosition

Json = dict[str, Any]


def keys(some_moves: list[Json]) -> list[str]:
    """Moves as sorted texts: equal lists are equal sets without repeats."""
    return sorted(json.dumps(move, sort_keys=True) for move in some_moves)


def engine_moves(position: Position, seat: int) -> list[Json]:
    return [moves.to_json(move) for move in legal_moves(position, seat)]


def pick(rng: random.Random, legal: list[Json]) -> Json:
    """One of the moves: mostly any, often of a type chosen first, so that hands grow as well."""
    by_key = sorted(legal, key=lambda move: json.dumps(move, sort_keys=True))
    if rng.random() < 0.5:
        kind = rng.choice(sorted({move["type"] for move in by_key}))
        by_key = [move for move in by_key if move["type"] == kind]
    return rng.choice(by_key)


def engine_game(seed: int, players: int, cards: list[Json]) -> Iterator[tuple[Position, int, Json]]:
    """Every position of a random game, with the seat that moves and the move it makes.

    The position is the same object throughout and moves on when the next one is asked for.
    """
    rng = random.Random(seed)
    position = new_game(f"random play {seed}", players, engine_deck(cards))
    while position.to_move:
        seat = rng.choice(sorted(position.to_move))
        move = pick(rng, engine_moves(position, seat))
        yield position, seat, move
        apply(position, seat, moves.from_json(move))


def naive_start(position: Position, cards: list[Json]) -> NaivePosition:
    """The naive position of a game that has not begun."""
    return naive_rules.start(state(position), position.players, naive_setup.by_name(cards))


def prefix(seed: int, players: int, cards: list[Json], turns: int) -> tuple[Position, int]:
    """A position some turns into a random game (or at its end), and the seat asked about."""
    position = None
    seat = 0
    for turn, (position, seat, _move) in enumerate(engine_game(seed, players, cards)):  # noqa: B007
        if turn >= turns:
            break
    assert position is not None
    return position, seat
