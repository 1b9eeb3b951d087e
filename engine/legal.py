"""The complete list of legal moves (R4, R5, R6, R8).

Most of the list are pairs of plays (R4.3), so this is where speed is won.  What a first play
changes for the second is little: the hand, the balance, the timbers, the display, the next new
cabins, and where meat eaters are, which concerns shy cards only.  All first plays of one card on
one side leave the same balance; so their second plays are found once, and the pairs are products
of two lists.  Only what depends on both plays is asked of every pair: that they go into different
cabins, that they take different cards, and that no shy card follows next door to a meat eater.

"""

from engine.position import Position
from engine.quay import Quay, takes
from engine.raw import BOARD, GATHER, PASS, PET, RawMove, RawPlay
from engine.tables import CARDS, LANES, NEAR, NONE

FOX_TIMBERS = 2


def legal_raw(position: Position, seat: int) -> list[RawMove]:
    """Every legal move of the seat, once each; [] when it is not to move."""
    if seat not in position.to_move:
        return []
    hand = [card for card in position.hands[seat] if card < CARDS]
    timbers = position.timbers[seat]
    moves: list[RawMove]
    if position.phase == "main":
        moves = [(GATHER, card) for card in position.display if card < CARDS]
        if hand:
            _Boards(position, hand, timbers).add_to(moves)
    elif position.phase == "end":
        moves = [(PASS,)]
        if timbers > 0:  # R8.2
            ark = position.ark
            quay = Quay(position.tables, ark, position.display)
            free = [card for card in hand if not position.tables.alone >> card & 1]
            moves += [
                (BOARD, play) for play in quay.plays(free, ark.balance, ark.meat, timbers - 1)
            ]
    else:
        moves = [(PET, NONE), *[(PET, card) for card in hand]]
    return moves


