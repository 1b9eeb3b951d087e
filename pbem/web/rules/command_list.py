"""The commands this server follows, from the language's own registry."""

from dataclasses import dataclass

from pbem.commands.help import MARK, SYNTAX, command_help
from pbem.commands.starting import START, WORDS
from pbem.commands.vocabulary import LANGUAGES, TONGUES, forms
from pbem.desk.desk import SERVED
from pbem.desk.once import TURN_COMMANDS
from pbem.translation import _, language

_TURNS = (*TURN_COMMANDS, "preview")


@dataclass(frozen=True)
class CommandEntry:
    """One command: its form, what it does, and all words of the language that mean it."""

    command: str
    form: str
    help: str
    words: str

    @property
    def anchor(self) -> str:
        return self.command.replace(" ", "-")


def groups() -> list[tuple[str, list[CommandEntry]]]:
    """The turns, then everything else that is served here."""
    entries = [_entry(command) for command in (*SYNTAX, START) if command in SERVED]
    return [
        (_("Your turn"), [entry for entry in entries if entry.command in _TURNS]),
        (_("Everything else"), [entry for entry in entries if entry.command not in _TURNS]),
    ]


def _entry(command: str) -> CommandEntry:
    first = command_help(command, language())[0]
    form, _sign, told = first.removeprefix(MARK).strip().partition(": ")
    tongue, script = LANGUAGES[language()]
    listed = WORDS[TONGUES.index(tongue)] if command == START else tongue.commands[command]
    words = (each[min(script, len(each) - 1)] for each in forms(listed))
    return CommandEntry(command, form, told, ", ".join(dict.fromkeys(words)))
