"""Turns decided in advance: `plan [if CONDITION:] TURN [or TURN …]` (commands.md 3.14)."""

from collections.abc import Sequence
from typing import Any

from pbem.commands import lexicon
from pbem.commands.alternatives import single_readings, turn_args, unclear
from pbem.commands.faults import Fault, ambiguous, not_understood
from pbem.commands.model import Args
from pbem.commands.normalise import same_length
from pbem.commands.requests.base import Asked, Request
from pbem.commands.speech import command_word, print_turn, setting_word
from pbem.commands.turns import parse_turn
from pbem.commands.words import Word, word_ends

_COLONS = (":", "：")


def _read_plan(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    if asked.only_setting("off"):
        return {"state": "off"}
    args: dict[str, Any] = {}
    words = asked.words
    found = lexicon.SETTINGS.match(words, 0)
    if found and "if" in found[1]:
        colon = next((at for at, word in enumerate(words) if word.text == ":"), None)
        if colon is None:
            return not_understood("plan-form")
        condition = _condition(asked.text, found[0])
        if not condition:
            return not_understood("plan-form")
        args["if"] = condition
        words = words[colon + 1 :]
    turns = _turns(words, asked, args)
    return turns if isinstance(turns, Fault) else {**args, "turns": turns}


def _condition(text: str, length: int) -> str:
    """What stands between "if" and the colon, in the writer's spelling."""
    behind = text[word_ends(same_length(text), length) :]
    end = min((behind.find(colon) for colon in _COLONS if colon in behind), default=len(behind))
    return " ".join(behind[:end].split())


def _turns(
    words: Sequence[Word], asked: Asked, args: dict[str, Any]
) -> list[dict[str, Any]] | Fault:
    language = asked.context.language
    turns: list[dict[str, Any]] = []
    for alternative in _alternatives(words):
        turn = parse_turn(alternative, asked.names)
        if isinstance(turn, Fault):
            return turn
        if doubt := unclear(turn, language):
            word = command_word("plan", language)
            readings = tuple(
                f"{word} {_write_plan({**args, 'turns': [*turns, turn_args(each)]}, language)}"
                for each in single_readings(turn)
            )
            return ambiguous(doubt.code, readings)
        turns.append(turn_args(turn))
    return turns


def _alternatives(words: Sequence[Word]) -> list[list[Word]]:
    """The turns between the words "or"."""
    found: list[list[Word]] = [[]]
    at = 0
    while at < len(words):
        separator = lexicon.SETTINGS.match(words, at)
        if separator and "or" in separator[1]:
            found.append([])
            at += separator[0]
        else:
            found[-1].append(words[at])
            at += 1
    return [alternative[:-1] if _comma_last(alternative) else alternative for alternative in found]


def _comma_last(words: Sequence[Word]) -> bool:
    return bool(words) and words[-1].text == ","


def _write_plan(args: Args, language: str) -> str:
    if "turns" not in args:
        return setting_word("off", language) if args else ""
    turns = f" {setting_word('or', language)} ".join(
        print_turn(turn, language) for turn in args["turns"]
    )
    if "if" not in args:
        return turns
    return f"{setting_word('if', language)} {args['if']}: {turns}"


REQUESTS = (
    Request(
        "plan",
        "[off | [if CONDITION:] TURN [or TURN …]]",
        _read_plan,
        _write_plan,
        harmless=False,
    ),
)
