"""Curves and bars as SVG, drawn by attributes alone: the pages allow no style of their own.

Every figure stands in a table, too; a curve differs from the others by its dashes and by the
name at its end, not by colour alone.  Lengths are user units, a pixel at natural size."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 54, 138, 12, 30
"""At the left four figures as large as a phone shows them, at the right the names of the
curves; a phone cuts these off (`archive.css`) and has a legend below instead."""
BARE_RIGHT = 16  # where no name stands
APART = 14  # between the names at the ends of two curves
BALANCE_HEIGHT = 110
MOST_ROWS = 7
DASHES = ("none", "7 4", "2 3", "10 3 2 3", "5 2")


@dataclass(frozen=True)
class Tick:
    """``minor``: left out where there is little room."""

    at: float
    label: str
    minor: bool = False


@dataclass(frozen=True)
class Curve:
    """One seat's points; ``end`` is where its name stands."""

    number: int
    name: str
    points: str  # of a polyline
    end: float
    last: int
    dashes: str


@dataclass(frozen=True)
class Mark:
    """A place on the curve of time that leads to a turn."""

    turn: int
    x: float
    width: float


@dataclass(frozen=True)
class Graph:
    width: int
    height: int
    left: int
    right: float
    top: int
    bottom: float
    curves: tuple[Curve, ...]
    rows: tuple[Tick, ...]  # across: points, or the balance
    columns: tuple[Tick, ...]  # down: turns
    marks: tuple[Mark, ...]
    now: float | None


def curves(rows: Sequence[Sequence[int]], names: Sequence[str], now: int | None = None) -> Graph:
    """Points over the turns: `rows` by turn, then by seat."""
    top = max(10, max(map(max, rows)))
    step = next(size for size in (5, 10, 20, 50, 100) if top <= size * (MOST_ROWS - 1))
    top += -top % step
    scale = _Scale(len(rows), 0, top, HEIGHT)
    lines = [[scale.y(row[seat]) for row in rows] for seat in range(len(names))]
    ends = _apart([line[-1] for line in lines])
    return scale.graph(
        tuple(
            Curve(seat, name, scale.line(line), end, rows[-1][seat], DASHES[seat])
            for seat, (name, line, end) in enumerate(zip(names, lines, ends, strict=True))
        ),
        range(0, top + 1, step),
        now,
    )


def balance(values: Sequence[int], now: int | None = None) -> Graph:
    """The balance over the turns, from −2 (left) to +2 (right)."""
    scale = _Scale(len(values), -2, 2, BALANCE_HEIGHT)
    line = scale.steps([scale.y(value) for value in values])
    return scale.graph((Curve(0, "", line, 0, values[-1], "none"),), range(-2, 3), now)


def history(values: Sequence[int]) -> Graph:
    """A rating after each of a person's games."""
    low, high = min(values), max(values)
    low, high = low - low % 50, high + -high % 50 or 50
    scale = _Scale(len(values), low, max(high, low + 100), HEIGHT, BARE_RIGHT)
    line = [scale.y(value) for value in values]
    curve = Curve(0, "", scale.line(line), line[-1], values[-1], "none")
    return scale.graph((curve,), range(low, scale.high + 1, 50), None)


@dataclass(frozen=True)
class _Scale:
    count: int  # steps, the deal included
    low: int
    high: int
    height: int
    right: int = RIGHT

    def x(self, turn: float) -> float:
        width = WIDTH - LEFT - self.right
        return round(LEFT + width * turn / max(1, self.count - 1), 1)

    def y(self, value: float) -> float:
        inside = self.height - TOP - BOTTOM
        return round(TOP + inside * (self.high - value) / (self.high - self.low), 1)

    def line(self, heights: Sequence[float]) -> str:
        return " ".join(f"{self.x(turn):g},{y:g}" for turn, y in enumerate(heights))

    def steps(self, heights: Sequence[float]) -> str:
        """The same in steps: a balance holds until the next turn."""
        corners = [(self.x(0), heights[0])]
        for turn, y in enumerate(heights[1:], 1):
            corners += [(self.x(turn), corners[-1][1]), (self.x(turn), y)]
        return " ".join(f"{x:g},{y:g}" for x, y in corners)

    def graph(self, drawn: tuple[Curve, ...], rows: Sequence[int], now: int | None) -> Graph:
        last = self.count - 1
        half = (self.x(1) - self.x(0)) / 2
        every = 10 * (1 + last // 100)
        return Graph(
            WIDTH, self.height, LEFT, self.x(last), TOP, self.y(self.low), drawn,
            tuple(self._row(value) for value in rows),
            tuple(Tick(self.x(turn), str(turn)) for turn in range(0, last + 1, every)),
            tuple(
                Mark(turn, round(self.x(turn) - half, 1), round(2 * half, 1))
                for turn in range(self.count)
            ),
            None if now is None else self.x(now),
        )  # fmt: skip

    def _row(self, value: int) -> Tick:
        """Points by their number; a balance by its sign, the odd ones of less weight."""
        if self.low >= 0:
            return Tick(self.y(value), str(value))
        return Tick(self.y(value), f"{value:+d}" if value else "0", minor=value % 2 == 1)


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights for the names at the ends, moved so far that none covers another."""
    order = sorted(range(len(heights)), key=lambda one: heights[one])
    found = list(heights)
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + APART)
    lowest = HEIGHT - BOTTOM + 4
    for below, above in pairwise(reversed(order)):
        found[below] = min(found[below], lowest)
        found[above] = min(found[above], found[below] - APART)
    return [round(one, 1) for one in found]


BAR_HEIGHT, BAR_GAP = 20, 8
BAR_LABELS, BAR_FIGURES = 130, 70


@dataclass(frozen=True)
class Bar:
    label: str
    figure: str
    y: float
    width: float


@dataclass(frozen=True)
class Bars:
    width: int
    height: int
    left: int
    thick: int
    bars: tuple[Bar, ...]
    level: float | None
    """Where the line of what is to be expected stands; None for none."""


def bars(
    rows: Sequence[tuple[str, float, str]], width: int = 420, expected: float | None = None
) -> Bars:
    """Lying bars: (label, value, figure).  `expected` is marked by a line across all."""
    most = max([value for _, value, _ in rows] + [expected or 0, 1e-9])
    room = width - BAR_LABELS - BAR_FIGURES
    pitch = BAR_HEIGHT + BAR_GAP
    return Bars(
        width,
        max(1, len(rows)) * pitch,
        BAR_LABELS,
        BAR_HEIGHT,
        tuple(
            Bar(label, figure, number * pitch + BAR_GAP / 2, round(room * value / most, 1))
            for number, (label, value, figure) in enumerate(rows)
        ),
        None if expected is None else round(BAR_LABELS + room * expected / most, 1),
    )
