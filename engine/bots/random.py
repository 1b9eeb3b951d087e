"""The bot that chooses uniformly from the complete legal list."""

from engine.moves import Move
from engine.shuffle import Generator
from engine.view import View


class Random:
    """Every legal move is equally likely."""

    name = "random"

    def choose(self, view: View, rng: Generator) -> Move:
        moves = view.legal()
        return moves[rng.below(len(moves))]
