"""The commands this server follows, from the language's own registry."""

from dataclasses import dataclass

from pbem.commands.help import MARK, SYNTAX, command_help
from pbem.desk.desk import SERVED
from pbem.desk.once import TURN_COMMANDS

_TURNS = (*TURN_COMMANDS, "preview")


@dataclass(frozen=True)
class Entry:
    """One command: its form, what it does, and all words that mean it."""

    command: str
    form: str
    help: str
    words: str

    @property
    def anchor(self) -> str:
        return self.command.replace(" ", "-")


def groups() -> list[tuple[str, list[Entry]]]:
    """The turns, then everything else that is served here."""
    entries = [_entry(command) for command in SYNTAX if command in SERVED]
    return [
        ("Your turn", [entry for entry in entries if entry.command in _TURNS]),
        ("Everything else", [entry for entry in entries if entry.command not in _TURNS]),
    ]


def _entry(command: str) -> Entry:
    first, *_, words = command_help(command)
    form, _, told = first.removeprefix(MARK).strip().partition(": ")
    return Entry(command, form, told, words.removeprefix("=").strip())
