"""Players that are programs.  A bot sees a view, never the position."""

from collections.abc import Callable
from typing import Protocol

from engine.bots.greedy import Greedy
from engine.bots.random import Random
from engine.moves import Move
from engine.shuffle import Generator
from engine.view import View


class Bot(Protocol):
    """A player: chooses a legal move of the view's seat, which is to move."""

    @property
    def name(self) -> str: ...

    def choose(self, view: View, rng: Generator) -> Move:
        """A move of `view.legal()`; whatever chance it needs comes from `rng`."""
        ...


BOTS: dict[str, Callable[[], Bot]] = {"random": Random, "greedy": Greedy}


def bot(name: str) -> Bot:
    """The bot of that name; KeyError when there is none."""
    return BOTS[name]()