class _Boards:
    """The boards of a seat in the main phase, of one card and of two."""

    __slots__ = ("display", "free", "hand", "quay", "timbers")

    def __init__(self, position: Position, hand: list[int], timbers: int) -> None:
        alone = position.tables.alone
        self.hand = hand
        self.free = [card for card in hand if not alone >> card & 1]
        """The cards that may be one of two."""
        self.timbers = timbers
        self.display = position.display
        self.quay = Quay(position.tables, position.ark, position.display)

    def add_to(self, moves: list[RawMove]) -> None:
        """Add them all."""
        quay, timbers = self.quay, self.timbers
        tables, ark, near_meat = quay.tables, quay.ark, quay.near_meat
        lanes = LANES[ark.balance]
        for card in self.hand:
            alone = tables.alone >> card & 1
            for side, balance in lanes[tables.weight[card]]:
                standing = quay.standing(card, side, near_meat)
                moves += [(BOARD, play) for play in standing]
                opening: list[RawPlay] = []
                if timbers:
                    opening = quay.opening(card, ark.ends[side], near_meat, quay.takes)
                    moves += [(BOARD, play) for play in opening]
                if not alone and (standing or opening):
                    self._add_pairs(moves, card, side, balance, standing, opening)
            if tables.drivers >> card & 1:
                driving = quay.driving(card, ark.balance, ark.meat)
                moves += [(BOARD, play) for play in driving]
                if not alone:
                    self._add_after_driving(moves, card, driving)

    def _add_pairs(
        self,
        moves: list[RawMove],
        card: int,
        side: int,
        balance: int,
        standing: list[RawPlay],
        opening: list[RawPlay],
    ) -> None:
        """Add the pairs that begin with these plays of the card on that side.

        Taking the card just taken from the display and opening a further cabin come last: only
        opening a cabin makes them possible.
        """
        quay = self.quay
        tables, ark = quay.tables, quay.ark
        weight, shy, drivers = tables.weight, tables.shy, tables.drivers
        lanes, near_meat = LANES[balance], quay.near_meat
        eats_meat = tables.meat >> card & 1
        purse = self.timbers + FOX_TIMBERS if card == tables.fox else self.timbers
        rest = [other for other in self.free if other != card]

        plain: list[RawPlay] = []
        timid: list[RawPlay] = []
        for other in rest:
            into = timid if eats_meat and shy >> other & 1 else plain
            for way, _ in lanes[weight[other]]:
                into += quay.standing(other, way, near_meat)
            if drivers >> other & 1:
                into += quay.driving(other, balance, ark.meat)
        if plain:
            moves += [(BOARD, p, q) for p in standing for q in plain if p[1] != q[1]]
            moves += [(BOARD, p, q) for p in opening for q in plain]
        if timid:
            moves += [
                (BOARD, p, q)
                for firsts in (standing, opening)
                for p in firsts
                for q in timid
                if not NEAR[p[1]] >> q[1] & 1
            ]
        if purse and standing:
            for other in rest:
                for way, _ in lanes[weight[other]]:
                    new = quay.opening(other, ark.ends[way], near_meat, quay.takes)
                    if eats_meat and shy >> other & 1:
                        moves += [
                            (BOARD, p, q)
                            for p in standing
                            for q in new
                            if not NEAR[p[1]] >> q[1] & 1
                        ]
                    else:
                        moves += [(BOARD, p, q) for p in standing for q in new]
        if opening:
            self._add_after_opening(moves, card, side, balance, opening, rest, purse - 1)

    def _add_after_opening(
        self,
        moves: list[RawMove],
        card: int,
        side: int,
        balance: int,
        opening: list[RawPlay],
        rest: list[int],
        purse: int,
    ) -> None:
        """Add the pairs that begin with the opening of a cabin and go on with the card taken, or
        with another new cabin."""
        quay, display = self.quay, self.display
        tables, weight = quay.tables, quay.tables.weight
        lanes = LANES[balance]
        ends = quay.ark.ends[:]
        cabin = ends[side]
        ends[side] = cabin + 2
        meat, near_meat = quay.ark.meat, quay.near_meat
        if tables.meat >> card & 1:
            meat |= 1 << cabin
            near_meat |= NEAR[cabin]
        if purse:
            takes_left = quay.takes if len(display) > 1 else [NONE]
            further: list[RawPlay] = []
            for other in rest:
                for way, _ in lanes[weight[other]]:
                    further += quay.opening(other, ends[way], near_meat, takes_left)
            moves += [
                (BOARD, p, q) for p in opening for q in further if p[4] != q[4] or q[4] == NONE
            ]
        for taken in quay.takes:
            if taken == NONE or tables.alone >> taken & 1:
                continue
            seconds: list[RawPlay] = []
            for way, _ in lanes[weight[taken]]:
                seconds += quay.standing(taken, way, near_meat)
                if purse:
                    left = takes([other for other in display if other != taken])
                    seconds += quay.opening(taken, ends[way], near_meat, left)
            if tables.drivers >> taken & 1:
                seconds += quay.driving(taken, balance, meat)
            moves += [(BOARD, p, q) for p in opening if p[4] == taken for q in seconds]

    def _add_after_driving(self, moves: list[RawMove], card: int, driving: list[RawPlay]) -> None:
        """Add the pairs that begin with driving out: the victim may have been the meat eater that
        kept shy cards away, so every second play is found anew."""
        quay = self.quay
        tables, ark, weight = quay.tables, quay.ark, quay.tables.weight
        rest = [other for other in self.free if other != card]
        if not rest:
            return
        for play in driving:
            _, cabin, out, _, _ = play
            shift = weight[card] - weight[out]
            balance = ark.balance + (shift if cabin & 1 else -shift)
            meat = ark.meat_without(tables, cabin, out) | (tables.meat >> card & 1) << cabin
            seconds = quay.plays(rest, balance, meat, self.timbers)
            moves += [(BOARD, play, second) for second in seconds if second[1] != cabin]
