"""A deck as numbers and bit masks: what the rules ask of a card, worked out once a deck.

Bit *n* of a mask stands for the card with the number *n*.  A *cabin* is a number too: twice its
distance from the bow, plus 1 on the right side (L1 = 0, R1 = 1, L2 = 2, …).  So the neighbours
of cabin *c* (R2.3) are c - 2, c + 2 and c ^ 1, and a *board* is a mask of cabins.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from json import dumps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.cards import Card

CARDS = 55
RAIN = CARDS
UNKNOWN = CARDS + 1
"""A card that the view behind an imagined position does not know."""
NONE = -1
"""No card, no kind."""

ALL = (1 << CARDS) - 1
RawPlay = tuple[int, int, int, int, int]
"""A play as numbers: card, cabin, out, mark (a kind), take; `NONE` where it does not apply."""

LEFT, RIGHT = 0, 1
SIDES = "LR"
MAX_BALANCE = 2
MAX_WEIGHT = 4
ROOM = 3
"""A cabin holds at most three cards (R5.1)."""

HEAVY, SLOW, SHY, USEFUL, PROVISION = range(5)
MARKABLE = (HEAVY, SLOW, SHY, USEFUL)
"""The scoring cards a chimpanzee's marker may go on (R6.8)."""
FOX_TIMBERS = 2
"""What the fox's player takes from the bank (R6.1)."""
WHOLE, ONE_AND_A_HALF = 2, 3
"""Markers are counted in halves."""

_KIND_NUMBER = {
    "heavy": HEAVY,
    "slow": SLOW,
    "shy": SHY,
    "useful": USEFUL,
    "provision": PROVISION,
    "none": NONE,
}


def cabin_name(cabin: int) -> str:
    """``L1`` for 0, ``R1`` for 1, ``L2`` for 2 …"""
    return _CABIN_NAMES[cabin]


_CABIN_NAMES = tuple(f"{side}{row}" for row in range(1, 1000) for side in SIDES)


@lru_cache(maxsize=1024)
def cabin_number(name: str) -> int | None:
    """The number of a cabin's name, None when it is not one."""
    digits = name[1:]
    if not (name[:1] in ("L", "R") and digits.isascii() and digits.isdigit()):
        return None
    if digits[0] == "0" or len(digits) > 3:
        return None
    return 2 * (int(digits) - 1) + SIDES.index(name[0])


class Tables:
    """See the module; every attribute is meant to be read only."""

    __slots__ = (
        "alone",
        "animals",
        "bit",
        "cards",
        "chimpanzee",
        "drivers",
        "enters",
        "fox",
        "gains",
        "kind",
        "marks",
        "meat",
        "names",
        "pets",
        "plays_into",
        "quoted",
        "shy",
        "victims",
        "weight",
    )

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.cards = cards
        self.names: tuple[str | None, ...] = (*(card.name for card in cards), "rain", None)
        self.quoted = tuple(dumps(card.name) for card in cards)
        """By card: its name as JSON."""
        self.weight = (*(card.weight for card in cards), 0, 0)
        self.kind = (*(_KIND_NUMBER[card.kind] for card in cards), NONE, NONE)
        self.bit = tuple(1 << number for number in range(UNKNOWN + 1))
        self.shy = _mask(card.kind == "shy" for card in cards)
        self.meat = _mask(card.eats_meat for card in cards)
        self.animals = _mask(not card.is_provision for card in cards)
        self.alone = _mask(card.kind in ("slow", "provision") for card in cards)
        """Cards that are played alone, and not in the end phase (R4.3, R8.2)."""
        self.pets = _mask(
            not card.is_provision and card.weight <= 2 and not card.special for card in cards
        )
        """Cards that count as a pet (R7.2)."""
        self.enters = tuple(
            _mask(_may_join(card, resident) for card in cards) for resident in cards
        )
        """By card already there: the cards that may enter a cabin it is in (R5.2, R5.4-R5.6)."""
        special = {card.special: number for number, card in enumerate(cards) if card.special}
        self.fox = special["fox"]
        self.chimpanzee = special["chimpanzee"]
        immune = ("fox", "mosquito", "spider")
        open_to_drive = self.animals & ~_mask(card.special in immune for card in cards)
        self.victims = {
            special["mosquito"]: open_to_drive & _mask(card.weight == 2 for card in cards),
            special["spider"]: open_to_drive & self.shy,
            special["skunk"]: open_to_drive,
        }
        """By card that drives out: the cards it may drive out (R6.4-R6.6, R6.9)."""
        self.drivers = _mask(number in self.victims for number in range(len(cards)))
        self.marks: tuple[tuple[int, ...], ...] = tuple(
            MARKABLE if card.special == "chimpanzee" else (NONE,) for card in cards
        )
        """By card: what `mark` may be when it enters or is driven out (R6.8)."""
        self.gains = tuple(
            ONE_AND_A_HALF if card.special in ("bronto", "chimpanzee") else WHOLE for card in cards
        )
        """By card: what its marker counts, in halves (R6.7, R6.8)."""
        self.plays_into = lru_cache(maxsize=1 << 14)(self._plays_into)
        """Of a card and a board: the plays of the card into those cabins.  Most of the time they
        have been asked for before."""

    def _plays_into(self, card: int, board: int) -> tuple[RawPlay, ...]:
        cabins = [cabin for cabin in range(board.bit_length()) if board >> cabin & 1]
        return tuple(
            [(card, cabin, NONE, mark, NONE) for cabin in cabins for mark in self.marks[card]]
        )


def near(board: int) -> int:
    """The cabins of the board and all cabins adjacent to them (R2.3)."""
    across = (board & _LEFT_CABINS) << 1 | (board >> 1) & _LEFT_CABINS
    return board | board << 2 | board >> 2 | across


_LEFT_CABINS = sum(1 << cabin for cabin in range(0, 128, 2))

NEAR = tuple(near(1 << cabin) for cabin in range(128))
"""By cabin: itself and the cabins adjacent to it."""

ON_SIDE = (_LEFT_CABINS, _LEFT_CABINS << 1)
"""By side: all its cabins."""


LANES: dict[int, tuple[tuple[tuple[int, int], ...], ...]] = {
    balance: tuple(
        tuple(
            (side, balance + sign * weight)
            for side, sign in ((LEFT, -1), (RIGHT, 1))
            if abs(balance + sign * weight) <= MAX_BALANCE
        )
        for weight in range(MAX_WEIGHT + 1)
    )
    for balance in range(-MAX_BALANCE, MAX_BALANCE + 1)
}
"""By balance, by weight: the sides that can bear the weight (R5.3), with the balance after it."""


def _mask(flags: Iterable[bool]) -> int:
    mask = 0
    for number, flag in enumerate(flags):
        if flag:
            mask |= 1 << number
    return mask


def _may_join(card: Card, resident: Card) -> bool:
    """May the card enter a cabin that holds the resident, as far as the two are concerned?"""
    if {card.climate, resident.climate} == {"hot", "cold"}:  # R5.2
        return False
    if card.is_provision or resident.is_provision:  # R5.4; R5.5 does not count provisions
        return not (card.eats_plants or resident.eats_plants)
    if card.kind == "shy" and resident.eats_meat:  # R5.6
        return False
    return not (card.endangers(resident) or resident.endangers(card))  # R5.5
