"""Small positions in words, for the tests by rule number.

    table(L="hamster | dog sheep", R="deer | dates-1", hand="fox bee")

Cabins are divided by `|`, from the bow; `hand` is seat 0's, which is to move. Everything not said
has a default, and all cards not named lie at the bottom of the stack, so that every table holds
the whole deck. Moves are written in the engine's notation (`play fox L3 take hen + play bee R1`).

There are two tables with the same face, one over the engine and one over the naive rules: every
test that asks for `table` runs on both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from engine import cards as engine_cards
from engine import game, moves, record, scoring
from tests.engine import naive_rules, naive_scoring, naive_setup
from tests.engine.naive_placing import KINDS, balance, broken_rules

Json = dict[str, Any]
RAIN = "rain"


def parse_move(text: str) -> Json:
    """A move in notation as the record's `move`."""
    words = text.split()
    if words == ["pass"]:
        return {"type": "pass"}
    if words[0] == "take":
        return {"type": "gather", "take": words[1]}
    if words[0] == "pet":
        return {"type": "pet", "card": None if words[1] == "none" else words[1]}
    return {"type": "board", "plays": [_parse_play(part.split()) for part in text.split(" + ")]}


def _parse_play(words: list[str]) -> Json:
    verb, card, cabin, *rest = words
    assert verb == "play", words
    return {"card": card, "cabin": cabin, **dict(zip(rest[::2], rest[1::2], strict=True))}


def build_state(
    deck: Iterable[Json],
    *,
    L: str = "",  # noqa: N803 - the sides' names
    R: str = "",  # noqa: N803
    hand: str = "",
    others: Sequence[str] = (),
    display: str | None = None,
    stack: str = "",
    players: int = 3,
    rain: int = 0,
    timbers: Sequence[int] | None = None,
    marks: Sequence[dict[str, float]] = (),
    pets: Sequence[str | None] = (),
    passed: Sequence[int] = (),
    phase: str = "main",
    to_move: Sequence[int] = (0,),
    gone: str = "",
) -> Json:
    """A whole `state` of the record from the little that matters.

    `stack` names its top cards; the rest of the deck and of the rain lies below. `gone` names
    animals that were driven out. Without `display` it is filled from the cards nobody named.
    """
    ark = {
        "L": [cabin.split() for cabin in L.split("|")] if L else [],
        "R": [cabin.split() for cabin in R.split("|")] if R else [],
    }
    hands = [hand.split(), *(words.split() for words in others)]
    hands += [[] for _ in range(players - len(hands))]
    all_pets = [*pets, *[None] * (players - len(pets))]
    top = stack.split()
    used = [name for side in ark.values() for cabin in side for name in cabin]
    used += [name for one in hands for name in one] + top + gone.split()
    used += [name for name in all_pets if name] + (display or "").split()
    names = [card["name"] for card in deck]
    unknown = set(used) - set(names) - {RAIN}
    assert not unknown, f"no such card: {unknown}"
    rest = [name for name in names if name not in used]
    shown = display.split() if display is not None else [rest.pop() for _ in range(3)]
    rains = 5 - rain - top.count(RAIN)
    state = {
        "ark": ark,
        "hands": hands,
        "display": shown,
        "stack": top + rest + [RAIN] * rains,
        "rain": rain,
        "timbers": list(timbers or [4] * players),
        "marks": [{**dict.fromkeys(KINDS, 0), **one} for one in marks]
        + [dict.fromkeys(KINDS, 0) for _ in range(players - len(marks))],
        "pets": all_pets,
        "passed": list(passed),
        "phase": phase,
        "to_move": list(to_move),
    }
    assert len(used) == len(set(used)) + max(0, used.count(RAIN) - 1), "a card in two places"
    return state


