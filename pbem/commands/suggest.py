"""Did you mean …: a line that would be understood, made from what is recognisable (3.1).

One pass over the words collects the command word, cards and cabins, misspelt ones too. What comes
out is only ever shown, and only if it parses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from engine.checking import fits
from engine.view import View, imagine
from pbem.commands import lexicon
from pbem.commands.cabins import match_cabin
from pbem.commands.faults import Fault
from pbem.commands.model import Context
from pbem.commands.names import CardNames
from pbem.commands.normalise import fold
from pbem.commands.requests.registry import REQUESTS
from pbem.commands.speech import command_word, print_turn
from pbem.commands.spelling import Speller
from pbem.commands.turns import parse_turn
from pbem.commands.words import Word, split_words

_MOST_WORDS = 40
_MOST_WRITTEN = 100  # courtesy and fillers counted
_COMMAND_WORDS = {key[0]: key for key in lexicon.COMMANDS.texts if len(key) == 1}
_COMMANDS = Speller(_COMMAND_WORDS)
#: What is typed for the L of a cabin: `I2`, `12`, `|2`.
_LIKE_L = ("i", "1", "|", "!")


@dataclass
class _Pieces:
    """What was recognised, from left to right."""

    command: str | None = None
    cards: list[str] = field(default_factory=list)
    cabins: list[str] = field(default_factory=list)
    options: list[tuple[int, str, str]] = field(default_factory=list)
    """Behind which card, which option, which value."""
    none: bool = False


def suggest(words: Sequence[Word], names: CardNames, context: Context) -> str | None:
    """A line the words may have been meant as, in the player's language, or None."""
    spoken = lexicon.strip_courtesy(words)
    kept = lexicon.drop(spoken, names) if len(spoken) <= _MOST_WRITTEN else []
    if not kept or len(kept) > _MOST_WORDS:
        return None
    pieces = _collect(kept, names)
    language = context.language
    line = _turn_line(pieces, context) or _command_line(pieces, kept, language)
    if line is None:
        return None
    if pieces.command in (None, "take", "play", "pet"):
        parsed = parse_turn(split_words(fold(line)), names)
        return None if isinstance(parsed, Fault) else line
    return line


def _collect(words: Sequence[Word], names: CardNames) -> _Pieces:
    pieces = _Pieces()
    option: str | None = None
    at = 0
    while at < len(words):
        if joiner := lexicon.JOINERS.match(words, at):
            at += joiner[0]  # "then bee R3" is no "hen"
            continue
        if pieces.command is None and (command := _command(words, at, names)):
            pieces.command = command[1]
            at += command[0]
            continue
        found = lexicon.OPTIONS.match(words, at)
        if found and pieces.cabins:
            option = found[1][0]
            at += found[0]
            continue
        kind = lexicon.KINDS.match(words, at)
        if kind and option == "mark":
            pieces.options.append((len(pieces.cards), "mark", kind[1][0]))
            at += kind[0]
            continue
        cabin = match_cabin(words, at, new=False)
        if cabin and cabin.cabins[0].endswith("+") and _numbered(words, at + 1):
            at += 1  # "new R8": the number says enough
            continue
        if cabin:
            pieces.cabins.append(cabin.cabins[0])
            at += cabin.length
            continue
        card = _card(words, at, names, begun=pieces.command is not None)
        if card:
            if option in ("out", "take"):
                pieces.options.append((len(pieces.cards), option, card[1]))
                option = None
            else:
                pieces.cards.append(card[1])
            at += card[0]
            continue
        if like := _like_cabin(words, at):
            pieces.cabins.append(like[1])
            at += like[0]
            continue
        none = lexicon.NONE.match(words, at)
        pieces.none = pieces.none or bool(none)
        at += none[0] if none else 1
    return pieces


