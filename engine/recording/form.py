"""What a game record, ark-record/1, consists of."""

from dataclasses import dataclass, field
from typing import Any

from engine.cards import Deck
from engine.moves import Move

FORMAT = "ark-record/1"
RULES = "ark-1"
ENDED_BY = ("consent", "moderator", "silence")
STATE_KEYS = (
    "ark",
    "hands",
    "display",
    "stack",
    "rain",
    "timbers",
    "marks",
    "pets",
    "passed",
    "phase",
    "to_move",
)
RESULT_KEYS = ("totals", "scoring", "timbers", "winners")

RECORD_KEYS = frozenset(
    {
        "format",
        "deck",
        "cards",
        "players",
        "names",
        "setup",
        "turns",
        "result",
        "rules",
        "variants",
        "proof",
        "ended",
    }
)


class RecordError(ValueError):
    """What is wrong with a record; `turn` (from 1) is None when it is no single turn."""

    def __init__(self, message: str, turn: int | None = None) -> None:
        super().__init__(message if turn is None else f"turn {turn}: {message}")
        self.turn = turn


class NotARecord(RecordError):
    """What is to be read is no record at all."""


@dataclass
class Turn:
    """One turn of a record; `legal` and `state` are there when the record was written with them:
    the legal moves before the turn, the position after it (its JSON form)."""

    seat: int
    move: Move
    legal: list[Move] | None = None
    state: dict[str, Any] | None = None


@dataclass
class Record:
    """One game.  `setup`, `result`, `proof` and `ended` have the form they have in JSON."""

    deck: Deck
    players: int
    setup: dict[str, Any]
    turns: list[Turn] = field(default_factory=list)
    names: list[str] | None = None
    result: dict[str, Any] | None = None
    rules: str | None = None
    variants: list[str] | None = None
    proof: dict[str, Any] | None = None
    ended: dict[str, Any] | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    """Keys of the record that begin with x-."""
