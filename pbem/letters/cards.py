"""Cards in words: how a letter names and describes them, in the language spoken."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import Card, Deck
from pbem.commands.nouns import Noun, card_noun
from pbem.commands.speech import kind_name
from pbem.translation import _, language, later, ngettext, series

CLIMATES = {"hot": later("hot"), "cold": later("cold"), "none": later("any")}
DIETS = {
    "herbivore": later("plants"), "carnivore": later("meat"), "omnivore": later("eats all"),
    "none": "",
}  # fmt: skip
_NUMBERED = re.compile(r"(.+)-\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A card as a reader sees it.  ``climate`` is hot, cold or any; ``diet`` (plants, meat,
    eats all) and ``kind`` are empty where a card has none; what is shown of them is in the
    ``…_word``.

    There is one for each card of a deck and language, compared by identity: what is drawn of
    it is kept."""

    name: Noun
    weight: int
    climate: str
    diet: str
    kind: str
    special: bool
    climate_word: str
    diet_word: str
    kind_word: str
    facts: str
    """``2, cold, plants, shy, special``: a climate of none is not mentioned."""
    traits: str
    """The same without weight and climate, which stand on the strip: ``plants, shy, ★ special``."""


def breadth(name: str) -> float:
    """How wide a name is set, in average characters."""
    return sum(map(_char_breadth, name))


def _char_breadth(char: str) -> float:
    if char > "\u2e7f":
        return 1.9  # a Han character
    if char in "mwMW":
        return 1.5
    return 1.2 if char.isupper() else 0.6 if char in "fijlrt " else 1.0


class Cards:
    """The cards of one deck in the words of the language spoken when they are made."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._faces = {card.name: _face(card, deck) for card in deck.cards}

    def face(self, name: str) -> Face:
        return self._faces[name]

    def name(self, name: str) -> Noun:
        """As printed: ``polar bear``; a provision without its number where all its
        copies are alike (commands.md 3.9)."""
        return self._faces[name].name

    def names(self, names: Iterable[str]) -> list[Noun]:
        return [self._faces[name].name for name in names]


_known: dict[tuple[int, str], Cards] = {}
_MOST_KNOWN = 64


def cards_of(deck: Deck) -> Cards:
    """The words of a deck in the language spoken, worked out once.

    Kept by identity, as hashing a deck takes longer than anything that is asked of it here;
    `Cards` holds on to its deck, so that no other one can come by the same identity."""
    key = (id(deck), language())
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        found = _known[key] = Cards(deck)
    return found


def _face(card: Card, deck: Deck) -> Face:
    climate, diet = CLIMATES[card.climate], DIETS[card.diet]
    kind = "" if card.kind == "none" else card.kind
    climate_word, diet_word = _(climate), _(diet) if diet else ""
    kind_word = kind_name(kind, language()) if kind else ""
    special = _("special") if card.special else ""
    told = climate_word if climate != "any" else ""
    return Face(
        card_noun(_named(card, deck), language()),
        card.weight,
        climate,
        diet,
        kind,
        bool(card.special),
        climate_word,
        diet_word,
        kind_word,
        facts=series((str(card.weight), told, diet_word, kind_word, special)),
        traits=series((diet_word, kind_word, special and f"★\u00a0{special}")),
    )


def _named(card: Card, deck: Deck) -> str:
    """The name without the number of the copy, where all copies are alike."""
    stem = _NUMBERED.fullmatch(card.name)
    if card.kind == "provision" and stem is not None:
        copies = [
            other
            for other in deck.cards
            if (match := _NUMBERED.fullmatch(other.name)) and match[1] == stem[1]
        ]
        if len({(other.kind, other.weight, other.climate) for other in copies}) == 1:
            return stem[1]
    return card.name


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


def signed_halves(sentence: str) -> str:
    """A sentence in whose counts the half is a sign: ``slow +1½`` for ``slow +1 1/2``."""
    return _HALF.sub("½", sentence)


_HALF = re.compile(r"(?<=[0-9]) 1/2\b|(?<=\+)1/2\b")


def markers(number: float) -> str:
    """``1 marker``, ``1 1/2 markers``."""
    more = 1 if number == 1 else 2
    return ngettext("{number} marker", "{number} markers", more, number=count(number))


def cards(number: int) -> str:
    if number == 0:
        return _("no card")
    return ngettext("{count} card", "{count} cards", number)


def timbers(number: int) -> str:
    if number == 0:
        return _("no timber")
    return ngettext("{count} timber", "{count} timbers", number)


def points(number: int) -> str:
    return ngettext("{count} point", "{count} points", number)
