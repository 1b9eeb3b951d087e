"""The bot that takes the move that looks best at once.

It looks at nothing but its view, and one turn ahead.  A marker is worth what it adds to the points
the seat may expect from the scoring card: the nearer the game is to its end, the more the order as
it stands will be the last one.  A card in hand is worth a part of what it would bring.

All arithmetic is what IEEE 754 rounds exactly (no `exp`, and no `sum`, which adds floats otherwise
from Python 3.12 on): so the bot chooses the same everywhere.
"""

from math import sqrt

from engine.legal import legal_raw
from engine.moves import Move
from engine.position import KIND_COUNT, Position
from engine.raw import BOARD, GATHER, PASS, RawMove, decode
from engine.scoring import PLACES
from engine.shuffle import Generator
from engine.tables import FOX_TIMBERS, MARKABLE, NONE, ONE_AND_A_HALF, WHOLE
from engine.view import View, imagine

TIMBER_WORTH = 1.2
CARD_WORTH = 0.1
"""What any card in hand is worth, …"""
PROMISE = 0.25
"""… and the part of what it would bring, …"""
PROMISE_ALONE = 0.175
"""… which is less for a card that can only be played alone."""
BLIND_WORTH = 0.8
"""What the top card of the stack is worth."""
POWER_WORTH = 2.0
"""What driving out may bring, beside the card's own marker."""
CERTAIN = 0.1
"""The lead in markers that is good for 85 % at the end …"""
DOUBT = 4.0
"""… and how much that grows with a full stack."""
FULL_STACK = 47
"""Cards in the stack of three players after the set-up."""


class Greedy:
    """Looks one turn ahead, at what its view shows."""

    name = "greedy"

    def choose(self, view: View, rng: Generator) -> Move:
        """The legal move of the greatest worth; among equals `rng` decides."""
        assert view.seat is not None, "a spectator has no move"
        position = imagine(view)
        return decode(position.tables, _Appraisal(position, view.seat).best(rng))


class _Appraisal:
    """What moves are worth to a seat in one position."""

    def __init__(self, position: Position, seat: int) -> None:
        self.position = position
        self.seat = seat
        self.tables = position.tables
        self.ending = position.phase == "end"
        cards_left = 0 if self.ending else len(position.stack) - position.drawn
        self.doubt = CERTAIN + DOUBT * cards_left / FULL_STACK
        self._gains: dict[tuple[int, int], float] = {}
        self._promises: dict[int, float] = {}

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
            return BLIND_WORTH + self._promise(move[1])
        if action == PASS or move[1] == NONE:
            return 0.0
        return self._pet(move[1])

    def _pet(self, card: int) -> float:
        if not self.tables.pets >> card & 1 or self.tables.kind[card] == NONE:
            return -1.0
        return self._gain(self.tables.kind[card], WHOLE) - self._promise(card)

    def _board(self, move: RawMove) -> float:
        tables = self.tables
        ends = self.position.ark.ends
        markers = [0] * KIND_COUNT
        worth = -1.0 if self.ending else 0.0  # R8.2, R9.3
        for card, cabin, out, mark, take in move[1:]:
            for whose in (card, out):
                if whose != NONE:
                    kind = mark if whose == tables.chimpanzee else tables.kind[whose]
                    if kind != NONE:
                        markers[kind] += tables.gains[whose]
            if card == tables.fox:
                worth += FOX_TIMBERS * TIMBER_WORTH
            if cabin >= ends[cabin & 1]:
                worth -= TIMBER_WORTH
            if not self.ending:
                worth -= self._promise(card)
                if take != NONE:
                    worth += self._promise(take)
        for kind, halves in enumerate(markers):
            if halves:
                worth += self._gain(kind, halves)
        return worth

    def _promise(self, card: int) -> float:
        """What having the card in hand is worth."""
        known = self._promises.get(card)
        if known is None:
            tables = self.tables
            kind = tables.kind[card]
            brings = 0.0 if kind == NONE else self._gain(kind, tables.gains[card])
            if card == tables.fox:
                brings += FOX_TIMBERS * TIMBER_WORTH
            elif card == tables.chimpanzee:
                brings = max(self._gain(kind, ONE_AND_A_HALF) for kind in MARKABLE)
            elif tables.drivers >> card & 1:
                brings += POWER_WORTH
            part = PROMISE_ALONE if tables.alone >> card & 1 else PROMISE
            known = self._promises[card] = CARD_WORTH + part * brings
        return known

    def _gain(self, kind: int, halves: int) -> float:
        """What so many half-markers more on a scoring card are worth."""
        known = self._gains.get((kind, halves))
        if known is None:
            counts = self.position.marks[kind::KIND_COUNT]
            before = self._expected(counts)
            counts[self.seat] += halves
            known = self._gains[kind, halves] = self._expected(counts) - before
        return known

    def _expected(self, counts: list[int]) -> float:
        """The points the seat may expect from a scoring card with these half-markers on it."""
        mine = counts[self.seat]
        places = [1.0]  # how probable it is that so many players are ahead
        for seat, count in enumerate(counts):
            if seat != self.seat:
                lead = (mine - count) / (2 * self.doubt)
                ahead = (1 + lead / sqrt(1 + lead * lead)) / 2
                places = [
                    (places[n] * ahead if n < len(places) else 0.0)
                    + (places[n - 1] * (1 - ahead) if n else 0.0)
                    for n in range(len(places) + 1)
                ]
        points = 0.0 if mine else -PLACES[-1] / 2  # without a marker there are no points (R9.2)
        for place, chance in enumerate(places):
            points += chance * PLACES[place]
        return points
