"""The game record, ark-record/1: its form, read and written.

`engine.record.check` asks whether the rules agree with a record.  Reading is strict: what is not
in the format is refused, but keys that begin with x- are ignored, those of the record itself kept.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn

from engine.cards import COLUMNS, Card, Deck, DeckError, builtin_deck, builtin_names, cards_form
from engine.moves import Move, MoveFormatError, check_keys, from_json, shown, to_json
from engine.position import Position
from engine.setup import PLAYER_COUNTS, setup_of

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

_RECORD_KEYS = frozenset(
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


def begin(position: Position) -> Record:
    """The record of a game that begins with this position (no turn done yet)."""
    return Record(deck=position.deck, players=position.players, setup=setup_of(position))


def write(record: Record) -> str:
    """The record as JSON on one line, without a line end; ASCII only."""
    turns = ",".join([dumps(_turn_form(turn)) for turn in record.turns])
    return write_with(record, turns)


def write_with(record: Record, turns: str) -> str:
    """As `write`, the turns being given as JSON already, joined with commas."""
    head: dict[str, Any] = {"format": FORMAT, "deck": record.deck.name}
    if not record.deck.builtin:
        head["cards"] = cards_form(record.deck)
    head["players"] = record.players
    for key in ("names", "rules", "variants"):
        if getattr(record, key) is not None:
            head[key] = getattr(record, key)
    head["setup"] = record.setup
    tail = {
        key: getattr(record, key)
        for key in ("result", "proof", "ended")
        if getattr(record, key) is not None
    } | record.extra
    end = "," + dumps(tail)[1:] if tail else "}"
    return f'{dumps(head)[:-1]},"turns":[{turns}]{end}'


def _turn_form(turn: Turn) -> dict[str, Any]:
    form: dict[str, Any] = {"seat": turn.seat, "move": to_json(turn.move)}
    if turn.legal is not None:
        form["legal"] = [to_json(move) for move in turn.legal]
    if turn.state is not None:
        form["state"] = turn.state
    return form


dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
"""JSON as records are written in."""


def read(text: str) -> list[Record]:
    """The records of a text: one JSON object, or one a line.  Raises `RecordError`."""
    return list(scan(text))


def scan(text: str) -> Iterator[Record]:
    """As `read`, one record after the other."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        raise RecordError("this file holds no record: it is empty")
    try:
        first = _parse(lines[0])
    except ValueError as error:
        if len(lines) == 1:
            raise RecordError(f"this is no record: {error}") from None
        try:
            yield from_form(_parse(text))
        except RecordError:
            raise
        except ValueError as whole:
            raise RecordError(f"this is no record: {whole}") from None
        return
    yield from_form(first)
    for line in lines[1:]:
        try:
            form = _parse(line)
        except ValueError as error:
            raise RecordError(f"this line is no record: {error}") from None
        yield from_form(form)