class Table(ABC):
    """A position and what the tests ask about it."""

    @classmethod
    @abstractmethod
    def of(cls, state: Json, players: int, deck: list[Json], first: int) -> Table: ...

    @property
    @abstractmethod
    def state(self) -> Json: ...

    @abstractmethod
    def legal(self, seat: int = 0) -> list[Json]: ...

    @abstractmethod
    def broken(self, card: str, cabin: str, seat: int = 0) -> set[str]:
        """The rules of R5 that keep this card out of this cabin, as a play without `out`."""

    @abstractmethod
    def after(self, move: str, seat: int = 0) -> Table: ...

    @abstractmethod
    def score(self) -> Json: ...

    def allows(self, move: str, seat: int = 0) -> bool:
        return parse_move(move) in self.legal(seat)

    def cabins(self, card: str, seat: int = 0) -> set[str]:
        """Where this card can be played alone and without driving anything out."""
        return {
            move["plays"][0]["cabin"]
            for move in self.legal(seat)
            if move["type"] == "board"
            and len(move["plays"]) == 1
            and move["plays"][0]["card"] == card
            and "out" not in move["plays"][0]
        }

    def victims(self, card: str, seat: int = 0) -> set[str]:
        """Whom this card can drive out of any cabin."""
        return {
            move["plays"][0]["out"]
            for move in self.legal(seat)
            if move["type"] == "board"
            and move["plays"][0]["card"] == card
            and "out" in move["plays"][0]
        }

    def marks(self, seat: int = 0) -> dict[str, float]:
        """The seat's markers, without the kinds it has none of."""
        marks = self.state["marks"][seat]
        return {kind: count for kind, count in marks.items() if count}


class NaiveTable(Table):
    def __init__(self, position: Json) -> None:
        self.position = position

    @classmethod
    def of(cls, state: Json, players: int, deck: list[Json], first: int) -> NaiveTable:
        position = {**state, "cards": naive_setup.by_name(deck), "players": players, "next": first}
        position["disc"] = balance(position)
        return cls(position)

    @property
    def state(self) -> Json:
        return naive_rules.state(self.position)

    def legal(self, seat: int = 0) -> list[Json]:
        return naive_rules.legal_moves(self.position, seat)

    def broken(self, card: str, cabin: str, seat: int = 0) -> set[str]:
        return set(broken_rules(self.position, {"card": card, "cabin": cabin}))

    def after(self, move: str, seat: int = 0) -> NaiveTable:
        assert self.allows(move, seat), move
        return NaiveTable(naive_rules.after_move(self.position, seat, parse_move(move)))

    def score(self) -> Json:
        return naive_scoring.score(self.position)


class EngineTable(Table):
    def __init__(self, position: game.Position) -> None:
        self.position = position

    @classmethod
    def of(cls, state: Json, players: int, deck: list[Json], first: int) -> EngineTable:
        return cls(record.from_state(state, players, engine_deck(deck), first=first))

    @property
    def state(self) -> Json:
        return record.state(self.position)

    def legal(self, seat: int = 0) -> list[Json]:
        return [moves.to_json(move) for move in game.legal_moves(self.position, seat)]

    def allows(self, move: str, seat: int = 0) -> bool:
        """`violations` and the legal list must be of one mind."""
        listed = super().allows(move, seat)
        found = game.violations(self.position, seat, moves.from_json(parse_move(move)))
        assert listed == (not found), (move, found)
        return listed

    def broken(self, card: str, cabin: str, seat: int = 0) -> set[str]:
        found = game.fits(self.position, seat, card, cabin)
        return {violation.rule for violation in found}

    def after(self, move: str, seat: int = 0) -> EngineTable:
        position = self.position.copy()
        game.apply(position, seat, moves.from_json(parse_move(move)))
        return EngineTable(position)

    def score(self) -> Json:
        return score_json(self.position)


def score_json(position: game.Position) -> Json:
    """The engine's score in the form of the record's `result`."""
    score = scoring.score(position)
    return {
        "totals": list(score.totals),
        "scoring": {kind: list(points) for kind, points in score.scoring.items()},
        "timbers": list(score.timbers),
        "winners": list(score.winners),
    }


def engine_deck(deck: list[Json]) -> engine_cards.Deck:
    """The engine's deck of these cards; the built-in one if they are the house deck."""
    if deck == naive_setup.read_deck():
        return engine_cards.builtin_deck()
    header = ["name", "weight", "climate", "diet", "kind", "special"]
    lines = [",".join(header), *(",".join(str(card[key]) for key in header) for card in deck)]
    return engine_cards.load_deck(lines, "test")
