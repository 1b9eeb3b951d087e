"""The table of phrasings says what it is meant to say, whatever the mail around it."""

from __future__ import annotations

import random

import pytest

from engine.cards import builtin_deck
from engine.game import apply, new_game
from engine.moves import Board, to_json
from engine.view import view
from pbem.commands import Context, read
from tests.e2e.phrasings import COUNT, Writer


def test_there_are_many_phrasings() -> None:
    assert COUNT >= 40


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_turn_of_a_game_is_read_as_it_was_meant(players: int) -> None:
    rng = random.Random(players)
    writer = Writer(rng)
    position = new_game(f"phrasings-{players}", players, builtin_deck())
    while position.to_move:
        seat = rng.choice(position.to_move)
        seen = view(position, seat)
        moves = list(seen.legal())
        for move in rng.sample(moves, min(4, len(moves))):
            text = writer.mail(move, seen, "Ann")
            reading = read(text, Context(builtin_deck(), sender="Ann", view=seen))
            assert reading.turn == move, (text, to_json(move), reading.lines)
        single = [move for move in moves if not isinstance(move, Board) or len(move.plays) == 1]
        apply(position, seat, rng.choice(single))