def _parse(text: str) -> object:
    """The JSON value of the text; ValueError with a short reason."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"it is not JSON ({error.msg}, {where})") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"it is not JSON ({name} is no number)")


def from_form(form: object) -> Record:
    """The record of a JSON value.  Raises `RecordError`."""
    if not isinstance(form, dict):
        raise RecordError("this is no record: a record is a JSON object")
    if form.get("format") != FORMAT:
        raise RecordError(f"this is no record: its format is not {FORMAT}")
    for key in form:
        if key not in _RECORD_KEYS and not key.startswith("x-"):
            raise RecordError(f"a record has no key {shown(key)}")
    players = form.get("players")
    if type(players) is not int or players not in PLAYER_COUNTS:
        raise RecordError(f"R3.1 players is {shown(players)}: 3 to 5 play")
    record = Record(
        deck=_read_deck(form),
        players=players,
        setup=_read_setup(form.get("setup")),
        turns=_read_turns(form.get("turns")),
        extra={key: value for key, value in form.items() if key.startswith("x-")},
    )
    _read_options(form, record)
    return record


def _read_options(form: dict[str, Any], record: Record) -> None:
    if "names" in form:
        record.names = _strings(form["names"], "names")
        if len(record.names) != record.players:
            raise RecordError(f"names has {len(record.names)} names for {record.players} seats")
    if "rules" in form:
        record.rules = form["rules"]
        if record.rules != RULES:
            raise RecordError(f"the rules {shown(record.rules)} are not known, only {RULES}")
    if "variants" in form:
        record.variants = _strings(form["variants"], "variants")
        if record.variants:
            raise RecordError(f"the variant {shown(record.variants[0])} is not known")
    if "proof" in form:
        record.proof = _object(form["proof"], "proof")
    if "result" in form:
        record.result = _object(form["result"], "result")
        _check(record.result, RESULT_KEYS, "result")
    if "ended" in form:
        record.ended = _object(form["ended"], "ended")
        _check(record.ended, ("by", "why"), "ended", required=("by",))
        if record.ended["by"] not in ENDED_BY:
            raise RecordError("ended by is one of " + ", ".join(ENDED_BY))
        if not isinstance(record.ended.get("why", ""), str):
            raise RecordError("ended why is a text")
        if record.result is not None:
            raise RecordError("a game ended early has no result")


def _read_deck(form: dict[str, Any]) -> Deck:
    name = form.get("deck")
    if not isinstance(name, str):
        raise RecordError("deck is not a name")
    builtin = builtin_deck(name) if name in builtin_names() else None
    if "cards" not in form:
        if builtin is None:
            raise RecordError(f"the deck {shown(name)} is not built in, and there are no cards")
        return builtin
    rows = form["cards"]
    if not isinstance(rows, list):
        raise RecordError("cards is not a list")
    cards = tuple([_read_card(row) for row in rows])
    if builtin is not None:
        if set(cards) != set(builtin.cards):
            raise RecordError(f"the deck {name} is built in and has other cards")
        return builtin
    try:
        return _deck(name, cards)
    except DeckError as error:
        raise RecordError("R1.5 the deck is refused: " + "; ".join(error.faults)) from None


@lru_cache(maxsize=8)
def _deck(name: str, cards: tuple[Card, ...]) -> Deck:
    return Deck(name, cards)


def _read_card(row: object) -> Card:
    row = _object(row, "a card")
    _check(row, COLUMNS, "a card", required=COLUMNS[:-1])
    if type(row["weight"]) is not int:
        raise RecordError("the weight of a card is not a whole number")
    texts = [row[column] for column in COLUMNS if column not in ("weight", "special")]
    texts.append(row.get("special") or "")
    if not all(isinstance(text, str) for text in texts):
        raise RecordError("all of a card but its weight is text")
    name, climate, diet, kind, special = texts
    return Card(name, row["weight"], climate, diet, kind, special)


def _read_setup(form: object) -> dict[str, Any]:
    setup = _object(form, "setup")
    _check(setup, ("ark", "hands", "display", "stack"), "setup")
    ark = _object(setup["ark"], "the ark of setup")
    _check(ark, ("L", "R"), "the ark of setup")
    return {
        "ark": {side: _lists(ark[side], f"side {side} of the ark") for side in ("L", "R")},
        "hands": _lists(setup["hands"], "hands"),
        "display": _strings(setup["display"], "display"),
        "stack": _strings(setup["stack"], "stack"),
    }


_TURN_KEYS = frozenset({"seat", "move", "legal", "state"})


def _read_turns(forms: object) -> list[Turn]:
    if not isinstance(forms, list):
        raise RecordError("turns is not a list")
    turns = []
    for number, form in enumerate(forms, 1):
        try:
            turns.append(_read_turn(form))
        except (MoveFormatError, RecordError) as error:
            raise RecordError(str(error), number) from None
    return turns


def _read_turn(form: object) -> Turn:
    if not isinstance(form, dict):
        raise RecordError("a turn is an object")
    check_keys(form, _TURN_KEYS, "a turn")
    seat = form.get("seat")
    if type(seat) is not int or not 0 <= seat < max(PLAYER_COUNTS):
        raise RecordError(f"the seat of a turn is {shown(seat)}: seats are numbers from 0")
    turn = Turn(seat, from_json(form.get("move")))
    if "legal" in form:
        if not isinstance(form["legal"], list):
            raise RecordError("legal is not a list")
        turn.legal = [from_json(move) for move in form["legal"]]
    if "state" in form:
        turn.state = _object(form["state"], "state")
        _check(turn.state, STATE_KEYS, "state")
    return turn


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(f"{what} is not an object")
    return value


def _check(
    form: Mapping[str, Any],
    known: tuple[str, ...],
    what: str,
    required: tuple[str, ...] | None = None,
) -> None:
    """Demand the required keys (all known ones, unless said) and no unknown ones."""
    for key in known if required is None else required:
        if key not in form:
            raise RecordError(f"{what} has no {key}")
    for key in form:
        if key not in known and not key.startswith("x-"):
            raise RecordError(f"{what} has the unknown key {shown(key)}")


def _strings(value: object, what: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"{what} is not a list of names")
    return value


def _lists(value: object, what: str) -> list[list[str]]:
    if not isinstance(value, list):
        raise RecordError(f"{what} is not a list")
    return [_strings(item, f"each of {what}") for item in value]
