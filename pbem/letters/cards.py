"""Cards in words: how a letter names and describes them (English)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import Card, Deck

CLIMATES = {"hot": "hot", "cold": "cold", "none": "any"}
DIETS = {"herbivore": "plants", "carnivore": "meat", "omnivore": "eats all", "none": ""}
_NUMBERED = re.compile(r"(.+)-\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A card as a reader sees it.  ``climate`` is hot, cold or any; ``diet`` and ``kind``
    are empty where a card has none.

    There is one for each card of a deck, compared by identity: what is drawn of it is kept."""

    name: str
    weight: int
    climate: str
    diet: str
    kind: str
    special: bool

    @property
    def facts(self) -> str:
        """``2, cold, plants, shy, special``: a climate of none is not mentioned."""
        climate = "" if self.climate == "any" else self.climate
        words = (str(self.weight), climate, self.diet, self.kind, "special" * self.special)
        return ", ".join(filter(None, words))


def breadth(name: str) -> float:
    """How wide a name is set, in average characters."""
    return sum(1.5 if char in "mwMW" else 0.6 if char in "fijlrt " else 1.0 for char in name)


class Cards:
    """The cards of one deck in words."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._faces = {
            card.name: Face(
                _shown_name(card, deck),
                card.weight,
                CLIMATES[card.climate],
                DIETS[card.diet],
                "" if card.kind == "none" else card.kind,
                bool(card.special),
            )
            for card in deck.cards
        }

    def face(self, name: str) -> Face:
        return self._faces[name]

    def name(self, name: str) -> str:
        """As printed: ``polar bear``; a provision without its number where all its
        copies are alike (commands.md 3.9)."""
        return self._faces[name].name

    def names(self, names: Iterable[str]) -> list[str]:
        return [self._faces[name].name for name in names]


_known: dict[int, Cards] = {}
_MOST_KNOWN = 64


def cards_of(deck: Deck) -> Cards:
    """The words of a deck, worked out once.

    Kept by identity, as hashing a deck takes longer than anything that is asked of it here;
    `Cards` holds on to its deck, so that no other one can come by the same identity."""
    found = _known.get(id(deck))
    if found is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        found = _known[id(deck)] = Cards(deck)
    return found


def _shown_name(card: Card, deck: Deck) -> str:
    stem = _NUMBERED.fullmatch(card.name)
    if card.kind == "provision" and stem is not None:
        copies = [
            other
            for other in deck.cards
            if (match := _NUMBERED.fullmatch(other.name)) and match[1] == stem[1]
        ]
        if len({(other.kind, other.weight, other.climate) for other in copies}) == 1:
            return stem[1].replace("-", " ")
    return card.name.replace("-", " ")


def count(number: float) -> str:
    """A count of markers: ``2``, ``1/2``, ``2 1/2``."""
    whole, half = int(number), number % 1
    if not half:
        return str(whole)
    return f"{whole} 1/2" if whole else "1/2"


def count_sign(number: float) -> str:
    """The same with a sign for the half: ``2½``."""
    whole, half = int(number), number % 1
    return f"{whole or ''}½" if half else str(whole)


def markers(number: float) -> str:
    """``1 marker``, ``1 1/2 markers``."""
    return f"{count(number)} marker{'' if number == 1 else 's'}"


def cards(number: int) -> str:
    return "no card" if number == 0 else "1 card" if number == 1 else f"{number} cards"


def timbers(number: int) -> str:
    return "no timber" if number == 0 else "1 timber" if number == 1 else f"{number} timbers"


def points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"
