"""One statement: a line, or a piece of one between semicolons, read on its own.

`read_statement` says what the words mean; whether it may be done is the reader's business.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.commands import lexicon
from pbem.commands.alternatives import turn_args, unclear
from pbem.commands.cabins import names_cabin, split_off_cabins
from pbem.commands.faults import NOT_UNDERSTOOD, Fault, not_understood
from pbem.commands.model import Context
from pbem.commands.names import CardNames
from pbem.commands.normalise import fold, same_length
from pbem.commands.printer import print_command
from pbem.commands.requests.base import Asked, Request
from pbem.commands.requests.registry import REQUESTS
from pbem.commands.speech import command_word
from pbem.commands.spelling import Speller
from pbem.commands.starting import START, is_start
from pbem.commands.stops import stop_word
from pbem.commands.suggest import suggest
from pbem.commands.turns import TURNS, PlayText, TurnText, parse_options, parse_turn
from pbem.commands.words import Word, spell, split_words, word_ends

LONGEST = 4_000
"""Characters of a statement that are looked at; what a player sends as text is kept whole."""

_COLONS = (":", "：")
_COMMAND_SPELLING = Speller(key[0] for key in lexicon.COMMANDS.texts if len(key) == 1)


@dataclass(frozen=True)
class Statement:
    """What a statement means: a turn, another command, a fault, or (all None) no command.

    `options` are those of a play that stand on a line without it: not understood, but what was
    meant is clear once the line of the play is known."""

    command: str | None = None
    turn: TurnText | None = None
    args: dict[str, Any] | None = None
    preview: bool = False
    fault: Fault | None = None
    options: PlayText | None = None

    @property
    def meant(self) -> bool:
        """Is it a command, understood or not (1.3)?"""
        return self.command is not None or self.fault is not None


PROSE = Statement()


def read_statement(
    text: str, names: CardNames, context: Context, own: str | None = None
) -> Statement:
    """What the cleaned text means.  Never raises; linear in the length of the text.

    `own` is the text as its writer would have it handed on, for `say` and `note`.
    """
    folded = fold(text[:LONGEST])
    words = split_words(folded)
    opening = lexicon.skip_opening(words)
    if context.forming and is_start(lexicon.drop(words[opening:], names)):
        return Statement(START, args={})
    head = lexicon.COMMANDS.match(words, opening)
    if not head:
        return _without_command_word(words, opening, folded, names, context)
    length, commands = head
    first: Statement | None = None
    for command in commands:
        if command in TURNS:
            found = _read_turn(command, words, names, context)
        elif command == "preview":
            found = _read_preview(words[opening + length :], names, context)
        elif request := REQUESTS.get(command):
            asked = _asked(text, words, opening + length, names, context)
            if request.keeps_text and own is not None:
                asked = replace(asked, text=_own_text(own, command) or asked.text)
            found = _read_request(request, asked)
        else:
            continue
        if not found.fault:
            return found
        first = first or found
    return _explained(
        first or Statement(commands[0], fault=not_understood()), words, folded, names, context
    )


def _without_command_word(
    words: list[Word], opening: int, folded: str, names: CardNames, context: Context
) -> Statement:
    if opening < len(words) and words[opening].text in lexicon.OBJECT_FIRST:
        found = _read_turn("play", words, names, context)
        if not found.fault:
            return found
    options = parse_options(words, names)
    if isinstance(options, Fault):
        return Statement("play", fault=options)
    if options:
        return Statement(fault=not_understood(), options=options)
    named = names.match(words, opening, whole=True)
    misspelt = None if named else _misspelt(words, opening, names, context)
    if not named and not misspelt and not names_cabin(words):
        words = split_off_cabins(words)
        if not names.match(words, opening, whole=True):
            return PROSE
        return _explained(Statement(fault=not_understood()), words, folded, names, context)
    found = _read_turn("play", words, names, context)
    if not found.fault:
        return found
    if misspelt and found.fault.error == NOT_UNDERSTOOD:
        found = replace(found, fault=not_understood("no-command", word=misspelt))
    return _explained(found, words, folded, names, context)


def _misspelt(
    words: Sequence[Word], opening: int, names: CardNames, context: Context
) -> str | None:
    """The first word, if it is a command word with one typing error in a line that is no
    prose: it stands alone, or with a card or a cabin (1.3)."""
    if opening >= len(words):
        return None
    end = opening + 1
    while end < len(words) and words[end].glued and words[end].kind != "sign":
        end += 1
    written = "".join(word.text for word in words[opening:end])
    if lexicon.EVERYDAY.match(words, opening) or written in map(fold, context.names):
        return None
    if not _COMMAND_SPELLING.near(written):
        return None
    rest = range(end, len(words))
    alone = all(words[at].kind == "sign" for at in rest)
    beside = alone or names_cabin(words) or any(names.match(words, at, whole=True) for at in rest)
    return written if beside else None


def _explained(
    found: Statement, words: list[Word], folded: str, names: CardNames, context: Context
) -> Statement:
    """The fault with what stands in the way, or with "did you mean …"."""
    fault = found.fault
    if fault is None or fault.error != NOT_UNDERSTOOD:
        return found
    if not context.explains:
        return found
    if found.command in REQUESTS and fault.code not in ("usage", "no-command"):
        return found  # the command's own reader says it better
    if word := stop_word(folded):
        return Statement(found.command, fault=not_understood("negation", word=word))
    proposal = _proposal(found.command, words, names, context)
    if proposal is None:
        return found
    return Statement(
        found.command, fault=Fault(fault.error, fault.code, fault.args, suggest=proposal)
    )


def _proposal(
    command: str | None, words: list[Word], names: CardNames, context: Context
) -> str | None:
    """ "Did you mean …", or None."""
    opening = lexicon.skip_opening(words)
    if command == "preview":
        head = lexicon.COMMANDS.match(words, opening)
        turn = suggest(words[opening + (head[0] if head else 0) :], names, context)
        return f"{command_word('preview', context.language)} {turn}" if turn else None
    if proposal := suggest(words, names, context):
        return proposal
    rest = spell(words[opening + 1 :])
    for near in _COMMAND_SPELLING.near(words[opening].text if opening < len(words) else ""):
        meant = read_statement(f"{near} {rest}", names, context)
        args = turn_args(meant.turn) if meant.turn else meant.args
        if meant.command and args is not None and not meant.fault:
            return print_command(meant.command, args, context.language)
    return None


def _read_turn(
    command: str, words: Sequence[Word], names: CardNames, context: Context
) -> Statement:
    asked, question = _without_question(words)
    turn = parse_turn(asked, names)
    if isinstance(turn, Fault):
        return Statement(command, fault=turn)
    view = context.view
    near = () if view is None else view.display if turn.command == "take" else view.hand or ()
    return Statement(
        turn.command,
        turn=turn,
        preview=question,
        fault=unclear(turn, context.language, first=near),
    )


def _read_preview(words: Sequence[Word], names: CardNames, context: Context) -> Statement:
    if words and words[0].text == ":":
        words = words[1:]
    found = _read_turn("preview", words, names, context)
    return Statement("preview", turn=found.turn, preview=True, fault=found.fault)


def _without_question(words: Sequence[Word]) -> tuple[Sequence[Word], bool]:
    end = len(words)
    while end:
        for length in (1, 2):
            found = lexicon.QUESTIONS.match(words, end - length) if length <= end else None
            if found and found[0] == length:
                end -= length
                break
        else:
            if words[end - 1].text not in ("!", ".") or end == len(words):
                break
            end -= 1
    return words[:end], end < len(words)


def _read_request(request: Request, asked: Asked) -> Statement:
    if not request.keeps_text:
        words, question = _without_question(asked.words)
        if question and not request.harmless:
            return Statement(request.command, fault=not_understood("question"))
        asked = Asked(asked.text, words, asked.names, asked.context)
    read = request.read(asked)
    if isinstance(read, Fault):
        return Statement(request.command, fault=read)
    return Statement(request.command, args=read)


def _own_text(own: str, command: str) -> str | None:
    """What stands behind the command word, as written; None if the word is hidden in it."""
    words = split_words(fold(own[:LONGEST]))
    opening = lexicon.skip_opening(words)
    head = lexicon.COMMANDS.match(words, opening)
    if not head or command not in head[1]:
        return None
    rest = own[word_ends(same_length(own), opening + head[0]) :].strip()
    return rest[1:].strip() if rest.startswith(_COLONS) and command != "say" else rest


def _asked(text: str, words: list[Word], head: int, names: CardNames, context: Context) -> Asked:
    """What stands behind the first `head` words; a colon right behind them drops."""
    ends = word_ends(same_length(text), head)
    rest = text[ends:].strip()
    behind = words[head:]
    if behind and behind[0].text == ":":
        behind = behind[1:]
        rest = rest[1:].strip()
    behind = lexicon.strip_closing_courtesy(behind)
    return Asked(rest, behind, names, context)
