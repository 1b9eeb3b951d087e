"""The single plays open to a seat, card by card (R5, R6.4 to R6.9)."""

from collections.abc import Iterable, Sequence

from engine.ark import Ark
from engine.raw import RawPlay
from engine.tables import CARDS, LANES, MAX_BALANCE, NONE, ON_SIDE, Tables, cabins_of, near


class Quay:
    """Where cards may go from one position of the ark.

    Where meat eaters are, which keeps shy cards off (R5.6), is a parameter everywhere because the
    first play of two may change it: `meat` are their cabins, `near_meat` also those next door.
    """

    __slots__ = ("_driving", "ark", "near_meat", "tables", "takes")

    def __init__(self, tables: Tables, ark: Ark, display: Sequence[int]) -> None:
        self.tables = tables
        self.ark = ark
        self.takes = takes(display)
        self.near_meat = near(ark.meat)
        self._driving: dict[int, list[RawPlay]] = {}

    def plays(self, cards: Iterable[int], balance: int, meat: int, timbers: int) -> list[RawPlay]:
        """All legal single plays of the cards, with so many timbers for a new cabin."""
        tables, ends = self.tables, self.ark.ends
        near_meat = near(meat)
        found: list[RawPlay] = []
        for card in cards:
            for side, _ in LANES[balance][tables.weight[card]]:
                found += self.standing(card, side, near_meat)
                if timbers > 0:
                    found += self.opening(card, ends[side], near_meat, self.takes)
            if tables.drivers >> card & 1:
                found += self.driving(card, balance, meat)
        return found

    def standing(self, card: int, side: int, near_meat: int) -> list[RawPlay]:
        """The plays of the card into the cabins there are on a side that can bear it."""
        tables = self.tables
        board = self.ark.doors[card] & ON_SIDE[side]
        if tables.shy >> card & 1:
            board &= ~near_meat
        if card == tables.chimpanzee:
            return [
                (card, cabin, NONE, mark, NONE)
                for cabin in cabins_of(board)
                for mark in tables.marks[card]
            ]
        return [(card, cabin, NONE, NONE, NONE) for cabin in cabins_of(board)]

    def opening(self, card: int, cabin: int, near_meat: int, takes: Sequence[int]) -> list[RawPlay]:
        """The plays of the card into that new cabin of a side that can bear it."""
        tables = self.tables
        if tables.shy >> card & 1 and near_meat >> cabin & 1:
            return []
        if card == tables.chimpanzee:
            marks = tables.marks[card]
            return [(card, cabin, NONE, mark, take) for mark in marks for take in takes]
        return [(card, cabin, NONE, NONE, take) for take in takes]

    def driving(self, card: int, balance: int, meat: int) -> list[RawPlay]:
        """The plays by which the card drives out and that such a balance allows."""
        if card not in self._driving:
            self._driving[card] = self._find_driving(card)
        weight = self.tables.weight
        shy = self.tables.shy >> card & 1
        found = []
        for play in self._driving[card]:
            _, cabin, out, _, _ = play
            # the company of a shy card holds no meat eater once the victim has left
            if shy and near(meat & ~(1 << cabin)) >> cabin & 1:
                continue
            shift = weight[card] - weight[out]
            if -MAX_BALANCE <= balance + (shift if cabin & 1 else -shift) <= MAX_BALANCE:
                found.append(play)
        return found

    def _find_driving(self, card: int) -> list[RawPlay]:
        tables, ark = self.tables, self.ark
        victims = tables.victims[card]
        return [
            (card, cabin, out, mark, NONE)
            for cabin, crew in enumerate(ark.cabins)
            for out in crew
            if victims >> out & 1 and ark.company(tables, cabin, out) >> card & 1
            for mark in tables.marks[out]
        ]


def takes(display: Sequence[int]) -> list[int]:
    """What `take` may be for a new cabin: any known card, nothing where there is none (R5.7)."""
    if not display:
        return [NONE]
    return [card for card in display if card < CARDS]
