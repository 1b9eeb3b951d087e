"""The language of the players: what they write, and how it is read and printed.

`read` takes the new text of a mail, of a text box or of a command line, all the same.
"""

from pbem.commands.glance import could_be_command, openings
from pbem.commands.model import Context, Line, Reading, ReadyTurn
from pbem.commands.printer import print_command
from pbem.commands.reader import read, would_parse
from pbem.commands.speech import card_name, print_turn, spoken_command

__all__ = [
    "Context",
    "Line",
    "Reading",
    "ReadyTurn",
    "card_name",
    "could_be_command",
    "openings",
    "print_command",
    "print_turn",
    "read",
    "spoken_command",
    "would_parse",
]
