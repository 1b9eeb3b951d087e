"""The bot that chooses uniformly from the complete legal list."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.shuffle import Generator
    from engine.view import View


class Random:
    """Every legal move is equally likely."""

    name = "random"

    def choose(self, view: View, rng: Generator) -> Move:
        """One of the legal moves."""
        moves = view.legal()
        return moves[rng.below(len(moves))]
