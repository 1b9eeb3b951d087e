"""What has been chosen so far, in the address of a page and out of it.

``play=skunk~R1~deer`` is a play as far as it is chosen: card, cabin, whom it drives out
(``-``: nobody), scoring card, display card.  What does not hold any more is dropped where
the next step is worked out, never here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from engine.moves import Play

NOBODY = "-"
"""Chosen: nobody is driven out; or, no pet."""
MOST_PLAYS = 24
_SEPARATOR = "~"


class Arguments(Protocol):
    """The arguments of a request."""

    def get(self, key: str, default: str) -> str: ...
    def getlist(self, key: str) -> list[str]: ...


@dataclass(frozen=True)
class Chosen:
    """One play as far as it is chosen; "" for what is not chosen yet."""

    card: str
    cabin: str = ""
    out: str = ""
    mark: str = ""
    take: str = ""

    @property
    def play(self) -> Play:
        """The play, once all of it is chosen."""
        out = None if self.out == NOBODY else self.out or None
        return Play(self.card, self.cabin, out, self.mark or None, self.take or None)

    def __str__(self) -> str:
        parts = (self.card, self.cabin, self.out, self.mark, self.take)
        return _SEPARATOR.join(parts).rstrip(_SEPARATOR)

    @classmethod
    def read(cls, text: str) -> "Chosen | None":
        parts = text.split(_SEPARATOR)
        return cls(*parts) if parts[0] and len(parts) <= 5 else None


@dataclass(frozen=True)
class Choice:
    """A turn as far as it is chosen.  ``trying``: plays one after the other, as in turns of
    one's own with nobody's between, to see what they come to."""

    take: str = ""
    plays: tuple[Chosen, ...] = ()
    pet: str = ""
    passing: bool = False
    trying: bool = False

    @classmethod
    def read(cls, arguments: Arguments) -> "Choice":
        """What the address of a page says; never an error."""
        plays = map(Chosen.read, arguments.getlist("play")[:MOST_PLAYS])
        return cls(
            take=arguments.get("take", ""),
            plays=tuple(play for play in plays if play is not None),
            pet=arguments.get("pet", ""),
            passing=bool(arguments.get("passing", "")),
            trying=bool(arguments.get("try", "")),
        )

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The choice in the address of a page."""
        said: dict[str, str | Sequence[str]] = {}
        if self.take:
            said["take"] = self.take
        if self.plays:
            said["play"] = [str(play) for play in self.plays]
        if self.pet:
            said["pet"] = self.pet
        if self.passing:
            said["passing"] = "1"
        if self.trying:
            said["try"] = "1"
        return said

    @property
    def begun(self) -> bool:
        return bool(self.take or self.plays or self.pet or self.passing)

    def anew(self, **chosen: Any) -> "Choice":
        """Another beginning, in the same mode."""
        return Choice(trying=self.trying, **chosen)

    def with_last(self, **chosen: str) -> "Choice":
        """More of the last play."""
        return replace(self, plays=(*self.plays[:-1], replace(self.plays[-1], **chosen)))

    def with_more(self, card: str) -> "Choice":
        """One play more, of this card."""
        return replace(self, plays=(*self.plays, Chosen(card)))

    def without_last(self) -> "Choice":
        return replace(self, plays=self.plays[:-1])
