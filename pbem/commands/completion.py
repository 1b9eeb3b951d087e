"""How a line may go on while it is being typed.

A line that can be written is a row of pieces, each of which knows which words mean it.  What is
typed is compared with the legal turns of the seat's view and with the other commands, piece by
piece; so it is completed in any wording that the grammar reads, and comes out as it is printed.
Nothing is stored or done, and nothing but the view is looked at.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.cards import builtin_deck
from engine.moves import Board, Gather, Move, Pet, Play
from engine.raw import MoveList, encode
from engine.view import View
from pbem.commands import lexicon
from pbem.commands.cabins import match_cabin
from pbem.commands.help import SYNTAX
from pbem.commands.model import Context
from pbem.commands.names import CardNames, card_names
from pbem.commands.normalise import clean, fold
from pbem.commands.reader import read
from pbem.commands.speech import (
    card_name,
    command_word,
    kind_name,
    none_word,
    option_word,
    setting_word,
)
from pbem.commands.turns import TURNS
from pbem.commands.words import Phrases, Word, spell, split_words

MOST, MOST_WHOLE = 12, 8
"""More ways to go on, or more whole lines, are no help."""
LONGEST = 200
"""A longer line is a message, which nobody can guess."""
_PHRASES: dict[str, Phrases[str]] = {
    "command": lexicon.COMMANDS,
    "option": lexicon.OPTIONS,
    "kind": lexicon.KINDS,
    "none": lexicon.NONE,
}
_LEADS = ("preview", "plan")
"""Commands before which a whole turn may stand."""


@dataclass(frozen=True)
class Completion:
    """A line that begins as the typed one does; one that needs more words ends with a space."""

    line: str

    @property
    def whole(self) -> bool:
        """Can it be sent as it is?"""
        return not self.line.endswith(" ")


@dataclass(frozen=True)
class Piece:
    """What one word of a line says, and how it is printed."""

    sort: str  # command, card, cabin, option, kind, none, word, more
    value: str
    printed: str


Line = tuple[Piece, ...]
_MORE = Piece("more", "", "")
"""At the end of a line that goes on with words of the writer's own."""


def complete(
    text: str, context: Context, served: Collection[str] = tuple(SYNTAX)
) -> list[Completion]:
    """How the last line of a text may go on, at most `MOST` ways; [] for an empty line and for
    one that no command and no legal turn begins like."""
    above, _, typed = text.rpartition("\n")
    if not typed.strip() or len(typed) > LONGEST:
        return []
    head, plus, second = typed.rpartition("+")
    language = context.language
    names = card_names(context.deck or builtin_deck(), language)
    if plus:
        first = _first_play(f"{above}\n{head}", context)
        lines = [line[1:] for line in _turns(context.view, first, language)] if first else []
        found = _ways(_words(second, names), lines, names, optional=False)
        return [replace(one, line=f"{head.rstrip()} + {one.line}") for one in found]
    lines = _lines(above, context, served)
    found = _ways(_words(typed, names), lines, names, optional=True)
    return [one for one in found if fold(one.line) != fold(typed).strip()]


def _words(typed: str, names: CardNames) -> list[Word]:
    return lexicon.drop(lexicon.strip_courtesy(split_words(fold(clean(typed)))), names)


# --- the lines that can be written


def _lines(above: str, context: Context, served: Collection[str]) -> list[Line]:
    language, view = context.language, context.view
    turns = list(_turns(view, None, language))
    leads = [_command(lead, language) for lead in _LEADS if lead in served]
    led = [(lead, *turn) for lead in leads for turn in turns]
    commands = [
        line
        for command in SYNTAX
        if command in served and command not in TURNS
        for line in _requests(command, context, served)
    ]
    if above.strip() and (reading := read(above, context)).turns:
        first = _only_play(reading.turn)
        turns = [] if first is None else list(_turns(view, first, language))
    return [*turns, *commands, *led]


def _first_play(text: str, context: Context) -> Play | None:
    return _only_play(read(text, context).turn)


def _only_play(move: Move | None) -> Play | None:
    return move.plays[0] if isinstance(move, Board) and len(move.plays) == 1 else None


def _turns(view: View | None, first: Play | None, language: str) -> Iterator[Line]:
    """The legal turns of one action; after a `first` play, the second plays of its pairs."""
    if view is None or view.seat not in view.to_move:
        return
    moves = view.legal()
    if first is None:
        single = [raw for raw in moves.raw if len(raw) < 3]
    else:
        start = encode(view.deck, Board((first,)))
        single = [(raw[0], raw[2]) for raw in moves.raw if len(raw) == 3 and raw[:2] == start]
    for move in MoveList(view.deck, single):
        yield tuple(_turn(move, language))


def _turn(move: Move, language: str) -> Iterator[Piece]:
    match move:
        case Gather(take):
            yield _command("take", language)
            yield _card(take, language)
        case Board(plays):
            yield _command("play", language)
            for play in plays:
                yield from _play(play, language)
        case Pet(card):
            yield _command("pet", language)
            none = Piece("none", "yes", none_word(language))
            yield none if card is None else _card(card, language)
        case _:
            yield _command("pass", language)


