"""Writing a game record."""

import json
from typing import Any

from engine.cards import KINDS, cards_form
from engine.moves import to_json
from engine.position import Position
from engine.raw import BOARD, GATHER, PET, RawMove
from engine.recording.form import FORMAT, Record, Turn
from engine.setup import setup_of
from engine.tables import NONE, Tables, cabin_name


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


def move_text(tables: Tables, raw: RawMove) -> str:
    """The `move` of ark-record as JSON text, written straight from the numbers: the same text as
    `dumps` of the move's JSON form, at a fifth of the time."""
    action = raw[0]
    if action == BOARD:
        plays = ",".join([_play_text(tables, *play) for play in raw[1:]])
        return f'{{"type":"board","plays":[{plays}]}}'
    if action == GATHER:
        return f'{{"type":"gather","take":{tables.quoted[raw[1]]}}}'
    if action == PET:
        card = "null" if raw[1] == NONE else tables.quoted[raw[1]]
        return f'{{"type":"pet","card":{card}}}'
    return '{"type":"pass"}'


def _play_text(tables: Tables, card: int, cabin: int, out: int, mark: int, take: int) -> str:
    quoted = tables.quoted
    text = f'{{"card":{quoted[card]},"cabin":"{cabin_name(cabin)}"'
    if out != NONE:
        text += f',"out":{quoted[out]}'
    if mark != NONE:
        text += f',"mark":"{KINDS[mark]}"'
    if take != NONE:
        text += f',"take":{quoted[take]}'
    return text + "}"
