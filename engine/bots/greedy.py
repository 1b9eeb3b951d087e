"""The bot that takes the move that looks best at once.

A move is worth the points it wins now from the scoring cards, for the player and against the best
of the others, a little for every marker, and the change in timbers and cards in hand.
"""

from engine.legal import legal_raw
from engine.moves import Move
from engine.position import KIND_COUNT, Position
from engine.raw import BOARD, GATHER, PASS, RawMove, decode
from engine.scoring import kind_points
from engine.shuffle import Generator
from engine.tables import NONE, WHOLE
from engine.view import View, imagine

CARD_WORTH = 0.9
TIMBER_WORTH = 1.0
MARKER_WORTH = 1.2
RIVAL_WEIGHT = 0.4


class Greedy:
    """Looks one turn ahead, at what its view shows."""

    name = "greedy"

    def choose(self, view: View, rng: Generator) -> Move:
        assert view.seat is not None, "a spectator has no move"
        position = imagine(view)
        return decode(position.tables, _Appraisal(position, view.seat).best(rng))


class _Appraisal:
    def __init__(self, position: Position, seat: int) -> None:
        self.position = position
        self.seat = seat
        self.tables = position.tables
        self._known: dict[tuple[int, int], float] = {}

    def best(self, rng: Generator) -> RawMove:
        moves = legal_raw(self.position, self.seat)
        worths = [self.worth(move) for move in moves]
        top = max(worths)
        equals = [move for move, worth in zip(moves, worths, strict=True) if worth == top]
        return equals[rng.below(len(equals))]

    def worth(self, move: RawMove) -> float:
        action = move[0]
        if action == BOARD:
            return self._board(move)
        if action == GATHER:
            return 2 * CARD_WORTH + self._lure(move[1])
        if action == PASS or move[1] == NONE:
            return 0.0
        return self._pet(move[1])

    def _lure(self, card: int) -> float:
        """A little for a card that would bring points."""
        kind = self.tables.kind[card]
        return 0.0 if kind == NONE else 0.05 * self._gain(kind, WHOLE)

    def _pet(self, card: int) -> float:
        kind = self.tables.kind[card]
        if kind == NONE or not self.tables.pets >> card & 1:
            return -1.0
        return self._gain(kind, WHOLE) - CARD_WORTH

    def _board(self, move: RawMove) -> float:
        tables, position = self.tables, self.position
        ends = position.ark.ends
        gains = [0] * KIND_COUNT
        timbers = cards = 0
        for card, cabin, out, mark, take in move[1:]:
            cards -= 1
            kind = mark if card == tables.chimpanzee else tables.kind[card]
            if kind != NONE:
                gains[kind] += tables.gains[card]
            if out != NONE:
                kind = mark if out == tables.chimpanzee else tables.kind[out]
                if kind != NONE:
                    gains[kind] += tables.gains[out]
            if card == tables.fox:
                timbers += 2
            timbers -= cabin >= ends[cabin & 1]
            cards += take != NONE
        if position.phase == "end":
            timbers -= 1
            cards = 0
        worth = timbers * TIMBER_WORTH + cards * CARD_WORTH
        for kind, halves in enumerate(gains):
            if halves:
                worth += self._gain(kind, halves)
        return worth

    def _gain(self, kind: int, halves: int) -> float:
        """What so many half-markers more on a scoring card are worth."""
        known = self._known.get((kind, halves))
        if known is not None:
            return known
        counts = self.position.marks[kind::KIND_COUNT]
        before = kind_points(counts)
        counts[self.seat] += halves
        after = kind_points(counts)
        own = after[self.seat] - before[self.seat]
        loss = max(before[seat] - after[seat] for seat in range(len(counts)) if seat != self.seat)
        growth = MARKER_WORTH * halves / WHOLE if self.position.phase != "end" else 0.0
        worth = self._known[kind, halves] = own + RIVAL_WEIGHT * loss + growth
        return worth
