"""What a player may be called, so that `say` can name him (commands.md 3.13)."""

from collections.abc import Iterable

from pbem.commands import lexicon
from pbem.commands.normalise import fold
from pbem.commands.words import split_words
from pbem.translation import later

LONGEST = 24
FAULTS = {
    "length": later("A name has 1 to 24 letters, all of them visible. Choose another one."),
    "sign": later("A name has no colon, comma or semicolon in it. Choose another one."),
    "reserved": later("This name means something else here. Choose another one."),
    "taken": later("Somebody else goes by this name already. Choose another one."),
}
"""What `name_fault` finds, as a sentence."""


def name_fault(name: str, taken: Iterable[str] = ()) -> str | None:
    """What is wrong with a player's name, as a code; None when nothing is.

    `length`: not 1 to 24 printable characters; `sign`: a colon, comma or semicolon in it;
    `reserved`: it means somebody else, or is a command word; `taken`: another player has it.
    """
    folded = fold(name)
    words = split_words(folded)
    if not 1 <= len(name.strip()) <= LONGEST or not name.isprintable():
        return "length"
    if any(sign in folded for sign in ":,;"):
        return "sign"
    command = lexicon.COMMANDS.match(words, 0)
    if command and command[0] == len(words):
        return "reserved"
    other = lexicon.SETTINGS.match(words, 0)
    if other and other[0] == len(words) and {"all", "moderator"} & set(other[1]):
        return "reserved"
    return "taken" if folded in map(fold, taken) else None
