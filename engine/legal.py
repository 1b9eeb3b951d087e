"""The complete list of legal moves (R4, R5, R6, R8).

Single plays follow from masks: each cabin knows the cards that may enter it, so one `&` with the
hand tells which do.  Pairs of plays (R4.3) are most of the list.  What the first play changes for
the second is little: the hand, the balance, the timbers, the display, the next new cabins, and
where meat eaters are (that concerns shy cards only).  Call this the *outlook* of the second play.
First plays that leave the same outlook have the same second plays, but for their own cabins; so
these are worked out once an outlook, and the pairs are a product.
"""

from collections.abc import Iterable, Sequence

from engine.position import Position
from engine.raw import BOARD, GATHER, PASS, PET, RawMove, RawPlay
from engine.tables import CARDS, LEFT, MAX_BALANCE, NONE, RIGHT, near

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
        moves += _boards(position, hand, timbers)
    elif position.phase == "end":
        moves = [(PASS,)]
        if timbers > 0:  # R8.2
            free = [card for card in hand if not position.tables.alone >> card & 1]
            ark = position.ark
            plays = _Quay(position, free).plays(
                free, ark.balance, ark.meat, ark.ends, timbers - 1, position.display
            )
            moves += [(BOARD, play) for play in plays]
    else:
        moves = [(PET, NONE), *[(PET, card) for card in hand]]
    return moves


def _boards(position: Position, hand: list[int], timbers: int) -> list[RawMove]:
    """The boards of the main phase, of one card and of two (R4.3)."""
    tables, ark, display = position.tables, position.ark, position.display
    alone, meat, weight, ends = tables.alone, tables.meat, tables.weight, ark.ends
    quay = _Quay(position, [*hand, *[card for card in display if card < CARDS]])
    singles = quay.plays(hand, ark.balance, ark.meat, ends, timbers, display)
    moves: list[RawMove] = [(BOARD, play) for play in singles]

    free = [card for card in hand if not alone >> card & 1]
    waiting = any(tables.shy >> card & 1 for card in (*free, *display))
    groups: dict[tuple[int, int, int, int], list[RawPlay]] = {}
    for play in singles:
        card, cabin, out, _, take = play
        if alone >> card & 1:
            continue
        particular = cabin == ends[cabin & 1] or out != NONE or (waiting and meat >> card & 1)
        place = cabin if particular else (cabin & 1) - 2
        groups.setdefault((card, place, out, take), []).append(play)

    for (card, _, out, take), firsts in groups.items():
        cabin = firsts[0][1]
        shift = weight[card]
        meat_after = ark.meat
        if out != NONE:
            shift -= weight[out]
            meat_after = quay.meat_without(cabin, out)
        if meat >> card & 1:
            meat_after |= 1 << cabin
        timbers_after = timbers + FOX_TIMBERS if card == tables.fox else timbers
        rest = [other for other in free if other != card]
        display_after: Sequence[int] = display
        ends_after: Sequence[int] = ends
        if cabin == ends[cabin & 1]:
            timbers_after -= 1
            ends_after = (ends[LEFT], cabin + 2) if cabin & 1 else (cabin + 2, ends[RIGHT])
            if take != NONE:
                display_after = [other for other in display if other != take]
                if not alone >> take & 1:
                    rest.append(take)
        seconds = quay.plays(
            rest,
            ark.balance + (shift if cabin & 1 else -shift),
            meat_after,
            ends_after,
            timbers_after,
            display_after,
        )
        moves += [
            (BOARD, first, second)
            for first in firsts
            for second in seconds
            if first[1] != second[1]
        ]
    return moves


class _Quay:
    """The cards waiting to board, and where each might go before balance and shyness are asked."""

    __slots__ = ("_near", "_outs", "_position", "_standing")

    def __init__(self, position: Position, cards: Iterable[int]) -> None:
        self._position = position
        tables, ark = position.tables, position.ark
        self._standing: dict[int, tuple[list[RawPlay], list[RawPlay]]] = {}
        self._outs: dict[int, list[RawPlay]] = {}
        want = 0
        for card in cards:
            want |= 1 << card
            self._standing[card] = ([], [])
            if tables.drivers >> card & 1:
                self._outs[card] = self._driving_out(card)
        for side in (LEFT, RIGHT):
            for cabin in range(side, ark.ends[side], 2):
                mask = ark.open_to[cabin] & want
                while mask:
                    lowest = mask & -mask
                    mask ^= lowest
                    card = lowest.bit_length() - 1
                    self._standing[card][side].append((card, cabin, NONE, NONE, NONE))
        if want >> tables.chimpanzee & 1:
            chimpanzee = self._standing[tables.chimpanzee]
            for side in (LEFT, RIGHT):
                chimpanzee[side][:] = [
                    (card, cabin, NONE, mark, NONE)
                    for card, cabin, _, _, _ in chimpanzee[side]
                    for mark in tables.marks[card]
                ]

    def _driving_out(self, card: int) -> list[RawPlay]:
        tables, ark = self._position.tables, self._position.ark
        victims = tables.victims[card]
        return [
            (card, cabin, victim, mark, NONE)
            for cabin, crew in enumerate(ark.cabins)
            for victim in crew
            if victims >> victim & 1 and ark.company(tables, cabin, victim) >> card & 1
            for mark in tables.marks[victim]
        ]

    def meat_without(self, cabin: int, out: int) -> int:
        """The cabins with meat eaters when the animal has left its cabin."""
        return self._position.ark.meat_without(self._position.tables, cabin, out)

    def plays(
        self,
        cards: Sequence[int],
        balance: int,
        meat: int,
        ends: Sequence[int],
        timbers: int,
        display: Sequence[int],
    ) -> list[RawPlay]:
        """The single plays of the cards with this outlook: balance, cabins with meat eaters, next
        new cabin a side, timbers a new cabin may be paid with, display."""
        tables = self._position.tables
        shy = tables.shy
        near_meat = near(meat)
        found: list[RawPlay] = []
        for side in (LEFT, RIGHT):
            bears = tables.bears[side][balance + MAX_BALANCE]
            end = ends[side]
            for card in cards:
                if bears >> card & 1:
                    plays = self._standing[card][side]
                    if shy >> card & 1:
                        plays = [play for play in plays if not near_meat >> play[1] & 1]
                        if near_meat >> end & 1:
                            found += plays
                            continue
                    found += plays
                    if timbers > 0:
                        takes = [take for take in display if take < CARDS] if display else (NONE,)
                        found += [
                            (card, end, NONE, mark, take)
                            for mark in tables.marks[card]
                            for take in takes
                        ]
        for card in cards:
            if tables.drivers >> card & 1:
                found += self._outs_with(card, balance, meat)
        return found

    def _outs_with(self, card: int, balance: int, meat: int) -> list[RawPlay]:
        tables = self._position.tables
        found = []
        for play in self._outs[card]:
            _, cabin, victim, _, _ = play
            shift = tables.weight[card] - tables.weight[victim]
            if abs(balance + (shift if cabin & 1 else -shift)) > MAX_BALANCE:
                continue
            # no meat eater stays in the cabin of a shy card that drives out
            if tables.shy >> card & 1 and near(meat & ~(1 << cabin)) >> cabin & 1:
                continue
            found.append(play)
        return found
