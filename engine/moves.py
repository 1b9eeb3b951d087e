"""Moves as small frozen values, in JSON (the `move` of a record) and in canonical notation.

They say what a player asks for, with names; whether it is legal is the game's business.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Play:
    """One card into one cabin (R4.3): `out` is driven out, `mark` is the kind the chimpanzee's
    marker goes on, `take` is the display card taken for opening the cabin."""

    card: str
    cabin: str
    out: str | None = None
    mark: str | None = None
    take: str | None = None


@dataclass(frozen=True, slots=True)
class Gather:
    """Take a display card and the top of the stack (R4.2)."""

    take: str


@dataclass(frozen=True, slots=True)
class Board:
    """Play one card, or two in this order (R4.3)."""

    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Pet:
    """Set a card aside as a pet, or none (R7.1)."""

    card: str | None


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the game in the end phase (R8.1)."""


Move = Gather | Board | Pet | Pass


class MoveFormatError(ValueError):
    """A value that is not the JSON form of a move."""


def to_json(move: Move) -> dict[str, object]:
    """The `move` of ark-record; keys that do not apply are left out."""
    match move:
        case Gather(take):
            return {"type": "gather", "take": take}
        case Board(plays):
            return {"type": "board", "plays": [_play_to_json(play) for play in plays]}
        case Pet(card):
            return {"type": "pet", "card": card}
        case Pass():
            return {"type": "pass"}


def _play_to_json(play: Play) -> dict[str, str]:
    form = {"card": play.card, "cabin": play.cabin}
    if play.out is not None:
        form["out"] = play.out
    if play.mark is not None:
        form["mark"] = play.mark
    if play.take is not None:
        form["take"] = play.take
    return form


def from_json(form: object) -> Move:
    """The move of its JSON form.  Raises `MoveFormatError`; keys beginning with x- are ignored."""
    if not isinstance(form, dict):
        raise MoveFormatError("a move is an object")
    kind = form.get("type")
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise MoveFormatError("the type of a move is one of " + ", ".join(_READERS))
    return read(form)


def _read_gather(form: dict[str, object]) -> Gather:
    check_keys(form, _GATHER_KEYS, "a gather")
    return Gather(_text(form, "take", "a gather"))


def _read_board(form: dict[str, object]) -> Board:
    check_keys(form, _BOARD_KEYS, "a board")
    plays = form.get("plays")
    if not isinstance(plays, list):
        raise MoveFormatError("the plays of a board are a list")
    return Board(tuple(map(_read_play, plays)))


def _read_play(form: object) -> Play:
    if not isinstance(form, dict):
        raise MoveFormatError("a play is an object")
    check_keys(form, _PLAY_KEYS, "a play")
    return Play(
        _text(form, "card", "a play"),
        _text(form, "cabin", "a play"),
        _text(form, "out", "a play") if "out" in form else None,
        _text(form, "mark", "a play") if "mark" in form else None,
        _text(form, "take", "a play") if "take" in form else None,
    )


def _read_pet(form: dict[str, object]) -> Pet:
    check_keys(form, _PET_KEYS, "a pet")
    if "card" not in form:
        raise MoveFormatError("a pet names a card, or null for none")
    return Pet(None if form["card"] is None else _text(form, "card", "a pet"))


def _read_pass(form: dict[str, object]) -> Pass:
    check_keys(form, _PASS_KEYS, "a pass")
    return Pass()


def check_keys(form: dict[str, object], known: frozenset[str], what: str) -> None:
    """Raise `MoveFormatError` for a key that is neither known nor private (x-…)."""
    if not form.keys() <= known:
        for key in form:
            if key not in known and not key.startswith("x-"):
                raise MoveFormatError(f"{what} has the unknown key {shown(key)}")


def shown(value: object, longest: int = 40) -> str:
    """A foreign value in a message: on one line, printable and short."""
    try:
        text = ascii(value)
    except RecursionError:  # read just below the limit of nesting
        text = f"a deeply nested {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _text(form: dict[str, object], key: str, what: str) -> str:
    value = form.get(key)
    if not isinstance(value, str):
        raise MoveFormatError(f"the {key} of {what} is a name")
    return value


_READERS: dict[str, Callable[[dict[str, object]], Move]] = {
    "gather": _read_gather,
    "board": _read_board,
    "pet": _read_pet,
    "pass": _read_pass,
}
_GATHER_KEYS = frozenset({"type", "take"})
_BOARD_KEYS = frozenset({"type", "plays"})
_PLAY_KEYS = frozenset({"card", "cabin", "out", "mark", "take"})
_PET_KEYS = frozenset({"type", "card"})
_PASS_KEYS = frozenset({"type"})


def notation(move: Move) -> str:
    """The move as a player would write it: ``play fox L6 take chimpanzee + skunk R1 out deer``."""
    match move:
        case Gather(take):
            return f"take {take}"
        case Board(plays):
            return " + ".join(_play_notation(play) for play in plays)
        case Pet(card):
            return f"pet {card or 'none'}"
        case Pass():
            return "pass"


def _play_notation(play: Play) -> str:
    words = ["play", play.card, play.cabin]
    for option, value in (("out", play.out), ("mark", play.mark), ("take", play.take)):
        if value is not None:
            words += [option, value]
    return " ".join(words)
