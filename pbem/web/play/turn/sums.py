"""What a turn that is being chosen would change, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import KINDS
from engine.view import View


@dataclass(frozen=True)
class Shift:
    """A number before and after."""

    before: float
    after: float

    @property
    def changed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True)
class Sums:
    """Balance, the own timbers and markers, and everybody's points, pets not counted."""

    balance: Shift
    timbers: Shift
    marks: tuple[tuple[str, Shift], ...]  # the own ones that change, by kind
    points: tuple[Shift, ...]  # by seat


def sums_of(before: View, after: View) -> Sums:
    """The difference between two views of the same seat."""
    seat = before.seat
    assert seat is not None, "sums are a seat's"
    marks = [(kind, Shift(before.marks[seat][kind], after.marks[seat][kind])) for kind in KINDS]
    return Sums(
        Shift(before.balance, after.balance),
        Shift(before.timbers[seat], after.timbers[seat]),
        tuple((kind, change) for kind, change in marks if change.changed),
        tuple(_changes(before.points, after.points)),
    )


def _changes(before: Sequence[int], after: Sequence[int]) -> list[Shift]:
    return [Shift(*pair) for pair in zip(before, after, strict=True)]
