"""Which cabin is meant (commands.md 3.10).

A cabin is `L3`; the next new one of a side, written without its number, is `L+`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.commands.vocabulary import TONGUES
from pbem.commands.words import Phrases, Word, is_latin

_LETTERS = {"l": "L", "r": "R"}
_MAX_DIGITS = 3
_IN_ADDRESSES = ("/", "@", ".", "_", "=", "&", "%")
_HAN_VALUES = {digit: value for value, digit in enumerate("零一二三四五六七八九十")}

_SIDES: Phrases[str] = Phrases(
    (form, side)
    for tongue in TONGUES
    for side, listed in tongue.sides.items()
    for form in listed.replace("|", ",").split(",")
)
_NUMBERS: Mapping[str, int] = {
    word: value for tongue in TONGUES for word, value in tongue.numbers.items()
}
#: What the words for a cabin begin with, numbers apart.
_FIRST = {*_LETTERS, *_HAN_VALUES, *_SIDES.first_words}
FIRST_OF_PLACES = frozenset({*_LETTERS, *_SIDES.first_words})
"""Every cabin has one of these words: what tells its side, or that it is new."""


@dataclass(frozen=True, slots=True)
class NamedCabin:
    """Words that name a cabin: `length` words, and every cabin they may mean."""

    length: int
    cabins: tuple[str, ...]


def match_cabin(words: Sequence[Word], at: int, *, new: bool = True) -> NamedCabin | None:
    """The cabin named by the words from `at` on.

    With `new` a lone "new" counts too: it may be either side's next cabin.
    """
    if at >= len(words):
        return None
    return _numbered(words, at) or _new(words, at, alone=new)


def _numbered(words: Sequence[Word], at: int) -> NamedCabin | None:
    word = words[at]
    if side := _side(words, at):
        length, letter = side
        place = at + length
        if place < len(words) and words[place].text == "+" and words[place].glued:
            return NamedCabin(length + 1, (f"{letter}+",))
        if place < len(words) and words[place].text == "-":
            place += 1
        if number := _number(words, place, spelled=word.text not in _LETTERS):
            return NamedCabin(place + number[0] - at, (f"{letter}{number[1]}",))
        return None
    if number := _number(words, at, spelled=word.kind == "han"):
        place = at + number[0]
        if place < len(words) and (words[place].glued or words[place].kind == "han"):
            side = _side(words, place)
            if side and (words[place].text in _LETTERS or words[place].kind == "han"):
                return NamedCabin(number[0] + side[0], (f"{side[1]}{number[1]}",))
    return None


def _new(words: Sequence[Word], at: int, *, alone: bool) -> NamedCabin | None:
    first = _SIDES.match(words, at)
    if first and "new" in first[1]:
        if side := _side(words, at + first[0]):
            return NamedCabin(first[0] + side[0], (f"{side[1]}+",))
        return NamedCabin(first[0], ("L+", "R+")) if alone else None
    if side := _side(words, at):
        second = _SIDES.match(words, at + side[0])
        if second and "new" in second[1]:
            return NamedCabin(side[0] + second[0], (f"{side[1]}+",))
    return None


def _side(words: Sequence[Word], at: int) -> tuple[int, str] | None:
    if at >= len(words):
        return None
    word = words[at]
    if word.text in _LETTERS and not _after_letters(words, at):
        return 1, _LETTERS[word.text]
    found = _SIDES.match(words, at, glued=True)
    if found and found[1][0] in ("L", "R"):
        return found[0], found[1][0]
    return None


def _number(words: Sequence[Word], at: int, *, spelled: bool) -> tuple[int, int] | None:
    """A cabin's number and how many words it has; number words count if `spelled`."""
    if at >= len(words):
        return None
    word = words[at]
    if word.kind == "digits" and len(word.text) <= _MAX_DIGITS:
        return 1, int(word.text)
    if not spelled:
        return None
    if word.text in _NUMBERS:
        return 1, _NUMBERS[word.text]
    length = 0
    while at + length < len(words) and words[at + length].text in _HAN_VALUES:
        length += 1
    if length:
        value = _han_number([_HAN_VALUES[word.text] for word in words[at : at + length]])
        return (length, value) if value is not None else None
    return None


def _han_number(digits: Sequence[int]) -> int | None:
    """三, 十, 十二, 二十, 二十一; None for anything else."""
    match digits:
        case [value]:
            return value
        case [10, ones] if 0 < ones < 10:
            return 10 + ones
        case [tens, 10] if 0 < tens < 10:
            return 10 * tens
        case [tens, 10, ones] if 0 < tens < 10 and 0 < ones < 10:
            return 10 * tens + ones
    return None


def _after_letters(words: Sequence[Word], at: int) -> bool:
    """Is the letter only the tail of something written as one word, and not of a number?"""
    return at > 0 and words[at].glued and words[at - 1].kind == "letters"


def names_cabin(words: Sequence[Word]) -> bool:
    """Does a cabin occur anywhere in the words?"""
    for at, word in enumerate(words):
        if word.kind != "digits" and word.text not in _FIRST:
            continue
        place = match_cabin(words, at, new=False)
        if place and _stands_free(words, at, at + place.length):
            return True
    return False


def split_off_cabins(words: Sequence[Word]) -> list[Word]:
    """The words with the space that is missing in `foxL2`; only for suggestions."""
    spaced: list[Word] = []
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else None
        before_number = following and following.kind == "digits" and following.glued
        if before_number and len(word.text) > 1 and word.text[-1] in _LETTERS:
            spaced.append(replace(word, text=word.text[:-1]))
            spaced.append(Word(word.text[-1], "letters", glued=False))
        else:
            spaced.append(word)
    return spaced


def _stands_free(words: Sequence[Word], start: int, end: int) -> bool:
    """Not a part of a longer word such as `r2d2`, nor of an address on the web."""
    if start and words[start].glued:
        before = words[start - 1]
        if before.text in _IN_ADDRESSES or (is_latin(before) and is_latin(words[start])):
            return False
    if end < len(words) and words[end].glued:
        return not (is_latin(words[end]) and is_latin(words[end - 1]))
    return True
