"""A folded line as words, and phrases found in it by the longest match from the left."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.commands.normalise import fold

T = TypeVar("T")

_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(
    rf"(?P<han>[{_HAN}])|(?P<digits>[0-9]+)"
    rf"|(?P<letters>[^\W\d_{_HAN}]+(?:'[^\W\d_{_HAN}]+)*)|(?P<sign>\S)"
)


@dataclass(slots=True)
class Word:
    """One word: a run of letters, a run of digits, one Chinese character or one sign."""

    text: str
    kind: str
    """`letters`, `digits`, `han` or `sign`."""
    glued: bool
    """No space stands before it."""
    soft: bool = False
    """A comma beside a dropped word: it may separate, or drop as well (3.1)."""


def split_words(folded: str) -> list[Word]:
    """The words of a folded line."""
    words = []
    end = -1
    for match in _WORD.finditer(folded):
        words.append(Word(match.group(), match.lastgroup or "sign", match.start() == end))
        end = match.end()
    return words


def word_ends(text: str, count: int) -> int:
    """Where the first `count` words of a text that is not folded end."""
    end = 0
    for number, match in enumerate(_WORD.finditer(text)):
        if number == count:
            break
        end = match.end()
    return end


def spell(words: Sequence[Word]) -> str:
    """The words as text again, as they stood."""
    return "".join(
        word.text if word.glued and place else f" {word.text}" for place, word in enumerate(words)
    ).strip()


def is_latin(word: Word) -> bool:
    """Letters or digits, which need a boundary on both sides."""
    return word.kind in ("letters", "digits")


class Phrases(Generic[T]):
    """Phrases and what they mean; found by the longest match from the left.

    Words in letters must match whole; Chinese characters match one by one.
    """

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], list[T]]]] = {}
        meanings: dict[tuple[str, ...], list[T]] = {}
        for form, meaning in entries:
            for spelling in spellings(form):
                key = tuple(word.text for word in split_words(spelling))
                found = meanings.setdefault(key, [])
                if meaning not in found:
                    found.append(meaning)
        for key, found in sorted(meanings.items(), key=lambda item: -len(item[0])):
            self._by_first.setdefault(key[0], []).append((key, found))
        self.texts = tuple(meanings)
        self.first_words = frozenset(self._by_first)

    def match(
        self, words: Sequence[Word], at: int, *, glued: bool = False
    ) -> tuple[int, list[T]] | None:
        """How many words the longest phrase beginning at `at` has, and its meanings.

        With `glued` it may run on into a number (`left3`).
        """
        if at >= len(words) or (at and _runs_on(words[at - 1], words[at])):
            return None
        for key, found in self._by_first.get(words[at].text, ()):
            end = at + len(key)
            if end > at + 1 and [word.text for word in words[at:end]] != list(key):
                continue
            if not glued and end < len(words) and _runs_on(words[end - 1], words[end]):
                continue
            return len(key), found
        return None


def _runs_on(word: Word, following: Word) -> bool:
    """Is the word only the beginning of a longer one (`i` in `i2`)?"""
    return following.glued and is_latin(word) and is_latin(following)


def spellings(form: str) -> list[str]:
    """The form folded, and without umlauts the way German keyboards without them write it."""
    folded = fold(form)
    plain = folded.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    return [folded] if plain == folded else [folded, plain]
