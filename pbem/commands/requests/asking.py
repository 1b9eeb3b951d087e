"""Commands that ask: the position, the rules, the help. They change nothing."""

from typing import Any

from pbem.commands import lexicon
from pbem.commands.cabins import match_cabin
from pbem.commands.faults import Fault, ambiguous, not_understood
from pbem.commands.model import Args
from pbem.commands.requests.base import Asked, Request, bare, usage
from pbem.commands.requests.tables import read_addresses
from pbem.commands.speech import card_name, command_word, spoken_command
from pbem.commands.starting import START, is_start

_MOST_TURNS = 4
"""Digits of `history N`."""
_LONGEST_ECHO = 40


def _card_only(command: str, *, at_server: bool = False) -> Request:
    """`legal [CARD]`, `rules [CARD]`."""

    def read(asked: Asked) -> dict[str, Any] | Fault:
        words = lexicon.drop(asked.words, asked.names)
        if not asked.words:
            return {}
        found = asked.names.match(words, 0)
        if not found or found.length != len(words):
            return usage(command, "[CARD]")
        if len(found.cards) > 1:
            language = asked.context.language
            word = command_word(command, language)
            return ambiguous(
                "which-card", tuple(f"{word} {card_name(card, language)}" for card in found.cards)
            )
        return {"card": found.cards[0]}

    def write(args: Args, language: str) -> str:
        return card_name(args["card"], language) if "card" in args else ""

    return Request(command, "[CARD]", read, write, at_server=at_server)


def _read_why(asked: Asked) -> dict[str, Any] | Fault:
    words = lexicon.drop(asked.words, asked.names)
    card = asked.names.match(words, 0)
    cabin = match_cabin(words, card.length) if card else None
    if not card or not cabin or card.length + cabin.length != len(words):
        return usage("why", "CARD CABIN")
    if len(card.cards) > 1 or len(cabin.cabins) > 1:
        language = asked.context.language
        word = command_word("why", language)
        return ambiguous(
            "which-card" if len(card.cards) > 1 else "which-cabin",
            tuple(
                f"{word} {card_name(name, language)} {place}"
                for name in card.cards
                for place in cabin.cabins
            ),
        )
    return {"card": card.cards[0], "cabin": cabin.cabins[0]}


def _write_why(args: Args, language: str) -> str:
    return f"{card_name(args['card'], language)} {args['cabin']}"


def _read_history(asked: Asked) -> dict[str, Any] | Fault:
    match asked.words:
        case []:
            return {}
        case [word] if word.kind == "digits" and len(word.text) <= _MOST_TURNS:
            return {"turns": int(word.text)}
    return usage("history", "[N]")


def _read_resend(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    addresses = read_addresses(asked.text)
    if not addresses or len(addresses) > 1 or "@" not in addresses[0]:
        return usage("resend", "[ADDRESS]")
    return {"address": addresses[0]}


def _read_help(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    found = lexicon.COMMANDS.match(asked.words, 0)
    if found and found[0] == len(asked.words):
        return {"command": found[1][0]}
    if is_start(asked.words):
        return {"command": START}
    return not_understood("no-command", word=" ".join(asked.text.split())[:_LONGEST_ECHO])


def _write_help(args: Args, language: str) -> str:
    return spoken_command(args["command"], language) if "command" in args else ""


REQUESTS = (
    bare("status"),
    bare("hand"),
    bare("scores"),
    _card_only("legal"),
    Request("why", "CARD CABIN", _read_why, _write_why),
    Request("history", "[N]", _read_history, lambda args, language: str(args.get("turns", ""))),
    _card_only("rules", at_server=True),
    Request("help", "[COMMAND]", _read_help, _write_help, at_server=True),
    bare("test", at_server=True),
    Request(
        "resend",
        "[ADDRESS]",
        _read_resend,
        lambda args, language: str(args.get("address", "")),
    ),
)
