"""Do the rules agree with a record?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.checking import allowed, violations
from engine.legal import legal_raw
from engine.moves import Board, Gather, Move, Pass, Pet, notation, shown
from engine.playing import Event, perform
from engine.position import Position
from engine.raw import RawMove, decode, encode
from engine.recording.form import STATE_KEYS, Record, RecordError, Turn
from engine.recording.state import state
from engine.refusals import Violation
from engine.scoring import score
from engine.setup import SetupError, from_setup


@dataclass(frozen=True)
class Replay:
    """A record the rules agree with: the position after its last turn."""

    record: Record
    position: Position

    @property
    def finished(self) -> bool:
        return self.position.phase == "over"


def start(record: Record) -> Position:
    """The position of the record's set-up.  Raises `RecordError` when R3 cannot produce it."""
    try:
        return from_setup(record.setup, record.players, record.deck)
    except SetupError as error:
        raise RecordError(f"the set-up cannot come from R3: {error}") from None


def replay(record: Record) -> Replay:
    """Play the record through the rules, and compare all it says with them.

    Raises `RecordError` at the first illegal move or difference.
    """
    position = start(record)
    deck = record.deck
    for number, turn in enumerate(record.turns, 1):
        raw = encode(deck, turn.move)
        if raw is None or not allowed(position, turn.seat, raw):
            raise RecordError(refused(position, turn.seat, turn.move), number)
        if turn.legal is not None:
            _compare_legal(position, turn.seat, turn.legal, number)
        perform(position, turn.seat, raw)
        if turn.state is not None:
            _compare_state(position, turn.state, number)
    _compare_result(position, record)
    return Replay(record, position)


def walk(record: Record) -> Iterator[tuple[Turn, list[Event], Position]]:
    """Every turn with its events and the position after it, which is the walker's own and
    changes with the next step.  Raises `RecordError` at an illegal move."""
    position = start(record)
    for number, turn in enumerate(record.turns, 1):
        raw = encode(record.deck, turn.move)
        if raw is None or not allowed(position, turn.seat, raw):
            raise RecordError(refused(position, turn.seat, turn.move), number)
        events: list[Event] = []
        perform(position, turn.seat, raw, events)
        yield turn, events, position


def refused(position: Position, seat: int, move: Move) -> str:
    """One sentence about an illegal move: what cannot be done, and every broken rule."""
    found = violations(position, seat, move)
    reasons = "; ".join(f"{violation.rule} {violation.sentence}" for violation in found)
    return f"{_cannot(position, seat, move, found)}: {reasons}"


def _cannot(position: Position, seat: int, move: Move, found: list[Violation]) -> str:
    match move:
        case Gather(take):
            return f"seat {seat} cannot take {shown(take)[1:-1]}"
        case Pet(card):
            what = "no pet" if card is None else f"{shown(card)[1:-1]} as a pet"
            return f"seat {seat} cannot set aside {what}"
        case Pass():
            return f"seat {seat} cannot pass"
        case Board(plays) if len(plays) in (1, 2):
            first_alone = violations(position, seat, Board(plays[:1])) if len(plays) == 2 else found
            play = plays[0] if first_alone else plays[-1]
            return f"{shown(play.card)[1:-1]} cannot enter {shown(play.cabin)[1:-1]}"
    return f"seat {seat} cannot board"


def _compare_legal(position: Position, seat: int, given: list[Move], number: int) -> None:
    deck = position.deck
    expected = set(legal_raw(position, seat))
    seen: set[RawMove] = set()
    for move in given:
        raw = encode(deck, move)
        if raw is None or raw not in expected:
            raise RecordError(
                f"legal: {shown(notation(move))[1:-1]} is listed: " + refused(position, seat, move),
                number,
            )
        if raw in seen:
            raise RecordError(f"legal: {notation(move)} is listed twice", number)
        seen.add(raw)
    if len(seen) < len(expected):
        missing = min(notation(decode(deck.tables, raw)) for raw in expected - seen)
        count = len(expected) - len(seen)
        raise RecordError(f"legal: {count} legal moves are missing, {missing} is one", number)


def _compare_state(position: Position, given: dict[str, Any], number: int) -> None:
    expected = state(position)
    for key in STATE_KEYS:
        said = given[key]
        if key in ("passed", "to_move") and said != expected[key]:
            said = _in_order(said)
        if not same(expected[key], said):
            raise RecordError(f"state: {_difference(key, expected[key], said)}", number)


def _in_order(seats: object) -> object:
    """A list of seats by number: in these two their order says nothing."""
    if isinstance(seats, list) and all(type(seat) is int for seat in seats):
        return sorted(seats)
    return seats


def _compare_result(position: Position, record: Record) -> None:
    if position.phase != "over":
        if record.result is not None:
            raise RecordError("result: the game is not over, and there is a result")
        return
    if record.ended is not None:
        raise RecordError("ended: the game is over by R8.4 and was not ended early")
    if record.result is None:
        raise RecordError("result: the game is over, and there is no result")
    for key, value in score(position).to_json().items():
        if not same(value, record.result[key]):
            raise RecordError(f"result: R9 {_difference(key, value, record.result[key])}")


def _difference(where: str, expected: object, said: object) -> str:
    """A sentence about the first place in which two values that are not the same differ."""
    if isinstance(expected, dict) and isinstance(said, dict):
        for key, value in expected.items():
            if key in said and not same(value, said[key]):
                return _difference(f"{where} {key}", value, said[key])
    if isinstance(expected, list) and isinstance(said, list) and len(expected) == len(said):
        for number, (value, other) in enumerate(zip(expected, said, strict=True)):
            if not same(value, other):
                return _difference(f"{where} [{number}]", value, other)
    return f"{where} is {shown(expected, 200)}, and the record says {shown(said, 200)}"


def same(expected: object, said: object) -> bool:
    """Are two JSON values equal?  Numbers by value; true is no number; x- keys do not count."""
    if isinstance(expected, dict):
        if not isinstance(said, dict):
            return False
        told = {key: value for key, value in said.items() if not key.startswith("x-")}
        return expected.keys() == told.keys() and all(
            same(value, told[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(said, list) and len(expected) == len(said) and all(map(same, expected, said))
        )
    return expected == said and isinstance(expected, bool) == isinstance(said, bool)
