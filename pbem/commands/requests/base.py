"""What a command is: its words' meaning, its form, how it is read and written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.commands import lexicon
from pbem.commands.faults import Fault, not_understood
from pbem.commands.forms import Form
from pbem.commands.model import Args, Context
from pbem.commands.names import CardNames
from pbem.commands.words import Word


@dataclass(frozen=True)
class Asked:
    """What stands behind the command word."""

    text: str
    """In the writer's own spelling."""
    words: Sequence[Word]
    """The same folded, as words."""
    names: CardNames
    context: Context

    def only_setting(self, *wanted: str) -> str | None:
        """The setting word that is all there is, if it is one of those wanted."""
        found = lexicon.SETTINGS.match(self.words, 0)
        if found and found[0] == len(self.words):
            return next((word for word in wanted if word in found[1]), None)
        return None


@dataclass(frozen=True)
class Request:
    """One command: `syntax` is its form in English, without the command word."""

    command: str
    syntax: str
    read: Callable[[Asked], dict[str, Any] | Fault]
    write: Callable[[Args, str], str]
    """The canonical text behind the command word, in a language."""
    keeps_text: bool = False
    """What follows is the player's own text, question marks included."""
    harmless: bool = True
    """It only asks, so a question mark behind it changes nothing."""
    at_server: bool = False
    """The server's own address takes it (1.9)."""


def usage(command: str, syntax: str) -> Fault:
    """The command is known, what follows it is not."""
    return not_understood("usage", form=Form(command, syntax))


def bare(command: str, *, harmless: bool = True, at_server: bool = False) -> Request:
    """A command without arguments."""

    def read(asked: Asked) -> dict[str, Any] | Fault:
        return usage(command, "") if asked.words else {}

    return Request(
        command, "", read, lambda args, language: "", harmless=harmless, at_server=at_server
    )
