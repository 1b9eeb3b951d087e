"""Which card is meant: exact names, beginnings, several that fit (commands.md 3.8, 3.9)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.cards import Deck
from pbem.commands.normalise import is_han
from pbem.commands.vocabulary import LANGUAGES, TONGUES, Tongue, forms
from pbem.commands.words import Word, spellings, split_words

_COPY = re.compile(r"(.+)-([0-9]+)")
_HAN_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九", 1)}
#: Where a name was found: the deck's own and printed names count before the variants.
_PRINTED, _VARIANT = 0, 1
_ENGLISH = 0


@dataclass(frozen=True, slots=True)
class Named:
    """Words that name a card: `length` words, and every card they may mean.

    A card is given by its canonical name; a provision without its number by the name its copies
    share (`grain`).
    """

    length: int
    cards: tuple[str, ...]
    exact: bool = True


class CardNames:
    """The names of one deck's cards, for a player of one language."""

    def __init__(self, names: Sequence[str], provisions: Iterable[str], language: str) -> None:
        own, _ = LANGUAGES.get(language, LANGUAGES["en"])
        self._own = TONGUES.index(own)
        self.names = tuple(names)
        self._copies = _copies_of(provisions)
        #: name without separators -> {(tongue, tier)} -> cards
        self._exact: dict[str, dict[tuple[int, int], list[str]]] = defaultdict(dict)
        self._beginnings: dict[str, dict[tuple[int, int], list[str]]] = defaultdict(dict)
        #: splittings of names into words of which one is a single letter (`t-rex`)
        self._splits: set[tuple[str, ...]] = set()
        self._add_own_names()
        own_names = {key: self._choose(found) for key, found in self._exact.items()}
        for number, tongue in enumerate(TONGUES):
            self._add_tongue(number, tongue, own_names)

    def _add_own_names(self) -> None:
        """The names the deck's own file gives; copies of a provision are known by its name."""
        numbered = {copy for copies in self._copies.values() for copy in copies}
        for canonical in [*(name for name in self.names if name not in numbered), *self._copies]:
            self._add(canonical.replace("-", " "), (canonical,), _ENGLISH, _PRINTED)

    def _add_tongue(self, number: int, tongue: Tongue, own: dict[str, tuple[str, ...]]) -> None:
        """The names of one language, unless the deck has another card of that name."""
        named: list[tuple[str, tuple[str, ...], int]] = [
            (form, (card,), _VARIANT if place else _PRINTED)
            for card, listed in tongue.cards.items()
            for place, scripts in enumerate(forms(listed))
            for form in dict.fromkeys(scripts)
        ]
        named += [(form, cards, _VARIANT) for form, cards in tongue.shared.items()]
        for form, cards, tier in named:
            known = tuple(card for card in cards if self._known(card))
            if known and own.get(_key(form), known) == known:
                self._add(form, known, number, tier)
        for form in tongue.innocent.replace("|", ",").split(","):
            if form.strip() and _key(form) not in own:
                self._exact[_key(form)].clear()  # longer than a card's name, and none

    def _known(self, card: str) -> bool:
        return card in self.names or card in self._copies

    def _add(self, form: str, cards: tuple[str, ...], tongue: int, tier: int) -> None:
        for spelling in spellings(form):
            words = split_words(spelling)
            pieces = tuple(word.text for word in words if word.text != "-")
            if any(len(piece) == 1 for piece in pieces):
                self._splits.add(pieces)
            key = "".join(pieces)
            _extend(self._exact[key].setdefault((tongue, tier), []), cards)
            for end in range(1, len(key)):
                _extend(self._beginnings[key[:end]].setdefault((tongue, tier), []), cards)

    def copies(self, name: str) -> tuple[str, ...]:
        """The cards a name stands for: the copies of a provision, or the card itself."""
        return self._copies.get(name, (name,))

    def single_words(self) -> dict[str, str]:
        """Every name that means one card, without separators, and that card."""
        words = {}
        for key, found in self._exact.items():
            cards = self._choose(found)
            if len(cards) == 1:
                words[key] = cards[0]
        return words

    def match(self, words: Sequence[Word], at: int, *, whole: bool = False) -> Named | None:
        """The card named by the words from `at` on, by the longest match; `whole` admits no
        beginnings.  Exact names beat beginnings, the player's language beats the others."""
        found: Named | None = None
        begun: Named | None = None
        for length, key in self._keys(words, at):
            if key in self._exact:
                found = Named(length, self._choose(self._exact[key]))
            elif not whole and (len(key) > 1 or is_han(key)):
                begun = Named(length, self._choose(self._beginnings[key]), exact=False)
        found = found or begun
        return self._numbered(words, at, found) if found and found.cards else None

    def _keys(self, words: Sequence[Word], at: int) -> Iterable[tuple[int, str]]:
        """The runs of words from `at` on that are a name or begin one, joined (3.8)."""
        key, pieces = "", []
        for end in range(at, len(words)):
            word = words[end]
            if word.text == "-" and key:
                continue
            if word.kind == "sign" and not self._is_part(key + word.text):
                return
            key += word.text
            pieces.append(word.text)
            if not self._is_part(key):
                return
            if end + 1 < len(words) and _cut_inside(word, words[end + 1]):
                continue
            if len(pieces) > 1 and any(len(piece) == 1 and not is_han(piece) for piece in pieces):
                natural = tuple(pieces)
                if not any(split[: len(natural)] == natural for split in self._splits):
                    continue
            yield end + 1 - at, key

    def begins(self, word: str) -> bool:
        """Could a name begin with this word?"""
        if len(word) == 1 and not is_han(word):
            return word in self._exact or any(split[0] == word for split in self._splits)
        return self._is_part(word)

    def _is_part(self, key: str) -> bool:
        return key in self._exact or key in self._beginnings

    def _choose(self, found: dict[tuple[int, int], list[str]]) -> tuple[str, ...]:
        for own in (True, False):
            for tier in (_PRINTED, _VARIANT):
                cards: list[str] = []
                for (tongue, place), fitting in found.items():
                    if place == tier and (tongue == self._own) is own:
                        _extend(cards, fitting)
                if cards:
                    return tuple(cards)
        return ()

    def _numbered(self, words: Sequence[Word], at: int, found: Named) -> Named:
        """A provision's number belongs to its name: `grain 2`, `grain-2`, `穀物2`."""
        if len(found.cards) != 1 or found.cards[0] not in self._copies:
            return found
        place = at + found.length
        if place < len(words) and words[place].text == "-":
            place += 1
        if place >= len(words):
            return found
        digit = words[place].text
        if place + 1 < len(words) and _cut_inside(words[place], words[place + 1]):
            return found  # "grain 2L": the number belongs to the cabin
        number = _HAN_DIGITS.get(digit, digit)
        card = f"{found.cards[0]}-{number}"
        if card in self._copies[found.cards[0]]:
            return Named(place + 1 - at, (card,), found.exact)
        return found


def _cut_inside(word: Word, following: Word) -> bool:
    """Would a name end in the middle of what is written as one word (`3l`, `fox2`)?"""
    return following.glued and word.kind == "digits" and following.kind == "letters"


def _copies_of(provisions: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The copies of each provision that has several, lowest number first."""
    copies: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for name in provisions:
        if numbered := _COPY.fullmatch(name):
            copies[numbered[1]].append((int(numbered[2]), name))
    return {base: tuple(name for _, name in sorted(found)) for base, found in copies.items()}


def _extend(cards: list[str], more: Iterable[str]) -> None:
    cards.extend(card for card in more if card not in cards)


def _key(form: str) -> str:
    words = split_words(spellings(form)[0])
    return "".join(word.text for word in words if word.text != "-")


@lru_cache(maxsize=64)
def _card_names(names: tuple[str, ...], provisions: tuple[str, ...], language: str) -> CardNames:
    return CardNames(names, provisions, language)


def card_names(deck: Deck, language: str) -> CardNames:
    """The names of the deck's cards for a player of that language; made once a deck."""
    names = tuple(card.name for card in deck.cards)
    provisions = tuple(card.name for card in deck.cards if card.is_provision)
    return _card_names(names, provisions, language)
