"""Words as they are printed: cards, cabins, kinds and turns in the language of the reader.

What is printed is read back as the same thing in every language; tests hold that.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from pbem.commands.starting import PRINTED, START
from pbem.commands.vocabulary import LANGUAGES, NUMBERED, Tongue, printed


@lru_cache(maxsize=1024)
def card_name(card: str, language: str = "en") -> str:
    """The card as printed: "polar bear", "Eisbär", "grain 2"; the deck's own name if unlisted."""
    tongue, script = _tongue(language)
    if card in tongue.cards:
        return printed(tongue.cards[card], script)
    base, _, number = card.rpartition("-")
    if number.isdecimal() and base in NUMBERED:
        return f"{printed(tongue.cards[base], script)} {number}"
    return card.replace("-", " ")


def command_word(command: str, language: str) -> str:
    """The word of a command."""
    tongue, script = _tongue(language)
    return printed(tongue.commands[command], script)


def spoken_command(command: str, language: str) -> str:
    """The word of any command, `start` too."""
    return PRINTED[language] if command == START else command_word(command, language)


@lru_cache(maxsize=256)
def kind_name(kind: str, language: str) -> str:
    """The word of a scoring kind."""
    tongue, script = _tongue(language)
    return printed(tongue.kinds[kind], script)


def setting_word(word: str, language: str) -> str:
    """A word that stands as an argument: on, off, with, for, or …"""
    tongue, script = _tongue(language)
    return printed(tongue.settings[word], script)


def option_word(option: str, language: str) -> str:
    """The word of a play's option."""
    tongue, script = _tongue(language)
    return printed(tongue.options[option], script)


def none_word(language: str) -> str:
    """The word for no pet."""
    tongue, script = _tongue(language)
    return printed(tongue.none, script)


def print_turn(
    args: Mapping[str, Any], language: str = "en", named: Callable[[str], str] | None = None
) -> str:
    """The canonical line of a turn, `args` being the `move` of a record.  With `named` the
    cards are called so: by a name that says less where the deck needs no more."""
    name = named or partial(card_name, language=language)
    match args["type"]:
        case "gather":
            return f"{command_word('take', language)} {name(args['take'])}"
        case "board":
            plays = " + ".join(_print_play(play, language, name) for play in args["plays"])
            return f"{command_word('play', language)} {plays}"
        case "pet":
            card = args["card"]
            chosen = name(card) if card else none_word(language)
            return f"{command_word('pet', language)} {chosen}"
        case _:
            return command_word("pass", language)


def _print_play(play: Mapping[str, Any], language: str, name: Callable[[str], str]) -> str:
    words = [name(play["card"]), play["cabin"]]
    for option in ("out", "mark", "take"):
        if value := play.get(option):
            words.append(option_word(option, language))
            words.append(kind_name(value, language) if option == "mark" else name(value))
    return " ".join(words)


def _tongue(language: str) -> tuple[Tongue, int]:
    return LANGUAGES.get(language, LANGUAGES["en"])
