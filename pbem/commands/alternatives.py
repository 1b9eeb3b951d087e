"""A turn as written, with every reading it has (commands.md 3.8, 3.9)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Any

from pbem.commands.faults import Fault, ambiguous
from pbem.commands.speech import print_turn
from pbem.commands.turns import Cards, PlayText, TurnText

MOST_READINGS = 24
"""More readings help nobody, and their number must be bounded."""


def single_readings(turn: TurnText) -> Iterator[TurnText]:
    """Every reading of the turn in which each name means one thing; at most `MOST_READINGS`."""
    choices: Iterable[tuple[Any, ...]]
    if turn.command != "play":
        choices = ((card,) for card in turn.card)
        return (
            islice((replace(turn, card=card) for card in choices), MOST_READINGS)
            if turn.card
            else iter([turn])
        )
    plays = product(*(_play_readings(play) for play in turn.plays))
    return islice((replace(turn, plays=chosen) for chosen in plays), MOST_READINGS)


def _play_readings(play: PlayText) -> list[PlayText]:
    nobody: tuple[None] = (None,)
    return [
        replace(
            play,
            card=(card,),
            cabin=(cabin,),
            out=(out,) if out else None,
            take=(take,) if take else None,
        )
        for card, cabin, out, take in product(
            play.card, play.cabin, play.out or nobody, play.take or nobody
        )
    ]


def turn_args(turn: TurnText) -> dict[str, Any]:
    """The `move` of a turn in which every name means one thing."""
    match turn.command:
        case "take":
            return {"type": "gather", "take": turn.card[0]}
        case "play":
            return {"type": "board", "plays": [_play_args(play) for play in turn.plays]}
        case "pet":
            return {"type": "pet", "card": turn.card[0] if turn.card else None}
        case _:
            return {"type": "pass"}


def _play_args(play: PlayText) -> dict[str, Any]:
    args: dict[str, Any] = {"card": play.card[0], "cabin": play.cabin[0]}
    if play.out:
        args["out"] = play.out[0]
    if play.mark:
        args["mark"] = play.mark
    if play.take:
        args["take"] = play.take[0]
    return args


def unclear(turn: TurnText, language: str, first: Iterable[str] = ()) -> Fault | None:
    """The question back when a name means several things; readings with `first` cards lead."""
    readings = list(single_readings(turn))
    if len(readings) < 2:
        return None
    preferred = set(first)
    readings.sort(key=lambda reading: not _cards(reading) <= preferred)
    code = "which-cabin" if len(set(map(_cards, readings))) == 1 else "which-card"
    return ambiguous(code, tuple(print_turn(turn_args(each), language) for each in readings))


def _cards(turn: TurnText) -> frozenset[str]:
    cards: set[Cards] = {turn.card, *(play.card for play in turn.plays)}
    return frozenset(card for chosen in cards for card in chosen)
