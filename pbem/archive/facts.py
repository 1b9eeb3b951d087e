"""What there is to know of a finished game, worked out from its record alone.

Pure: the same record gives the same facts, so that everything the archive stores can be
built anew."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import cards_form
from engine.moves import to_json
from engine.position import Position
from engine.record import Record, start, walk
from engine.scoring import Score, points_now, score

SHORT, LONG = 40, 50
"""Turns: a game of fewer than `SHORT` is short, one of more than `LONG` is long."""
CLOSE = 3  # points between the winner and the next one


@dataclass(frozen=True)
class Step:
    """The table after one turn (the first step: after the deal)."""

    points: tuple[int, ...]
    """By seat: markers and timbers as they stand, pets not counted."""
    balance: int
    mover: int | None = None


@dataclass(frozen=True)
class DrivenOut:
    turn: int
    seat: int
    driver: str
    victim: str


@dataclass(frozen=True)
class Swing:
    """The turn that changed most between its player and the best of the others."""

    turn: int
    seat: int
    points: int


@dataclass
class Facts:
    """Of one game; turns count from 1, lists by seat unless said otherwise.  A game that
    ended before its last turn has neither score nor places, and its pets stay secret."""

    players: int
    steps: list[Step]
    drive_outs: list[DrivenOut] = field(default_factory=list)
    boarded: list[set[str]] = field(default_factory=list)
    rain: dict[int, int] = field(default_factory=dict)  # the how-many-th: in which turn
    pets: list[str | None] = field(default_factory=list)
    pet_counts: list[bool] = field(default_factory=list)
    pet_points: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    score: Score | None = None

    @property
    def turns(self) -> int:
        return len(self.steps) - 1

    @property
    def course(self) -> list[tuple[int, ...]]:
        """By step: the points as they stood; the last ones are the result, pets counted."""
        if self.score is None:
            return [step.points for step in self.steps]
        return [*(step.points for step in self.steps[:-1]), self.result.totals]

    @property
    def result(self) -> Score:
        if self.score is None:
            raise ValueError("a game that is not over has no result")
        return self.score

    @property
    def best(self) -> int:
        return max(self.result.totals)

    @property
    def margin(self) -> int:
        """What the second one lacked; 0 where the victory was shared or decided by hands."""
        first, second, *_ = sorted(self.result.totals, reverse=True)
        return first - second

    @property
    def length_class(self) -> str:
        return "short" if self.turns < SHORT else "long" if self.turns > LONG else "medium"

    @property
    def result_class(self) -> str:
        if len(self.result.winners) > 1:
            return "shared"
        return "close" if self.margin <= CLOSE else "clear"

    @property
    def swing(self) -> Swing:
        """The first of the greatest ones, where several are equal."""
        return max(self.swings(), key=lambda one: (one.points, -one.turn))

    def swings(self) -> list[Swing]:
        """By how much each turn changed the lead of whoever did it (choices of pets too)."""
        found = []
        for turn, (before, after) in enumerate(zip(self.steps, self.steps[1:], strict=False), 1):
            seat = after.mover or 0
            found.append(Swing(turn, seat, _lead(after.points, seat) - _lead(before.points, seat)))
        return found

    def leads(self) -> list[tuple[int, int]]:
        """Who took the lead in which turn: (turn, seat), one alone ahead of all others."""
        found: list[tuple[int, int]] = []
        for turn, step in enumerate(self.steps):
            best = max(step.points)
            ahead = [seat for seat, points in enumerate(step.points) if points == best]
            if len(ahead) == 1 and (not found or found[-1][1] != ahead[0]):
                found.append((turn, ahead[0]))
        return found


def facts_of(record: Record) -> Facts:
    """Play the record through the rules; `RecordError` where they do not agree with it, and
    ValueError for a game that is not over."""
    facts = facts_so_far(record)
    if facts.score is None:
        raise ValueError("only a finished game has facts for the archive")
    return facts


def facts_so_far(record: Record) -> Facts:
    """The same of a game that may have ended before its last turn; `RecordError` as there."""
    position = start(record)
    facts = Facts(record.players, [_step(position, None)])
    facts.boarded = [set() for _ in range(record.players)]
    for number, (turn, events, after) in enumerate(walk(record), 1):
        position = after
        facts.steps.append(_step(position, turn.seat))
        for event in events:
            _note(facts, number, event.kind, event.seat, event.public or {})
    if position.phase == "over":
        facts.score = score(position)
        facts.places = _places(position, facts.score)
        _note_pets(facts, position)
    return facts


def digest_of(record: Record) -> str:
    """What makes two records the same game: deck, deal and moves (SHA-256, hexadecimal)."""
    played = {
        "cards": cards_form(record.deck),
        "players": record.players,
        "setup": record.setup,
        "turns": [[turn.seat, to_json(turn.move)] for turn in record.turns],
    }
    return hashlib.sha256(json.dumps(played, sort_keys=True).encode()).hexdigest()


def _step(position: Position, mover: int | None) -> Step:
    return Step(points_now(position), position.ark.balance, mover)


def _lead(points: Sequence[int], seat: int) -> int:
    return points[seat] - max(other for number, other in enumerate(points) if number != seat)


def _note(facts: Facts, turn: int, kind: str, seat: int | None, public: Any) -> None:
    if kind == "rain":
        facts.rain[public["count"]] = turn
    if kind == "play" and seat is not None:
        facts.boarded[seat].add(public["card"])
        if public["out"] is not None:
            facts.drive_outs.append(DrivenOut(turn, seat, public["card"], public["out"]))


def _note_pets(facts: Facts, position: Position) -> None:
    """What was set aside, and what it brought: the total against the points without pets,
    which for the others can be less than nothing."""
    tables, before = position.tables, points_now(position)
    for seat, pet in enumerate(position.pets):
        is_card = 0 <= pet < len(tables.names)
        facts.pets.append(tables.names[pet] if is_card else None)
        facts.pet_counts.append(is_card and bool(tables.pets >> pet & 1))
        facts.pet_points.append(facts.result.totals[seat] - before[seat])


def _places(position: Position, result: Score) -> list[int]:
    """By R9.4: the total, then the fewest animals in hand; equal ones share a place."""
    animals = position.tables.animals
    rank = [
        (-total, sum(animals >> card & 1 for card in hand))
        for total, hand in zip(result.totals, position.hands, strict=True)
    ]
    return [1 + sum(other < own for other in rank) for own in rank]
