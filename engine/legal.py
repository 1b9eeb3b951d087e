"""The complete list of legal moves (R4, R5, R6, R8).

Most of the list are pairs of plays (R4.3), so this is where speed is won.  What a first play
changes for the second is little: the hand, the balance, the timbers, the display, the next new
cabins, and where meat eaters are, which concerns shy cards only.  All first plays of one card on
one side leave the same balance; so their second plays are found once, and the pairs are products
of lists.  Only what depends on both plays is asked of single pairs: that they go into different
cabins, that they take different cards, and that no shy card follows next door to a meat eater.
"""

from collections.abc import Iterable
from itertools import product

from engine.position import Position
from engine.raw import BOARD, GATHER, PASS, PET, RawMove
from engine.tables import (
    FOX_TIMBERS,
    LANES,
    MAX_BALANCE,
    NEAR,
    NONE,
    ON_SIDE,
    UNKNOWN,
    RawPlay,
    near,
)

_BOARD = (BOARD,)

Plays = tuple[RawPlay, ...]


def legal_raw(position: Position, seat: int) -> list[RawMove]:
    """Every legal move of the seat, once each; [] when it is not to move."""
    phase = position.phase
    hand = position.hands[seat]
    if UNKNOWN in hand:
        hand = tuple([card for card in hand if card != UNKNOWN])
    moves: list[RawMove] = []
    if phase == "main" and seat == position.seat:
        moves = [(GATHER, card) for card in position.display if card != UNKNOWN]
        if hand:
            _Boarding(position, hand, position.timbers[seat]).add_boards(moves)
    elif phase == "end" and seat == position.seat:
        moves = [(PASS,)]
        timbers = position.timbers[seat]
        if hand and timbers:  # R8.2
            boarding = _Boarding(position, hand, timbers - 1)
            balance, meat = position.ark.balance, position.ark.meat
            moves += product(_BOARD, boarding.plays(boarding.free, balance, meat))
    elif phase == "pets" and not position.answered >> seat & 1:
        moves = [(PET, NONE), *[(PET, card) for card in hand]]
    return moves


