"""The canonical line of any command, in any language: what is printed is read back the same."""

from pbem.commands.model import Args
from pbem.commands.requests.registry import REQUESTS
from pbem.commands.speech import print_turn, spoken_command
from pbem.commands.starting import START
from pbem.commands.turns import TURNS


def print_command(command: str, args: Args, language: str = "en") -> str:
    """The line a player would write; KeyError when there is no such command."""
    if command in TURNS:
        return print_turn(args, language)
    word = spoken_command(command, language)
    if command == START:
        return word
    if command == "preview":
        return f"{word} {print_turn(args, language)}"
    return f"{word} {REQUESTS[command].write(args, language)}".strip()
