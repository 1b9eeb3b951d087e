"""ark-record/1: games written down, read, and played through the rules again."""

from engine.recording.check import Replay, refused, replay, start, walk
from engine.recording.form import FORMAT, RULES, NotARecord, Record, RecordError, Turn
from engine.recording.read import from_form, read, scan
from engine.recording.state import from_state, state
from engine.recording.write import begin, write
from engine.setup import SetupError, from_setup, setup_of

__all__ = [
    "FORMAT",
    "RULES",
    "NotARecord",
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
