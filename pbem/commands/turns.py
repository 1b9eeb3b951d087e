"""The grammar of a turn (commands.md 2, 3.2 to 3.8): words to what they say, without a position.

    turn  := TAKE card | PLAY plays | plays | PET (card | NONE) | PASS
    plays := play (joiner+ [PLAY] play)*
    play  := card cabin (joiner* option)* [prefix]
    option := OUT card | DRIVE card OUT | MARK kind | TAKE card

The whole line must be used up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.commands import lexicon
from pbem.commands.cabins import match_cabin
from pbem.commands.faults import REFUSED, Fault, not_understood, refused
from pbem.commands.names import CardNames
from pbem.commands.words import Phrases, Word, spell

Cards = tuple[str, ...]
"""The cards a name may mean; one where it is clear."""

TURNS = ("take", "play", "pet", "pass")
_MOST_WORDS = 80
"""A line with more words is no turn; the longest real one has about 25."""


@dataclass(frozen=True, slots=True)
class PlayText:
    """One play as written: each name with every card or cabin it may mean."""

    card: Cards
    cabin: tuple[str, ...]
    out: Cards | None = None
    mark: str | None = None
    take: Cards | None = None


@dataclass(frozen=True, slots=True)
class TurnText:
    """One turn as written; `card` of a take or a pet, () for no pet."""

    command: str
    card: Cards = ()
    plays: tuple[PlayText, ...] = ()


def parse_turn(words: Sequence[Word], names: CardNames) -> TurnText | Fault:
    """The turn the words say, or why they say none."""
    spoken = lexicon.strip_courtesy(words)
    if len(spoken) > _MOST_WORDS:
        return not_understood()
    verb = lexicon.COMMANDS.match(spoken, 0)
    if verb and "pass" in verb[1]:
        # 3.6: nothing may be dropped from a pass but courtesy ("Pass auf!" is no pass)
        return TurnText("pass") if verb[0] == len(spoken) else not_understood()
    object_first = any(word.text in lexicon.OBJECT_FIRST for word in spoken)
    kept = _without_colon(lexicon.drop(spoken, names))
    return _Grammar(kept, names, object_first=object_first).turn()


def parse_options(words: Sequence[Word], names: CardNames) -> PlayText | Fault | None:
    """Options without their play, as on a line of their own: a play of no card in no cabin.

    Only `out` and `mark`: a line that begins with `take` is a gather (3.2).  None for anything
    else, a fault for options that are refused wherever they stand."""
    spoken = lexicon.strip_courtesy(words)
    if len(spoken) > _MOST_WORDS:
        return None
    return _Grammar(lexicon.drop(spoken, names), names).options()


def _without_colon(words: list[Word]) -> list[Word]:
    """A colon after the command word does not matter."""
    verb = lexicon.COMMANDS.match(words, 0)
    if verb and verb[0] < len(words) and words[verb[0]].text == ":":
        del words[verb[0]]
    return words


class _Grammar:
    """One walk over the words from left to right."""

    def __init__(
        self, words: Sequence[Word], names: CardNames, *, object_first: bool = False
    ) -> None:
        self.words = words
        self.names = names
        self.object_first = object_first  # `把狐狸放到左3`: the verb behind its card
        self.at = 0
        self.separable = False

    def turn(self) -> TurnText | Fault:
        if self._verb("take"):
            return self._gather()
        if self._verb("pet"):
            return self._pet()
        if self._verb("play"):
            return self._plays(verb=True)
        if self.object_first and (turn := self._object_taken()):
            return turn
        return self._plays(verb=self.object_first)

    def options(self) -> PlayText | Fault | None:
        play = PlayText((), ())
        while not self._ended():
            extended = self._option(play)
            if isinstance(extended, Fault):
                return extended if extended.error == REFUSED else None
            if extended is None:
                return None
            play = extended
        return play if play.out or play.mark else None

    def _gather(self) -> TurnText | Fault:
        card = self._card()
        if card is None:
            return self._no_card()
        self._closing_prefix()
        if self._ended():
            return TurnText("take", card)
        if self._joined_action():
            return refused("one-action", "R4.1")
        return self._leftover()

    def _pet(self) -> TurnText | Fault:
        none = lexicon.NONE.match(self.words, self.at)
        whole = self.names.match(self.words, self.at, whole=True)
        if none and not (whole and whole.length > none[0]):
            self.at += none[0]
            return TurnText("pet") if self._ended() else self._leftover()
        card = self._card()
        if card is None:
            return self._no_card()
        return TurnText("pet", card) if self._ended() else self._leftover()

    def _plays(self, *, verb: bool) -> TurnText | Fault:
        plays: list[PlayText] = []
        while True:
            # a line that begins with a card needs its whole name: "See L2" is no seal
            play = self._play(whole=not verb)
            if isinstance(play, Fault):
                return play
            plays.append(play)
            self._closing_prefix()
            if self._ended():
                break
            if not self._join():
                return self._leftover()
            verb = self._verb("play") or verb
        if len(plays) > 2:
            return refused("third-play", "R4.3", count=len(plays))
        return TurnText("play", plays=tuple(plays))

    def _play(self, *, whole: bool) -> PlayText | Fault:
        card = self._card(whole=whole)
        if card is None:
            return self._no_card()
        if self.object_first:
            self._verb("play")
        self._soft_commas()
        cabin = match_cabin(self.words, self.at)
        if cabin is None:
            return self._no_cabin()
        if cabin.cabins[0][1:] == "0":
            return refused("cabin-zero", "R2.1", cabin=cabin.cabins[0])
        self.at += cabin.length
        play = PlayText(card, cabin.cabins)
        while True:
            extended = self._option(play)
            if extended is None:
                return play
            if isinstance(extended, Fault):
                return extended
            play = extended

    def _option(self, play: PlayText) -> PlayText | Fault | None:
        """The play with one more option, or None when no option follows."""
        start = self.at
        self._join()
        found = lexicon.OPTIONS.match(self.words, self.at)
        if not found:
            self.at = start
            return None
        option = found[1][0]
        self.separable = self.separable or bool(lexicon.SEPARABLE.match(self.words, self.at))
        self.at += found[0]
        if option == "mark":
            kind = lexicon.KINDS.match(self.words, self.at)
            if not kind:
                return not_understood("which-kind")
            self.at += kind[0]
            return self._once(play, "mark", kind[1][0])
        card = self._card()
        if card is None:
            return self._no_card()
        if option == "drive":
            out = lexicon.OPTIONS.match(self.words, self.at)
            if not out or out[1][0] != "out":
                return self._leftover()
            self.at += out[0]
            option = "out"
        return self._once(play, option, card)

    def _once(self, play: PlayText, option: str, value: Cards | str) -> PlayText | Fault:
        if getattr(play, option) is not None:
            return not_understood("option-twice", option=option)
        if value == "provision":
            return refused("mark-provision", "R6.8")
        if option == "mark":
            return replace(play, mark=str(value))
        cards = value if isinstance(value, tuple) else (value,)
        return replace(play, out=cards) if option == "out" else replace(play, take=cards)

    def _object_taken(self) -> TurnText | None:
        """`把狐狸拿`: a gather, its card before the verb."""
        start = self.at
        card = self._card()
        if card is not None and self._verb("take") and self._ended():
            return TurnText("take", card)
        self.at = start
        return None

    def _card(self, *, whole: bool = False) -> Cards | None:
        self._soft_commas()
        found = self.names.match(self.words, self.at, whole=whole)
        if found is None:
            return None
        self.at += found.length
        return found.cards

    def _verb(self, command: str) -> bool:
        found = lexicon.COMMANDS.match(self.words, self.at)
        if not found or command not in found[1]:
            return False
        self.separable = bool(lexicon.SEPARABLE.match(self.words, self.at))
        self.at += found[0]
        return True

    def _join(self) -> bool:
        start = self.at
        while self._skip(lexicon.JOINERS):
            pass
        return self.at > start

    def _joined_action(self) -> bool:
        """Does a second action follow (`take fox and play bee R3`)?"""
        return self._join() and bool(
            self._verb("take")
            or self._verb("play")
            or self._verb("pet")
            or self.names.match(self.words, self.at, whole=True)
        )

    def _closing_prefix(self) -> None:
        if self.separable:
            self._skip(lexicon.PREFIXES)

    def _soft_commas(self) -> None:
        while self.at < len(self.words) and self.words[self.at].soft:
            self.at += 1

    def _skip(self, phrases: Phrases[str]) -> bool:
        found = phrases.match(self.words, self.at)
        if found:
            self.at += found[0]
        return bool(found)

    def _ended(self) -> bool:
        start = self.at
        self._soft_commas()
        if self.at < len(self.words):
            self.at = start
        return self.at == len(self.words)

    def _rest(self) -> str:
        return spell(self.words[self.at :])

    def _no_card(self) -> Fault:
        return not_understood("no-card", rest=self._rest())

    def _no_cabin(self) -> Fault:
        return not_understood("no-cabin", rest=self._rest())

    def _leftover(self) -> Fault:
        return not_understood("left-over", rest=self._rest())
