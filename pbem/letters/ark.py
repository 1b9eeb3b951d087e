"""The one layout model of the ark; `ark_html`, `ark_svg` and `ark_text` are its outputs."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from engine.view import View
from pbem.letters.cards import Face, cards_of
from pbem.translation import _

MOST_CARDS = 3  # R2.1


class Loaded(NamedTuple):
    """A card in a cabin; ``new``: it came since the reader last looked."""

    face: Face
    new: bool


class Cabin(NamedTuple):
    """A cabin and who is in it, in the order of entering; ``new``: opened since the reader
    last looked."""

    name: str  # L3
    cards: tuple[Loaded, ...]
    new: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One column of cabins from the bow; ``next`` is the cabin that could be opened
    (None when no cabin is opened any more)."""

    letter: str
    cabins: tuple[Cabin, ...]
    weight: int
    next: str | None

    @property
    def title(self) -> str:
        return _("Left") if self.letter == "L" else _("Right")

    @property
    def heading(self) -> str:
        """Which side it is, and its weight."""
        if self.letter == "L":
            return _("Left side · weighs {weight}", weight=self.weight)
        return _("Right side · weighs {weight}", weight=self.weight)


@dataclass(frozen=True, slots=True)
class Picture:
    """The whole ark, seen from above, bow up."""

    left: Side
    right: Side
    balance: int  # right minus left (R2.2)

    @property
    def sides(self) -> tuple[Side, Side]:
        return (self.left, self.right)

    @property
    def balance_words(self) -> str:
        if self.balance == 0:
            return _("both sides weigh the same")
        if self.balance > 0:
            return _("the right is heavier by {weight}", weight=self.balance)
        return _("the left is heavier by {weight}", weight=-self.balance)

    @property
    def has_new(self) -> bool:
        cabins = [cabin for side in self.sides for cabin in side.cabins]
        return any(cabin.new or any(card.new for card in cabin.cards) for cabin in cabins)


def picture(view: View, new: Collection[str] = (), opened: Collection[str] = ()) -> Picture:
    """The ark of a view; the cards named in `new` and the cabins in `opened` are marked."""
    left, right = (_side(view, letter, new, opened) for letter in ("L", "R"))
    return Picture(left, right, view.balance)


def _side(view: View, letter: str, new: Collection[str], opened: Collection[str]) -> Side:
    cards = cards_of(view.deck)
    cabins = tuple(
        Cabin(name, tuple(Loaded(cards.face(card), card in new) for card in crew), name in opened)
        for number, crew in enumerate(view.ark[letter], 1)
        for name in [f"{letter}{number}"]
    )
    weight = sum(card.face.weight for cabin in cabins for card in cabin.cards)
    after = None if view.phase == "over" else f"{letter}{len(cabins) + 1}"
    return Side(letter, cabins, weight, after)
