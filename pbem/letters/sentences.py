"""What happened at a table, told in sentences (English).

A sentence names the reader "you" and marks each card with `STRONG` … `WEAK`, which the
HTML shows bold and the text leaves out.  One turn is one sentence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pbem.letters.cards import Cards, count
from pbem.letters.plain import STRONG, WEAK, listing
from pbem.store.log import Seen

NUMBERS = ("no", "one", "two", "three", "four", "five")


@dataclass(frozen=True)
class Teller:
    """Tells events to one reader: the cards in words, who is called what, who "you" is."""

    cards: Cards
    names: Sequence[str]  # by seat
    seat: int | None

    def who(self, seat: int | None) -> str:
        if seat is None:
            return "the table"
        return "you" if seat == self.seat else self.names[seat]

    def subject(self, seat: int | None) -> str:
        """The same at the beginning of a sentence; names stay as they are written."""
        return "You" if seat is not None and seat == self.seat else self.who(seat)

    def people(self, seats: Iterable[int]) -> str:
        return listing(self.who(seat) for seat in seats)

    def card(self, name: str) -> str:
        return f"the {STRONG}{self.cards.name(name)}{WEAK}"

    def tell(self, seen: Iterable[Seen]) -> list[str]:
        """One sentence for each turn and each other thing worth telling."""
        told: list[str] = []
        for _, group in groupby(seen, key=lambda one: one.seq):
            told += self._turn(list(group))
        return told

    def _turn(self, parts: Sequence[Seen]) -> Iterator[str]:
        plays = [part for part in parts if part.kind == "play"]
        if plays:
            cards = " and ".join(self._play(part.facts) for part in plays)
            yield f"{self.subject(plays[0].seat)} boarded {cards}."
        for part in parts:
            sentence = self._other(part)
            if sentence:
                yield sentence

    def _play(self, facts: Mapping[str, Any]) -> str:
        cabin = f"new cabin {facts['cabin']}" if facts["opened"] else str(facts["cabin"])
        told = [cabin]
        if facts["opened"]:
            told.append(f"a timber to {self.who(facts['timber_to'])}")
            if facts["take"] is not None:
                told.append(f"took {self.card(facts['take'])}")
        if facts["out"] is not None:
            told.append(f"drove out {self.card(facts['out'])}")
        if facts["cost"]:
            told.append(f"{_timbers(facts['cost'])} to the bank")
        if facts["bank"]:
            told.append(f"{_timbers(facts['bank'])} from the bank")
        gains = [f"{mark['kind']} +{count(mark['count'])}" for mark in facts["marks"]]
        return f"{self.card(facts['card'])} ({', '.join([*told, *(gains or ['no marker'])])})"

    def _other(self, part: Seen) -> str:
        who, facts = self.subject(part.seat), part.facts
        match part.kind:
            case "gather":
                return f"{who} took {self.card(facts['take'])} and {self._draw(facts)}."
            case "rain":
                return f"Rain: the {_ordinal(facts['count'])} of 5 rain cards came up."
            case "pets":
                return "All players now choose a pet, or none, in secret."
            case "pet" if "card" in facts:
                if facts["card"] is None:
                    return "You chose no pet."
                return f"You set {self.card(facts['card'])} aside as your pet."
            case "pets_set":
                return self._pets(facts["seats"])
            case "end":
                return f"The end phase begins; first to move: {self.who(facts['first'])}."
            case "pass":
                return f"{who} passed and {_was(who)} out."
            case "over":
                return "The game is over."
            case "deadline":
                return f"Time ran out for {self.people(facts['seats'])}."
        return ""

    def _draw(self, facts: Mapping[str, Any]) -> str:
        if "draw" not in facts:
            return "a card from the stack"
        if facts["draw"] is None:
            return "nothing from the stack"
        return f"drew {self.card(facts['draw'])}"

    def _pets(self, seats: Sequence[int]) -> str:
        if not seats:
            return "All have chosen: nobody has a pet."
        others = [seat for seat in range(len(self.names)) if seat not in seats]
        told = f"All have chosen: {self.people(seats)} set a card aside as a pet"
        return f"{told}; {self.people(others)} did not." if others else f"{told}."


def new_cards(seen: Iterable[Seen]) -> frozenset[str]:
    """The cards that came aboard in these events: framed in the picture."""
    return frozenset(part.facts["card"] for part in seen if part.kind == "play")


def _timbers(number: int) -> str:
    return "a timber" if number == 1 else f"{NUMBERS[number]} timbers"


def _was(who: str) -> str:
    return "are" if who == "You" else "is"


def _ordinal(number: int) -> str:
    return ("", "first", "second", "third", "fourth", "fifth")[number]
