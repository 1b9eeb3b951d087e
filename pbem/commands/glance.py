"""A first glance at words: whether a command could begin with them.

Reading a line takes a third of a millisecond, and a letter has dozens of endings of lines none of
which may be a command.  The glance errs on the safe side only: where it says no, reading finds
nothing that is understood, in any language.
"""

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from engine.cards import builtin_deck
from pbem.commands import lexicon
from pbem.commands.cabins import FIRST_OF_PLACES
from pbem.commands.names import CardNames, card_names
from pbem.commands.normalise import AROUND_WORDS, clean, fold, is_han
from pbem.commands.words import Word, split_words


class _Begins(Enum):
    """What may begin with a piece of a line."""

    COMMAND = "a command"
    HALF = "a command of several words, if another of them follows"
    CARD = "a play without its command word, if a place follows"
    CARD_OR_NOTHING = "such a play, or what is dropped: the next piece decides"
    PROSE = "no command"
    NOTHING = "what is dropped: the next piece decides"


class _Leads(Enum):
    """Where one comes to from a card that stands before a piece of a line."""

    PLACE = "to a place for it"
    ON = "to the next piece"
    NOWHERE = "to a sign that is part of no turn"


_DROPPED = frozenset(AROUND_WORDS).union(
    *(
        phrase
        for phrases in (lexicon.COURTESY, lexicon.SUBJECTS, lexicon.FILLERS, lexicon.JOINERS)
        for phrase in phrases.texts
    )
)
_PHRASES = (*lexicon.COMMANDS.texts, *lexicon.OPTIONS.texts)
_COMMAND = frozenset(lexicon.OBJECT_FIRST) | {
    phrase[0]
    for phrase in _PHRASES
    if len(phrase) == 1 or is_han(phrase[0]) or phrase[0] in _DROPPED
}
_HALF = frozenset(phrase[0] for phrase in _PHRASES) - _COMMAND
_OTHER_HALF = frozenset(word for phrase in _PHRASES if phrase[0] in _HALF for word in phrase[1:])
_PLACE = frozenset({*lexicon.OBJECT_FIRST, *FIRST_OF_PLACES})
_DIVIDES = frozenset(";；")


def could_be_command(pieces: Sequence[str]) -> bool:
    """Could these pieces of a line, one behind the other, begin with a command?  A piece reaches
    from one space to the next, or is a Chinese character; behind a semicolon another line begins,
    which is not looked at."""
    for at, piece in enumerate(pieces):
        begins = _begins(piece)
        if begins is _Begins.PROSE:
            return False
        if begins is _Begins.COMMAND:
            return True
        if begins is _Begins.HALF:
            return any(map(_finishes, pieces[at:]))
        if begins is not _Begins.NOTHING and _place_follows(pieces[at:]):
            return True
        if begins is _Begins.CARD:
            return False
    return False


def openings(pieces: Sequence[str]) -> list[int]:
    """The numbers of the pieces at which a command could begin."""
    return [
        at
        for at, piece in enumerate(pieces)
        if _begins(piece) is not _Begins.PROSE and could_be_command(pieces[at:])
    ]


def _place_follows(pieces: Sequence[str]) -> bool:
    """Could a place stand behind the card that the first piece begins with?"""
    for piece in pieces:
        leads = _leads(piece)
        if leads is not _Leads.ON:
            return leads is _Leads.PLACE
    return False


@lru_cache(maxsize=8192)
def _begins(piece: str) -> _Begins:
    if not _DIVIDES.isdisjoint(piece.rstrip()[:-1]) or any(map(_is_wide, piece)):
        return _Begins.COMMAND
    names, card = _names(), False
    for word in _words(piece):
        if word.text in _COMMAND:
            return _Begins.COMMAND
        if word.text in _HALF:
            return _Begins.COMMAND if names.begins(word.text) else _Begins.HALF
        card = card or names.begins(word.text)
        if word.text not in _DROPPED:
            return _Begins.CARD if card else _Begins.PROSE
    return _Begins.CARD_OR_NOTHING if card else _Begins.NOTHING


@lru_cache(maxsize=1)
def _names() -> CardNames:
    return card_names(builtin_deck(), "en")


@lru_cache(maxsize=8192)
def _finishes(piece: str) -> bool:
    return any(word.text in _OTHER_HALF for word in _words(piece))


@lru_cache(maxsize=8192)
def _leads(piece: str) -> _Leads:
    if any(map(_is_wide, piece)):
        return _Leads.PLACE
    for word in _words(piece):
        if word.text in _PLACE:
            return _Leads.PLACE
        if word.kind == "sign" and word.text not in _DROPPED:
            return _Leads.NOWHERE
    return _Leads.ON


def _words(piece: str) -> list[Word]:
    """Its words, cleaned as the beginning of a line that goes on."""
    return split_words(fold(clean(f"{piece} …").removesuffix("…")))


def _is_wide(character: str) -> bool:
    """A letter or digit that makes one word with others beside it: ``ｔａｋｅ``."""
    return "\uff00" < character < "\uff5f" and character.isalnum()