class _Boarding:
    """What a seat may play from its hand, with so many timbers for new cabins."""

    __slots__ = (
        "ark",
        "display",
        "driving",
        "free",
        "hand",
        "near_meat",
        "tables",
        "takes",
        "timbers",
    )

    def __init__(self, position: Position, hand: tuple[int, ...], timbers: int) -> None:
        self.tables = tables = position.tables
        self.ark = ark = position.ark
        self.hand = hand
        self.timbers = timbers
        self.display = position.display
        alone = tables.alone
        self.free = [card for card in hand if not alone >> card & 1]
        """The cards that may be one of two, and played in the end phase."""
        self.takes = self.display or (NONE,)
        if UNKNOWN in self.takes:
            self.takes = tuple([card for card in self.takes if card != UNKNOWN])
        """What `take` may be for a new cabin: nothing where there is nothing (R5.7)."""
        self.near_meat = ark.near_meat
        """The cabins a shy card keeps off (R5.6)."""
        self.driving: dict[int, list[RawPlay]] = {}

    # --- single plays: where meat eaters are is a parameter, since a first play may change it

    def plays(self, cards: Iterable[int], balance: int, meat: int) -> Plays:
        """All single plays of the cards."""
        tables, ends = self.tables, self.ark.ends
        near_meat = near(meat)
        found: list[RawPlay] = []
        for card in cards:
            for side, _ in LANES[balance][tables.weight[card]]:
                found += self.standing(card, side, near_meat)
                if self.timbers:
                    found += self.opening(card, ends[side], near_meat, self.takes)
            if tables.drivers >> card & 1:
                found += self.driving_out(card, balance, meat)
        return tuple(found)

    def standing(self, card: int, side: int, near_meat: int) -> Plays:
        """The plays into the cabins there are on a side that can bear the card."""
        board = self.ark.doors[card] & ON_SIDE[side]
        if self.tables.shy >> card & 1:
            board &= ~near_meat
        return self.tables.plays_into(card, board)

    def opening(self, card: int, cabin: int, near_meat: int, takes: tuple[int, ...]) -> Plays:
        """The plays into that new cabin of a side that can bear the card."""
        tables = self.tables
        if tables.shy >> card & 1 and near_meat >> cabin & 1:
            return ()
        if card == tables.chimpanzee:
            marks = tables.marks[card]
            return tuple([(card, cabin, NONE, mark, take) for take in takes for mark in marks])
        return tuple([(card, cabin, NONE, NONE, take) for take in takes])

    def driving_out(self, card: int, balance: int, meat: int) -> Plays:
        """The plays by which the card drives out and that the balance allows."""
        if card not in self.driving:
            self.driving[card] = self._find_driving_out(card)
        weight = self.tables.weight
        shy = self.tables.shy >> card & 1
        found: list[RawPlay] = []
        for play in self.driving[card]:
            _, cabin, out, _, _ = play
            # the company of a shy card holds no meat eater once the victim has left
            if shy and near(meat & ~(1 << cabin)) >> cabin & 1:
                continue
            shift = weight[card] - weight[out]
            if -MAX_BALANCE <= balance + (shift if cabin & 1 else -shift) <= MAX_BALANCE:
                found.append(play)
        return tuple(found)

    def _find_driving_out(self, card: int) -> list[RawPlay]:
        tables, ark = self.tables, self.ark
        victims = tables.victims[card]
        return [
            (card, cabin, out, mark, NONE)
            for cabin, crew in enumerate(ark.cabins)
            for out in crew
            if victims >> out & 1 and ark.company(tables, cabin, out) >> card & 1
            for mark in tables.marks[out]
        ]

    # --- boards of the main phase

    def add_boards(self, moves: list[RawMove]) -> None:
        """Add the boards of one card and of two."""
        tables, ark = self.tables, self.ark
        lanes = LANES[ark.balance]
        for card in self.hand:
            alone = tables.alone >> card & 1
            for side, balance in lanes[tables.weight[card]]:
                standing = self.standing(card, side, self.near_meat)
                moves += product(_BOARD, standing)
                opening: Plays = ()
                if self.timbers:
                    opening = self.opening(card, ark.ends[side], self.near_meat, self.takes)
                    moves += product(_BOARD, opening)
                if not alone:
                    self._add_pairs(moves, card, side, balance, standing, opening)
            if tables.drivers >> card & 1:
                driving = self.driving_out(card, ark.balance, ark.meat)
                moves += product(_BOARD, driving)
                if not alone:
                    self._add_after_driving(moves, card, driving)

    def _add_pairs(
        self,
        moves: list[RawMove],
        card: int,
        side: int,
        balance: int,
        standing: Plays,
        opening: Plays,
    ) -> None:
        """Add the pairs that begin with these plays of the card on that side."""
        tables, ark, near_meat = self.tables, self.ark, self.near_meat
        lanes = LANES[balance]
        purse = self.timbers + FOX_TIMBERS if card == tables.fox else self.timbers
        rest = [other for other in self.free if other != card]
        for other in rest:
            # a shy card that follows a meat eater keeps off its cabin and those next door
            timid = tables.meat >> card & tables.shy >> other & 1
            for way, _ in lanes[tables.weight[other]]:
                seconds = self.standing(other, way, near_meat)
                if timid:
                    moves += _not_near(standing, seconds)
                    moves += _not_near(opening, seconds)
                else:
                    if way == side:
                        moves += _apart(standing, seconds)
                    else:
                        moves += product(_BOARD, standing, seconds)
                    if opening:
                        moves += product(_BOARD, opening, seconds)
                if purse and standing:
                    seconds = self.opening(other, ark.ends[way], near_meat, self.takes)
                    if timid:
                        moves += _not_near(standing, seconds)
                    else:
                        moves += product(_BOARD, standing, seconds)
            if tables.drivers >> other & 1:
                driving = self.driving_out(other, balance, ark.meat)
                if timid:
                    moves += _not_near(standing, driving)
                    moves += _not_near(opening, driving)
                else:
                    moves += _apart(standing, driving)
                    moves += product(_BOARD, opening, driving)
        if opening:
            self._add_after_opening(moves, card, side, balance, opening, rest, purse - 1)

    def _add_after_opening(
        self,
        moves: list[RawMove],
        card: int,
        side: int,
        balance: int,
        opening: Plays,
        rest: list[int],
        purse: int,
    ) -> None:
        """Add what only the opening of a cabin makes possible: that the second card is the one
        just taken, or opens the cabin after it."""
        tables, weight = self.tables, self.tables.weight
        lanes = LANES[balance]
        ends = self.ark.ends[:]
        cabin = ends[side]
        ends[side] = cabin + 2
        meat, near_meat = self.ark.meat, self.near_meat
        if tables.meat >> card & 1:
            meat |= 1 << cabin
            near_meat |= NEAR[cabin]
        takes = self.takes
        nothing_left = len(self.display) < 2
        if purse:
            left = (NONE,) if nothing_left else takes
            for other in rest:
                for way, _ in lanes[weight[other]]:
                    seconds = self.opening(other, ends[way], near_meat, left)
                    moves += [
                        (BOARD, p, q) for p in opening for q in seconds if p[4] != q[4] or q[4] < 0
                    ]
        if not self.display:
            return
        each = len(tables.marks[card])
        for place, taken in enumerate(takes):
            if tables.alone >> taken & 1:
                continue
            firsts = opening[place * each : place * each + each]
            for way, _ in lanes[weight[taken]]:
                seconds = self.standing(taken, way, near_meat)
                if purse:
                    left = (NONE,) if nothing_left else takes[:place] + takes[place + 1 :]
                    seconds += self.opening(taken, ends[way], near_meat, left)
                moves += product(_BOARD, firsts, seconds)
            if tables.drivers >> taken & 1:
                moves += product(_BOARD, firsts, self.driving_out(taken, balance, meat))

    def _add_after_driving(self, moves: list[RawMove], card: int, driving: Plays) -> None:
        """Add the pairs that begin with driving out: the victim may have been the meat eater that
        kept shy cards away, so the second plays are found anew."""
        tables, ark, weight = self.tables, self.ark, self.tables.weight
        rest = [other for other in self.free if other != card]
        if not rest:
            return
        for play in driving:
            _, cabin, out, _, _ = play
            shift = weight[card] - weight[out]
            balance = ark.balance + (shift if cabin & 1 else -shift)
            meat = ark.meat_without(tables, cabin, out) | (tables.meat >> card & 1) << cabin
            moves += _apart((play,), self.plays(rest, balance, meat))


def _apart(firsts: Plays, seconds: Plays) -> list[RawMove]:
    """The pairs that go into different cabins."""
    return [(BOARD, p, q) for p in firsts for q in seconds if p[1] != q[1]]


def _not_near(firsts: Plays, seconds: Plays) -> list[RawMove]:
    """The pairs whose second play goes neither into the cabin of the first nor next door."""
    return [(BOARD, p, q) for p in firsts for q in seconds if not NEAR[p[1]] >> q[1] & 1]
