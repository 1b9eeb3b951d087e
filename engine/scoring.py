"""Who has how many points, and who wins (R9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import KINDS
from engine.position import KIND_COUNT, Position
from engine.tables import NONE, WHOLE

PLACES = (10, 6, 2, 2, 2)


@dataclass(frozen=True)
class Score:
    """The result as the rules count it; tuples are by seat."""

    totals: tuple[int, ...]
    scoring: Mapping[str, tuple[int, ...]]
    timbers: tuple[int, ...]
    winners: tuple[int, ...]

    def to_json(self) -> dict[str, object]:
        """The `result` of ark-record."""
        return {
            "totals": list(self.totals),
            "scoring": {kind: list(points) for kind, points in self.scoring.items()},
            "timbers": list(self.timbers),
            "winners": list(self.winners),
        }


def score(position: Position) -> Score:
    """The score of the position, the pets' markers included (R9.1)."""
    marks = position.marks[:]
    tables = position.tables
    for seat, pet in enumerate(position.pets):
        if pet != NONE and tables.pets >> pet & 1 and tables.kind[pet] != NONE:
            marks[KIND_COUNT * seat + tables.kind[pet]] += WHOLE
    columns = [kind_points(marks[kind::KIND_COUNT]) for kind in range(KIND_COUNT)]
    timbers = tuple(position.timbers)
    totals = tuple(map(sum, zip(*columns, timbers, strict=True)))
    return Score(
        totals=totals,
        scoring=dict(zip(KINDS, columns, strict=True)),
        timbers=timbers,
        winners=_winners(position, totals),
    )


def points_now(position: Position) -> tuple[int, ...]:
    """By seat: the points of the markers and timbers as they stand, pets not counted."""
    columns = [kind_points(position.marks[kind::KIND_COUNT]) for kind in range(KIND_COUNT)]
    return tuple(map(sum, zip(*columns, position.timbers, strict=True)))


def kind_points(counts: Sequence[int]) -> tuple[int, ...]:
    """By seat: the points of one scoring card for these counts of markers (R9.2)."""
    points = []
    for count in counts:
        if count == 0:
            points.append(0)
            continue
        better = sum(other > count for other in counts)
        equal = counts.count(count)
        shared = sum(PLACES[better : better + equal])
        points.append(-(-shared // equal))  # rounded up
    return tuple(points)


def _winners(position: Position, totals: Sequence[int]) -> tuple[int, ...]:
    """R9.4: the highest total, then the fewest animals in hand, then shared."""
    animals = position.tables.animals
    rank = [
        (-total, sum(animals >> card & 1 for card in hand))
        for total, hand in zip(totals, position.hands, strict=True)
    ]
    best = min(rank)
    return tuple(seat for seat, own in enumerate(rank) if own == best)