def _play(play: Play, language: str) -> Iterator[Piece]:
    yield _card(play.card, language)
    yield Piece("cabin", play.cabin, play.cabin)
    if play.out:
        yield Piece("option", "out", option_word("out", language))
        yield _card(play.out, language)
    if play.mark:
        yield Piece("option", "mark", option_word("mark", language))
        yield Piece("kind", play.mark, kind_name(play.mark, language))
    if play.take:
        yield Piece("option", "take", option_word("take", language))
        yield _card(play.take, language)


def _requests(command: str, context: Context, served: Collection[str]) -> Iterator[Line]:
    """A command by itself, and with whatever is known to stand behind it."""
    word, syntax, language = _command(command, context.language), SYNTAX[command], context.language
    known: Iterable[Line]
    if command == "say":
        known = [(_word(f"{name}:"), _MORE) for name in _people(context)]
    elif command == "help":
        known = [(_word(command_word(one, language)),) for one in SYNTAX if one in served]
    elif "CARD" in syntax:
        known = list(_of_cards(syntax, context))
    else:
        known = [(_word(one),) for one in _listed(syntax, language)]
    if syntax[:1] in ("", "["):
        yield (word,)
    elif not known:
        yield (word, _MORE)
    for line in known:
        yield (word, *line)


def _people(context: Context) -> list[str]:
    own = context.sender
    return [setting_word("all", context.language), *(one for one in context.names if one != own)]


def _of_cards(syntax: str, context: Context) -> Iterator[Line]:
    """The cards in sight; with the cabins there are, where one is asked for."""
    view, language = context.view, context.language
    if view is None:
        return
    cabins = [f"{side}{n}" for side in "LR" for n in range(1, len(view.ark[side]) + 2)]
    for card in dict.fromkeys((*(view.hand or ()), *view.display)):
        if "CABIN" not in syntax:
            yield (_card(card, language),)
            continue
        for cabin in cabins:
            yield (_card(card, language), Piece("cabin", cabin, cabin))


def _listed(syntax: str, language: str) -> list[str]:
    """The words a form offers for choice: `[on|off]`, `yes|no|pause|…`."""
    words = [word.strip() for word in syntax.strip("[]").split("|")]
    if len(words) < 2:
        return []
    known = lexicon.SETTINGS
    return [
        setting_word(word, language) if known.match(split_words(word), 0) else word
        for word in words
        if " " not in word and not word.isupper()
    ]


def _command(command: str, language: str) -> Piece:
    return Piece("command", command, command_word(command, language))


def _card(card: str, language: str) -> Piece:
    return Piece("card", card, card_name(card, language))


def _word(printed: str) -> Piece:
    return Piece("word", printed, printed)


# --- what is typed, against them


def _ways(
    words: Sequence[Word], lines: Iterable[Line], names: CardNames, *, optional: bool
) -> list[Completion]:
    """The whole lines, if they are few; else only up to the first word they differ in.
    ``optional``: `play` and `take` need not have been typed."""
    typed = _Typed(words, names)
    matching = []
    depth = 0
    for line in lines:
        reached = typed.reaches(line)
        if reached is None and optional and line[0].value in ("take", "play"):
            reached = typed.reaches(line[1:])
            reached = None if not reached else reached + 1
        if reached is not None:
            matching.append(line)
            depth = max(depth, reached)
    whole = dict.fromkeys(map(_printed, matching))
    if len(whole) <= MOST_WHOLE:
        return [Completion(line) for line in whole]
    depth = max(1, depth)
    while len({line[:depth] for line in matching}) == 1:
        depth += 1
    begun = dict.fromkeys(_printed(line[:depth]) for line in matching)
    return [Completion(line if line in whole else f"{line} ") for line in list(begun)[:MOST]]


def _printed(line: Line) -> str:
    return " ".join(piece.printed for piece in line)


class _Typed:
    """The words of the typed line, and what they mean from each of them on."""

    def __init__(self, words: Sequence[Word], names: CardNames) -> None:
        self._words = words
        self._names = names
        self._meant: dict[tuple[str, int], tuple[int, Collection[str]]] = {}

    def reaches(self, line: Line) -> int | None:
        """How many pieces of the line are typed, the last of them perhaps in part; None where
        something else is."""
        at = 0
        for number, piece in enumerate(line):
            if at == len(self._words):
                return number
            length = self._length(piece, at)
            if not length:
                rest = spell(self._words[at:])
                return number + 1 if fold(piece.printed).startswith(rest) else None
            at += length
        return len(line) if at == len(self._words) else None

    def _length(self, piece: Piece, at: int) -> int:
        """How many words from there on mean the piece; 0 if they do not."""
        if piece.sort == "more":
            return 0
        if piece.sort == "word":
            there = split_words(fold(piece.printed))
            same = [one.text for one in self._words[at : at + len(there)]]
            return len(there) if same == [one.text for one in there] else 0
        key = piece.sort, at
        if key not in self._meant:
            self._meant[key] = self._means(piece.sort, at)
        length, values = self._meant[key]
        return length if piece.value in values else 0

    def _means(self, sort: str, at: int) -> tuple[int, Collection[str]]:
        if sort == "card":
            named = self._names.match(self._words, at)
            if named is None:
                return 0, ()
            return named.length, {one for card in named.cards for one in self._names.copies(card)}
        if sort == "cabin":
            place = match_cabin(self._words, at, new=False)
            return (0, ()) if place is None else (place.length, place.cabins)
        found = _PHRASES[sort].match(self._words, at)
        return (0, ()) if found is None else found
