"""Cards and decks (R1).

A deck is data.  It is read from lines of CSV, checked as a whole (R1.5), and never changes.
Inside the engine a card is its number: its index in `Deck.cards`.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engine.tables import Tables

KINDS = ("heavy", "slow", "shy", "useful", "provision")
"""The five scoring cards (R1.2)."""

CLIMATES = ("hot", "cold", "none")
DIETS = ("herbivore", "carnivore", "omnivore", "none")
SPECIALS = ("fox", "hedgehog", "mosquito", "bronto", "turtle", "skunk", "spider", "chimpanzee")

CARD_COUNT = 55
PROVISION_COUNT = 8
RAIN_CARD = "rain"
"""The name of a rain card in a stack; no card of a deck may bear it."""

COLUMNS = ("name", "weight", "climate", "diet", "kind", "special")

_DECKS = Path(__file__).with_name("decks")


@dataclass(frozen=True)
class Card:
    """One card (R1.1); `special` names its power, "" when it has none."""

    name: str
    weight: int
    climate: str
    diet: str
    kind: str
    special: str = ""

    @property
    def is_provision(self) -> bool:
        return self.kind == "provision"

    @property
    def eats_meat(self) -> bool:
        """Carnivore or omnivore."""
        return self.diet in ("carnivore", "omnivore")

    @property
    def eats_plants(self) -> bool:
        """Herbivore or omnivore."""
        return self.diet in ("herbivore", "omnivore")

    def endangers(self, other: "Card") -> bool:
        """Does R5.5 keep the two animals apart because of what this one eats?"""
        if not self.eats_meat or other.special == "turtle":  # R6.3
            return False
        if other.special == "hedgehog" and self.weight > other.weight:  # R6.2
            return False
        return self.weight >= other.weight


class DeckError(ValueError):
    """A deck that R1.5 refuses; `faults` names every fault, one sentence each."""

    def __init__(self, name: str, faults: list[str]) -> None:
        super().__init__(f"deck {name!r} is refused: " + "; ".join(faults))
        self.faults = faults


class Deck:
    """55 cards in a fixed order.  Raises `DeckError` when R1.5 refuses them."""

    def __init__(self, name: str, cards: Iterable[Card], *, builtin: bool = False) -> None:
        self.name = name
        self.cards = tuple(cards)
        self.builtin = builtin
        faults = deck_faults(self.cards)
        if faults:
            raise DeckError(name, faults)
        self._numbers = {card.name: number for number, card in enumerate(self.cards)}
        counts = dict.fromkeys(KINDS, 0)
        for card in self.cards:
            if card.kind in counts:
                counts[card.kind] += 1
        self.kind_counts: Mapping[str, int] = MappingProxyType(counts)

    @cached_property
    def tables(self) -> Tables:
        """The deck as the rules see it: numbers and bit masks."""
        return Tables(self.cards)

    def card(self, name: str) -> Card:
        """The card of that name; KeyError when the deck has none."""
        return self.cards[self._numbers[name]]

    def number(self, name: str) -> int:
        """The number of the card of that name; KeyError when the deck has none."""
        return self._numbers[name]

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deck):
            return NotImplemented
        return self is other or (self.name == other.name and self.cards == other.cards)

    def __hash__(self) -> int:
        return hash((self.name, self.cards))

    def __repr__(self) -> str:
        return f"<Deck {self.name!r}>"


def deck_faults(cards: tuple[Card, ...]) -> list[str]:
    """Everything R1.5 has against these cards, one sentence a fault; [] when nothing."""
    return [*_card_faults(cards), *_count_faults(cards), *_power_faults(cards)]


def _card_faults(cards: tuple[Card, ...]) -> list[str]:
    faults = []
    for card in cards:
        if not card.name or card.name != card.name.strip() or not card.name.isprintable():
            faults.append(f"a card is named {card.name!r}: a name is text without space around it")
        if not (type(card.weight) is int and 0 <= card.weight <= 4):
            faults.append(f"{card.name} weighs {card.weight}: weights are 0 to 4")
        for field, value, known in (
            ("climate", card.climate, CLIMATES),
            ("diet", card.diet, DIETS),
            ("kind", card.kind, (*KINDS, "none")),
            ("special", card.special, ("", *SPECIALS)),
        ):
            if value not in known:
                choice = ", ".join(word for word in known if word)
                faults.append(f"{card.name} has the {field} {value!r}: it is one of {choice}")
    return faults


def _count_faults(cards: tuple[Card, ...]) -> list[str]:
    faults = []
    if len(cards) != CARD_COUNT:
        faults.append(f"there are {len(cards)} cards: a deck has {CARD_COUNT}")
    names = [card.name for card in cards]
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.append(f"the name {name} occurs {names.count(name)} times: names are distinct")
    if RAIN_CARD in names:
        faults.append(f"a card is named {RAIN_CARD}: that name is kept for the rain cards")
    provisions = [card for card in cards if card.is_provision]
    if len(provisions) != PROVISION_COUNT:
        faults.append(f"there are {len(provisions)} provisions: a deck has {PROVISION_COUNT}")
    for card in provisions:
        if card.diet != "none":
            faults.append(f"{card.name} is a provision with the diet {card.diet}: it has none")
        if card.special:
            faults.append(f"{card.name} is a provision and special: special powers are animals'")
    # R3.3: of weight 1 or 2, at most two of a scoring kind, any number of kind none
    light = [card.kind for card in cards if card.weight in (1, 2)]
    if light.count("none") + sum(min(2, light.count(kind)) for kind in KINDS) < 4:
        faults.append("no four cards can be the first ones on the ark (R3.3)")
    return faults


def _power_faults(cards: tuple[Card, ...]) -> list[str]:
    faults = []
    for power in SPECIALS:
        count = sum(card.special == power for card in cards)
        if count != 1:
            faults.append(f"{count} cards have the power of the {power}: exactly one has it")
    for card in cards:
        power = card.special
        if power == "bronto" and card.kind != "heavy":
            faults.append(f"{card.name} (bronto) is of kind {card.kind}: it is heavy")
        if power == "chimpanzee" and card.kind != "none":
            faults.append(f"{card.name} (chimpanzee) is of kind {card.kind}: it has none")
        if power == "hedgehog" and card.weight != 0:
            faults.append(f"{card.name} (hedgehog) weighs {card.weight}: it weighs 0")
        if power in ("turtle", "hedgehog") and card.eats_meat:
            faults.append(f"{card.name} ({power}) has the diet {card.diet}: it eats no meat")
        if power == "skunk" and not card.eats_plants:
            faults.append(f"{card.name} (skunk) has the diet {card.diet}: it eats plants")
        if power in ("mosquito", "spider") and card.weight != 0 and not card.eats_meat:
            faults.append(f"{card.name} ({power}) weighs {card.weight}: it weighs 0 or eats meat")
    return faults


def deck_from_cards(rows: Iterable[Mapping[str, Any]], name: str) -> Deck:
    """The deck of cards in JSON form, as the `cards` of a record.  Raises `DeckError`."""
    return Deck(name, [Card(**{column: row[column] for column in COLUMNS}) for row in rows])


def cards_form(deck: Deck) -> list[dict[str, Any]]:
    """The `cards` of a record: the deck in JSON form."""
    return [{column: getattr(card, column) for column in COLUMNS} for card in deck.cards]


def load_deck(source: str | Path | Iterable[str], name: str) -> Deck:
    """Read a deck from a CSV file, or from its lines.

    The first line names the columns, in any order: name, weight, climate, diet, kind, special.
    Raises `DeckError` with every fault, OSError when the file cannot be read.
    """
    if isinstance(source, str | Path):
        try:
            lines = Path(source).read_text(encoding="utf-8-sig").splitlines()
        except UnicodeDecodeError:
            raise DeckError(name, ["the file is not UTF-8 text"]) from None
    else:
        lines = list(source)
    faults: list[str] = []
    cards = _read_cards(lines, faults)
    if faults:
        raise DeckError(name, [*faults, *deck_faults(tuple(cards))] if cards else faults)
    return Deck(name, cards)


def _read_cards(lines: list[str], faults: list[str]) -> list[Card]:
    """The cards of the lines; what cannot be read is added to `faults`."""
    try:
        rows = [(number, row) for number, row in enumerate(csv.reader(lines), 1) if row]
    except csv.Error as error:
        faults.append(f"the file is not CSV: {error}")
        return []
    if not rows:
        faults.append("the file is empty: its first line names the columns")
        return []
    header = [column.strip() for column in rows[0][1]]
    if sorted(header) != sorted(COLUMNS):
        faults.append("the first line has to name the columns " + ", ".join(COLUMNS))
        return []
    cards = []
    for number, row in rows[1:]:
        if len(row) != len(COLUMNS):
            faults.append(f"line {number} has {len(row)} fields: there are {len(COLUMNS)} columns")
            continue
        field = dict(zip(header, row, strict=True))
        weight = field["weight"].strip()
        if not (weight.isascii() and weight.isdigit() and len(weight) < 3):
            card = field["name"]
            faults.append(f"{card} in line {number} weighs {weight[:20]!r}: weights are 0 to 4")
            weight = "0"  # the other faults of the deck are still told
        cards.append(
            Card(
                name=field["name"],
                weight=int(weight),
                climate=field["climate"].strip(),
                diet=field["diet"].strip(),
                kind=field["kind"].strip(),
                special=field["special"].strip(),
            )
        )
    return cards


@cache
def builtin_deck(name: str = "house") -> Deck:
    """A deck that comes with the engine; KeyError when there is none of that name."""
    if name not in builtin_names():
        raise KeyError(name)
    lines = (_DECKS / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    return Deck(name, _read_cards(lines, []), builtin=True)


@cache
def builtin_names() -> tuple[str, ...]:
    """The names of the decks that come with the engine."""
    return tuple(sorted(path.stem for path in _DECKS.glob("*.csv")))
