"""Records with faults, for the tests of reading and replaying."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from engine import record
from tests.engine import naive
from tests.engine.test_records import FULL, GAMES

Json = dict[str, Any]
GAME = GAMES[0]
(FULL_GAME,) = naive.read_records(FULL[0])


def fault(form: Any) -> str:
    """What `replay` has against a record in JSON, which must be something."""
    message = objection(json.dumps(form))
    assert message is not None
    return message


def objection(text: str) -> str | None:
    """What reading and replaying has against a text; None if nothing."""
    try:
        for one in record.scan(text):
            record.replay(one)
    except record.RecordError as error:
        return str(error)
    return None


def changed(change: Callable[[Json], object], form: Json = GAME) -> Json:
    new = copy.deepcopy(form)
    change(new)
    return new


def first_board(form: Json) -> tuple[int, Json]:
    """The number of the first turn with a board, and the turn."""
    for number, turn in enumerate(form["turns"], 1):
        if turn["move"]["type"] == "board":
            return number, turn
    raise AssertionError("no board in this game")
