"""Reading a game record.

Reading is strict: what is not in the format is refused, but keys that begin with x- are ignored,
and those of the record itself kept.  Whether the rules agree is the business of
`engine.recording.check`.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, NoReturn

from engine.cards import COLUMNS, Card, Deck, DeckError, builtin_deck, builtin_names
from engine.moves import MoveFormatError, check_keys, from_json, shown
from engine.recording.form import (
    ENDED_BY,
    FORMAT,
    RECORD_KEYS,
    RESULT_KEYS,
    RULES,
    STATE_KEYS,
    NotARecord,
    Record,
    RecordError,
    Turn,
)
from engine.setup import PLAYER_COUNTS


def read(text: str) -> list[Record]:
    """The records of a text: one JSON object, or one a line.  Raises `RecordError`."""
    return list(scan(text))


def scan(text: str) -> Iterator[Record]:
    """As `read`, one record after the other."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        raise NotARecord("this file holds no record: it is empty")
    try:
        first = _parse(lines[0])
    except ValueError as error:
        if len(lines) == 1:
            raise NotARecord(f"this is no record: {error}") from None
        try:
            yield from_form(_parse(text))
        except RecordError:
            raise
        except ValueError as whole:
            raise NotARecord(f"this is no record: {whole}") from None
        return
    yield from_form(first)
    for line in lines[1:]:
        try:
            form = _parse(line)
        except ValueError as error:
            raise NotARecord(f"this line is no record: {error}") from None
        yield from_form(form)


def _parse(text: str) -> object:
    """The JSON value of the text; ValueError with a short reason."""
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object_once)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"it is not JSON ({error.msg}, {where})") from None
    except ValueError as error:
        if str(error).startswith("Exceeds the limit"):  # Python's own, for whole numbers
            raise ValueError("it has a number of thousands of digits") from None
        raise


def _object_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object of the pairs.  A key written twice is refused: of its two values every reader
    of JSON takes the one it likes (RFC 8259, 4)."""
    found = dict(pairs)
    if len(found) < len(pairs):
        # `found` holds the keys in the order they came first: where they part, one came again
        firsts = chain(found, [None])
        twice = next(key for (key, _), first in zip(pairs, firsts, strict=False) if key != first)
        raise ValueError(f"the key {shown(twice)} stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"it is not JSON ({name} is no number)")


def from_form(form: object) -> Record:
    """The record of a JSON value.  Raises `RecordError`."""
    if not isinstance(form, dict):
        raise NotARecord("this is no record: a record is a JSON object")
    if form.get("format") != FORMAT:
        raise NotARecord(f"this is no record: its format is not {FORMAT}")
    for key in form:
        if key not in RECORD_KEYS and not key.startswith("x-"):
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
    return [_strings(item, f"an entry of {what}") for item in value]
