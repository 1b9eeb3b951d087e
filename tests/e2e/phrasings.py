"""How people write their turns: a table of phrasings, all of which are right.

A template's fields: ``{card}`` and ``{cabin}`` in one of the ways a person writes them,
``{rest}`` the options of a play; in capitals, all of it in capitals; ``{Card}`` with a
capital letter.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from engine.cards import Deck
from engine.moves import Board, Gather, Move, Pass, Pet, Play
from engine.view import View

TAKE = (
    "take {card}",
    "Take {card}.",
    "TAKE {CARD}",
    "take the {card}",
    "take {card} please",
    "Please take the {card}!",
    "I take {card}",
    "I'll take the {card}",
    "we take {card}",
    "take: {card}",
    "gather {card}",
    "gather the {card}",
    "Gather {card}, please.",
    "draw {card}",
    "*take {card}*",
    '"take {card}"',
    "- take {card}",
    "• Take {card}",
    "1. take {card}",
    "2) draw the {card}",
    "  take   {card}  ",
    "take\u00a0{card}",
    "ｔａｋｅ {card}",
    "take {card}  # the best of the three",
    "take {card} // good for shy",
    "take {card}; status",
    "take {card} 🦒",
)
PLAY = (
    "play {card} {cabin}{rest}",
    "Play {card} {cabin}{rest}.",
    "PLAY {CARD} {CABIN}{REST}",
    "{card} {cabin}{rest}",
    "{Card} to {cabin}{rest}",
    "put {card} in {cabin}{rest}",
    "put the {card} in {cabin}{rest} please",
    "board {card} {cabin}{rest}",
    "Board the {card} into {cabin}{rest}!",
    "load {card} into {cabin}{rest}",
    "I play {card} in {cabin}{rest}",
    "I'll put my {card} into {cabin}{rest}",
    "please play my {card} to {cabin}{rest}",
    "play: {card} {cabin}{rest}",
    "*play {card} {cabin}{rest}*",
    "- play {card} {cabin}{rest}",
    "1) play {card} {cabin}{rest}",
    "play {card} {cabin}{rest} # at last",
    "play {card} {cabin}{rest}; scores",
)
PAIR = (
    "play {first} + {second}",
    "play {first} + play {second}",
    "Play {first} and {second}.",
    "play {first} and play {second}",
    "play {first} then {second}",
    "play {first}, then {second}",
    "put {first} and then {second}",
    "play {first}, {second}",
    "play {first}; play {second}",
    "play {first}\nplay {second}",
    "play {first}\nWhat a voyage this is going to be!\nplay {second}",
    "1. play {first}\n2. play {second}",
    "Board {first}\n\nload {second}",
)
PET = (
    "pet {card}",
    "Pet {card}.",
    "PET {CARD}",
    "pet the {card}, please",
    "pet: {card}",
    "I pet the {card}",
    "* pet {card}",
)
NO_PET = ("pet none", "Pet none.", "PET NONE", "pet none, please", "- pet none")
PASS = ("pass", "Pass.", "PASS!", "I pass", "- pass", "I pass.")

OUT = (
    " out {card}",
    " drive out {card}",
    " drive {card} out",
    " instead of {card}",
    ", out the {card}",
)
MARK = (" mark {kind}", ", mark {kind}", " mark {KIND}")
OPTION_TAKE = (" take {card}", " take the {card}", ", take {card}", " and take {card}")

BEFORE = ("", "", "Hi all,\n\n", "Hello,\n", "Good morning everybody!\n\n", "Dear Ark,\n\n")
AFTER = (
    "",
    "",
    "\n\nThanks!\n{name}",
    "\n\nBest regards\n{name}",
    "\nCheers",
    "\n\nViele Grüße\n{name}",
    "\n\n{name}",
    "\n-- \n{name}\nKeeper of the third deck",
    "\n\nSent from my iPhone",
)

COUNT = sum(map(len, (TAKE, PLAY, PAIR, PET, NO_PET, PASS)))
"""How many phrasings there are, not counting options, cabins, names and what stands around."""


class Writer:
    """Puts moves into words.  Every phrasing has its turn before one comes again."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._rounds: dict[Sequence[str], Iterator[str]] = {}

    def mail(self, move: Move, view: View, name: str) -> str:
        """The text of a mail that says this move, greeting and farewell included."""
        before, after = self._next(BEFORE), self._next(AFTER)
        return before + self.command(move, view) + after.format(name=name) + "\n"

    def command(self, move: Move, view: View) -> str:
        """The move in somebody's words."""
        match move:
            case Gather(take):
                return self._filled(TAKE, self._card(take, view.deck))
            case Board((play,)):
                return self._single(play, view)
            case Board((first, second)):
                words = {
                    "first": self._bare(first, view, None),
                    "second": self._bare(second, view, first),
                }
                return self._next(PAIR).format(**words)
            case Pet(None):
                return self._next(NO_PET)
            case Pet(str(card)):
                return self._filled(PET, self._card(card, view.deck))
            case Pass():
                return self._next(PASS)
        raise ValueError(f"no words for {move}")

    def _next(self, table: Sequence[str]) -> str:
        """The next phrasing of a table, shuffled anew for every round."""
        current = self._rounds.get(table)
        found = None if current is None else next(current, None)
        if found is None:
            self._rounds[table] = current = iter(self._rng.sample(table, len(table)))
            found = next(current)
        return found

    def _filled(self, table: Sequence[str], card: str) -> str:
        return self._next(table).format(card=card, Card=card.capitalize(), CARD=card.upper())

    def _single(self, play: Play, view: View) -> str:
        template = self._next(PLAY)
        # Only a verb makes the beginning of a name more than a word (commands.md 1.3).
        card = self._card(play.card, view.deck, whole=template.startswith("{"))
        cabin, rest = self._cabin(play.cabin, view, None), self._options(play, view.deck)
        return template.format(
            card=card, Card=card.capitalize(), CARD=card.upper(),
            cabin=cabin, CABIN=cabin.upper(), rest=rest, REST=rest.upper(),
        )  # fmt: skip

    def _bare(self, play: Play, view: View, after: Play | None) -> str:
        card, cabin = self._card(play.card, view.deck), self._cabin(play.cabin, view, after)
        return f"{card} {cabin}{self._options(play, view.deck)}"

    def _options(self, play: Play, deck: Deck) -> str:
        """In any order, each in some form."""
        parts = []
        if play.out is not None:
            parts.append(self._next(OUT).format(card=self._card(play.out, deck)))
        if play.mark is not None:
            parts.append(self._next(MARK).format(kind=play.mark, KIND=play.mark.upper()))
        if play.take is not None:
            parts.append(self._next(OPTION_TAKE).format(card=self._card(play.take, deck)))
        return "".join(self._rng.sample(parts, len(parts)))

    def _card(self, name: str, deck: Deck, whole: bool = False) -> str:
        spoken = name.replace("-", " ")
        forms = [name, spoken, spoken.title(), name.replace("-", "")]
        if not whole:
            forms += _beginnings(name, deck)
        return self._rng.choice(forms)

    def _cabin(self, cabin: str, view: View, after: Play | None) -> str:
        side, number = cabin[0], cabin[1:]
        word = {"L": "left", "R": "right"}[side]
        forms = [
            cabin, cabin, cabin.lower(), f"{side} {number}", f"{side.lower()} {number}",
            f"{side}-{number}", f"{number}{side}", f"{word} {number}", f"{word.title()} {number}",
        ]  # fmt: skip
        there = len(view.ark[side]) + (after is not None and after.cabin == f"{side}{number}")
        if int(number) > there:
            forms += [f"new {word}", f"{side} new", f"{side}+"]
        return self._rng.choice(forms)


def _beginnings(name: str, deck: Deck) -> list[str]:
    """A beginning of the name that no other card has (commands.md 3.8)."""
    short = name[:-1]
    others = [card.name for card in deck.cards if card.name != name]
    fit = len(short) >= 4 and short.isalpha()
    return [short] if fit and not any(other.startswith(short) for other in others) else []
