"""Short ways to read a text in tests."""

from typing import Any

from engine.cards import builtin_deck
from pbem.commands import Context, Line, Reading, read

HOUSE = builtin_deck()
LANGUAGES = ("en", "de", "zh-Hant", "zh-Hans")


def reading(text: str, breaks: tuple[int, ...] = (), **context: Any) -> Reading:
    return read(text, Context(HOUSE, **context), breaks)


def lines(text: str, **context: Any) -> list[dict[str, Any]]:
    """The elements of `lines` of `explain`."""
    return [line.to_json() for line in reading(text, **context).lines]


def only(text: str, **context: Any) -> Line:
    """The one line of the text."""
    (line,) = reading(text, **context).lines
    return line


def acts(text: str, **context: Any) -> list[Line]:
    """The lines that would be carried out as a turn, previews not counted."""
    return [
        line
        for line in reading(text, **context).lines
        if line.command in ("take", "play", "pet", "pass") and not line.error and not line.preview
    ]


def gather(card: str) -> dict[str, Any]:
    return {"type": "gather", "take": card}


def board(*plays: str) -> dict[str, Any]:
    """The args of plays such as ``fox L2 take=hen``."""
    return {"type": "board", "plays": [_play(play) for play in plays]}


def _play(text: str) -> dict[str, str]:
    card, cabin, *options = text.split()
    return {"card": card, "cabin": cabin, **dict(option.split("=") for option in options)}


def pet(card: str | None) -> dict[str, Any]:
    return {"type": "pet", "card": card}


PASS: dict[str, Any] = {"type": "pass"}
