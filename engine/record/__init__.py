"""ark-record/1: games written down, read, and played through the rules again."""

from engine.record.check import Replay, refused, replay, start, walk
from engine.record.form import (
    FORMAT,
    Record,
    RecordError,
    Turn,
    begin,
    from_form,
    read,
    scan,
    write,
)
from engine.record.state import from_state, state
from engine.setup import SetupError, from_setup, setup_of

__all__ = [
    "FORMAT",
    "Record",
    "RecordError",
    "Replay",
    "SetupError",
    "Turn",
    "begin",
    "from_form",
    "from_setup",
    "from_state",
    "read",
    "refused",
    "replay",
    "scan",
    "setup_of",
    "start",
    "state",
    "walk",
    "write",
]