def _command(words: Sequence[Word], at: int, names: CardNames) -> tuple[int, str] | None:
    found = lexicon.COMMANDS.match(words, at)
    if found:
        return found[0], found[1][0]
    if names.match(words, at, whole=True):
        return None
    for near in _COMMANDS.near(words[at].text):
        exact = lexicon.COMMANDS.match(split_words(near), 0)
        if exact:
            return 1, exact[1][0]
    return None


def _numbered(words: Sequence[Word], at: int) -> bool:
    cabin = match_cabin(words, at, new=False)
    return cabin is not None and not cabin.cabins[0].endswith("+")


def _card(
    words: Sequence[Word], at: int, names: CardNames, *, begun: bool
) -> tuple[int, str] | None:
    """A whole name, its beginning once the line has `begun` with a command, or a misspelt one."""
    found = names.match(words, at, whole=not begun)
    if found and len(found.cards) == 1:
        return found.length, found.cards[0]
    near = _card_spelling(names).get(words[at].text)
    return (1, near) if near else None


def _like_cabin(words: Sequence[Word], at: int) -> tuple[int, str] | None:
    """`I2` and `12` for L2."""
    text = words[at].text
    following = words[at + 1] if at + 1 < len(words) else None
    if text in _LIKE_L and following and following.glued and following.kind == "digits":
        return 2, f"L{int(following.text[:2])}"
    if words[at].kind == "digits" and len(text) == 2 and text[0] == "1" and text[1] != "0":
        return 1, f"L{text[1]}"
    return None


class _CardSpelling:
    """Misspelt one-word names of a deck's cards."""

    def __init__(self, names: CardNames) -> None:
        self._words = names.single_words()
        self._speller = Speller(self._words)

    def get(self, word: str) -> str | None:
        for near in self._speller.near(word):
            return self._words[near]
        return None


@lru_cache(maxsize=64)
def _card_spelling(names: CardNames) -> _CardSpelling:
    return _CardSpelling(names)


def _turn_line(pieces: _Pieces, context: Context) -> str | None:
    language = context.language
    command = pieces.command
    if command == "pet" and (pieces.cards or pieces.none):
        card = pieces.cards[0] if pieces.cards else None
        return print_turn({"type": "pet", "card": card}, language)
    if pieces.cards and pieces.cabins and command in (None, "play", "take", "preview"):
        return _play_line(pieces, language)
    if pieces.cards and command in (None, "take") and not pieces.cabins:
        chosen = pieces.cards[0]
        view = context.view
        if command is None and view and chosen in (view.hand or ()):
            return _play_from_hand(chosen, view, language)
        return print_turn({"type": "gather", "take": chosen}, language)
    return None


def _play_from_hand(card: str, view: View, language: str) -> str:
    """A card of the own hand, named alone: as a pet, or into the first cabin it fits."""
    if view.phase == "pets":
        return print_turn({"type": "pet", "card": card}, language)
    position = imagine(view)
    cabins = [f"{side}{n}" for side in "LR" for n in range(1, len(view.ark[side]) + 2)]
    fitting = (cabin for cabin in cabins if not fits(position, view.seat or 0, card, cabin))
    play = {"card": card, "cabin": next(fitting, "L+")}
    return print_turn({"type": "board", "plays": [play]}, language)


def _play_line(pieces: _Pieces, language: str) -> str:
    plays = [
        {"card": card, "cabin": cabin}
        | {option: value for behind, option, value in pieces.options if behind == place}
        for place, (card, cabin) in enumerate(zip(pieces.cards, pieces.cabins, strict=False), 1)
    ]
    return print_turn({"type": "board", "plays": plays[:2]}, language)


def _command_line(pieces: _Pieces, words: Sequence[Word], language: str) -> str | None:
    """A misspelt command word that stands alone, where the command may."""
    if not pieces.command or len(words) != 1 or lexicon.COMMANDS.match(words, 0):
        return None
    request = REQUESTS.get(pieces.command)
    may_stand_alone = request.syntax[:1] in ("", "[") if request else pieces.command == "pass"
    return command_word(pieces.command, language) if may_stand_alone else None
