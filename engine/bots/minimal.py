"""The bot that does as little as the rules ask: for a seat nobody plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.moves import Gather, Pass, Pet

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.shuffle import Generator
    from engine.view import View


class Minimal:
    """Takes the first display card, sets no pet aside, passes in the end phase."""

    name = "minimal"

    def choose(self, view: View, rng: Generator) -> Move:
        """Legal in every phase: R4.1 (gathering is always possible), R7.1, R8.1."""
        if view.phase == "pets":
            return Pet(None)
        return Pass() if view.phase == "end" else Gather(view.display[0])
