"""Players that are programs.  A bot sees a view, never the position."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.shuffle import Generator
    from engine.view import View

BOTS = {
    "random": "engine.bots.random:Random",
    "greedy": "engine.bots.greedy:Greedy",
    "minimal": "engine.bots.minimal:Minimal",
}
"""By name: where the bot is.  It is imported when it is asked for."""


class Bot(Protocol):
    """A player: chooses a legal move of the view's seat, which is to move."""

    @property
    def name(self) -> str: ...

    def choose(self, view: View, rng: Generator) -> Move:
        """A move of `view.legal()`; whatever chance it needs comes from `rng`."""
        ...


def bot(name: str) -> Bot:
    """The bot of that name; KeyError when there is none."""
    module, _, maker = BOTS[name].partition(":")
    made: Bot = getattr(import_module(module), maker)()
    return made
