"""A turn as written, at a position: copies, new cabins, what is left out, and what the rules say.

Everything comes from the seat's own view (3.9 to 3.11).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import KINDS
from engine.checking import fits, victims, violations
from engine.moves import Move, from_json
from engine.position import Position
from engine.refusals import Violation
from engine.view import View, imagine
from pbem.commands.alternatives import turn_args
from pbem.commands.faults import REFUSED, Fault, ambiguous, refused
from pbem.commands.names import CardNames
from pbem.commands.turns import TurnText

_MARKABLE = tuple(kind for kind in KINDS if kind != "provision")  # R6.8
_LIKE = ("weight", "climate")
"""Copies of a provision that are alike in these are one to the player (3.9)."""


@dataclass(frozen=True)
class Resolved:
    """The turn's `args` as far as they are known; a move when it may be done, else a fault."""

    args: dict[str, Any]
    move: Move | None = None
    fault: Fault | None = None
    choices: tuple[dict[str, Any], ...] = ()
    """The legal turns this one may be meant as, when something is asked."""


class _Unclear(Exception):
    """Copies of a provision differ: which one is asked (3.9)."""

    def __init__(self, choices: tuple[str, ...]) -> None:
        self.choices = choices


class ImaginedSeat:
    """One seat at its position, imagined from its view."""

    def __init__(self, view: View, names: CardNames) -> None:
        assert view.seat is not None, "a spectator has no turn"
        self.view, self.seat, self.names = view, view.seat, names
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        if self._position is None:
            self._position = imagine(self.view)
        return self._position

    def resolve(self, turn: TurnText) -> Resolved:
        """The turn with everything filled in, or what is asked, or why it is refused."""
        args = turn_args(turn)
        try:
            filled = self._filled(args)
        except _Unclear as unclear:
            return self._which_copy(args, unclear.choices)
        if needless := self._needless_take(filled):
            return Resolved(filled, fault=needless)
        completions = list(self._completions(filled))
        legal = [each for each in completions if not self._broken(each)]
        if len(completions) == 1 and legal:
            return Resolved(legal[0], move=from_json(legal[0]))
        if legal:
            return Resolved(filled, fault=_asked(legal), choices=tuple(legal))
        return self._refused(completions[0])

    def resolve_question(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The args of `legal`, `why`, `rules` with provisions numbered and new cabins named."""
        resolved = dict(args)
        if "card" in args:
            copies = self.names.copies(args["card"])
            known = [*(self.view.hand or ()), *self.view.display]
            resolved["card"] = next((copy for copy in copies if copy in known), copies[0])
        if str(args.get("cabin", "")).endswith("+"):
            side = args["cabin"][0]
            resolved["cabin"] = f"{side}{len(self.view.ark[side]) + 1}"
        return resolved

    def first_play_is_legal(self, args: Mapping[str, Any]) -> bool:
        """Of a refused pair: is the first play legal by itself?"""
        move = from_json({"type": "board", "plays": list(args["plays"][:1])})
        return not violations(self.position, self.seat, move)

    def opens(self, cabin: str) -> bool:
        """Is that the next new cabin of its side?"""
        return cabin.endswith("+") or int(cabin[1:]) == len(self.view.ark[cabin[0]]) + 1

    # names --------------------------------------------------------------------------------

    def _filled(self, args: dict[str, Any]) -> dict[str, Any]:
        """The args with provisions numbered and new cabins named."""
        display, hand = self.view.display, self.view.hand or ()
        match args["type"]:
            case "gather":
                return {**args, "take": self._copy(args["take"], display)}
            case "pet" if args["card"]:
                return {**args, "card": self._copy(args["card"], hand)}
            case "board":
                plays: list[dict[str, Any]] = []
                opened = {side: len(self.view.ark[side]) for side in "LR"}
                for play in args["plays"]:
                    plays.append(self._filled_play(play, hand, display, opened))
                    if taken := plays[-1].get("take"):
                        hand = (*hand, taken)  # R4.3: the second may be the card just taken
                        display = tuple(card for card in display if card != taken)
                return {**args, "plays": plays}
        return args

    def _filled_play(
        self,
        play: Mapping[str, Any],
        hand: Sequence[str],
        display: Sequence[str],
        opened: dict[str, int],
    ) -> dict[str, Any]:
        side = play["cabin"][0]
        cabin = play["cabin"]
        if cabin.endswith("+"):
            cabin = f"{side}{opened[side] + 1}"
        if int(cabin[1:]) == opened[side] + 1:
            opened[side] += 1
        filled = {**play, "card": self._copy(play["card"], hand), "cabin": cabin}
        if "out" in play:
            filled["out"] = self._copy(play["out"], self._crew(cabin))
        if "take" in play:
            filled["take"] = self._copy(play["take"], display)
        return filled

    def _crew(self, cabin: str) -> tuple[str, ...]:
        cabins = self.view.ark[cabin[0]]
        number = int(cabin[1:])
        return cabins[number - 1] if 0 < number <= len(cabins) else ()

    def _copy(self, name: str, pool: Sequence[str]) -> str:
        """The lowest-numbered copy in the pool, if all there are alike."""
        copies = self.names.copies(name)
        present = [copy for copy in copies if copy in pool]
        cards = [self.view.deck.card(copy) for copy in present]
        if len({tuple(getattr(card, trait) for trait in _LIKE) for card in cards}) > 1:
            raise _Unclear(tuple(present))
        return (present or copies)[0]

    def _which_copy(self, args: dict[str, Any], copies: tuple[str, ...]) -> Resolved:
        base = next(name for name in _named(args) if copies[0] in self.names.copies(name))
        choices = tuple(_renamed(args, base, copy) for copy in copies)
        return Resolved(args, fault=ambiguous("which-copy"), choices=choices)

    # what is left out ---------------------------------------------------------------------

    def _completions(self, args: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Every way to fill in a missing `take` and `mark` (3.11)."""
        if args["type"] != "board":
            yield args
            return
        for plays in self._complete_plays(args["plays"], list(self.view.display)):
            yield {**args, "plays": plays}

    def _complete_plays(
        self, plays: Sequence[dict[str, Any]], display: list[str], opened: str = ""
    ) -> Iterator[list[dict[str, Any]]]:
        if not plays:
            yield []
            return
        play, rest = plays[0], plays[1:]
        opens = self._will_open(play, opened)
        takes: Sequence[str | None] = [play.get("take")]
        if "take" not in play and opens and display:
            takes = display
        marks: Sequence[str | None] = [play.get("mark")]
        if "mark" not in play and self._chimpanzee() in (play["card"], play.get("out")):
            marks = _MARKABLE
        for take in takes:
            left = [card for card in display if card != take]
            for mark in marks:
                extra = {"mark": mark, "take": take}
                filled = {**play, **{key: value for key, value in extra.items() if value}}
                side = play["cabin"][0] if opens else ""
                for following in self._complete_plays(rest, left, opened + side):
                    yield [filled, *following]

    def _will_open(self, play: Mapping[str, Any], opened: str) -> bool:
        """Does the play open a cabin, one having been opened on each side of `opened`?"""
        side, number = play["cabin"][0], int(play["cabin"][1:])
        return number == len(self.view.ark[side]) + opened.count(side) + 1

    def _chimpanzee(self) -> str:
        return next(card.name for card in self.view.deck.cards if card.special == "chimpanzee")

    def _needless_take(self, args: dict[str, Any]) -> Fault | None:
        """3.2: a `take` behind a cabin that is not new would be a second action."""
        for play in args["plays"] if args["type"] == "board" else ():
            beyond = int(play["cabin"][1:]) > len(self.view.ark[play["cabin"][0]])
            if "take" in play and not beyond:
                return refused("take-needless", "R4.1")
        return None

    # the rules ----------------------------------------------------------------------------

    def _broken(self, args: dict[str, Any]) -> list[Violation]:
        return violations(self.position, self.seat, from_json(args))

    def _refused(self, args: dict[str, Any]) -> Resolved:
        broken = tuple(self._broken(args))
        fault = Fault(REFUSED, "illegal", {"fits": self._fits(args)}, violations=broken)
        return Resolved(args, fault=fault, choices=tuple(self._with_victims(args)))

    def _fits(self, args: dict[str, Any]) -> list[str]:
        """Where the refused card would fit as a single play; what a refusal teaches."""
        if args["type"] != "board":
            return []
        card = args["plays"][0]["card"]
        if card not in (self.view.hand or ()):
            return []
        cabins = (
            f"{side}{number}" for side in "LR" for number in range(1, len(self.view.ark[side]) + 2)
        )
        return [cabin for cabin in cabins if not fits(self.position, self.seat, card, cabin)]

    def _with_victims(self, args: dict[str, Any]) -> list[dict[str, Any]]:
        """The legal turns that differ only by driving somebody out."""
        found: list[dict[str, Any]] = []
        if args["type"] != "board":
            return found
        for place, play in enumerate(args["plays"]):
            if "out" in play:
                continue
            for victim in victims(self.position, self.seat, play["card"], play["cabin"]):
                plays = [*args["plays"]]
                plays[place] = {**play, "out": victim}
                found += [
                    each
                    for each in self._completions({**args, "plays": plays})
                    if not self._broken(each)
                ]
        return found


def _asked(legal: list[dict[str, Any]]) -> Fault:
    """What is left out of a turn that could be completed in several legal ways."""
    marks = {tuple(play.get("mark") for play in each["plays"]) for each in legal}
    return ambiguous("which-mark" if len(marks) > 1 else "which-take")


def _named(args: Mapping[str, Any]) -> list[str]:
    """Every card the args name."""
    plays = args.get("plays", [args])
    return [
        play[key] for play in plays for key in ("card", "take", "out") if play.get(key) is not None
    ]


def _renamed(args: Mapping[str, Any], base: str, copy: str) -> dict[str, Any]:
    """The args with a provision's name replaced by one of its copies."""

    def renamed(form: Mapping[str, Any]) -> dict[str, Any]:
        return {key: copy if value == base else value for key, value in form.items()}

    if "plays" in args:
        return {**args, "plays": [renamed(play) for play in args["plays"]]}
    return renamed(args)
