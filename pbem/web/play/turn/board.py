"""The part of a table's page that a turn is made with, as its template shows it."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.playing import Event
from pbem.letters.ark import Picture
from pbem.letters.cards import Face
from pbem.web.play.turn.sums import Sums


@dataclass(frozen=True)
class Reason:
    """Why not: a rule and what it says here."""

    rule: str
    sentence: str


@dataclass(frozen=True)
class CardOption:
    """A card that may be chosen (``link``), or not."""

    face: Face
    note: str
    link: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class CabinOption:
    """A cabin, for the card that is being played: to be chosen, or the reasons why not."""

    link: str = ""
    words: str = ""
    reasons: tuple[Reason, ...] = ()
    chosen: bool = False


@dataclass(frozen=True)
class Option:
    """One of several answers to the step's question; ``face`` where it is a card."""

    label: str
    link: str
    face: Face | None = None


@dataclass(frozen=True)
class TurnBoard:
    """The page's part that a turn is made with.

    ``step``: watch (it is not this seat's turn), card, cabin, out, mark, take, ready."""

    step: str
    heading: str
    ark: Picture
    hand: tuple[CardOption, ...]
    display: tuple[CardOption, ...]
    targets: Mapping[str, CabinOption]
    options: tuple[Option, ...] = ()
    without: tuple[Option, ...] = ()  # what can be done without a card: no pet, or to pass
    more: tuple[CardOption, ...] = ()  # what the second card may be
    words: str = ""  # what is chosen, where no card is played
    told: tuple[Event, ...] = ()  # the plays that are complete
    sums: Sums | None = None
    command: str = ""  # the whole turn as a line; "" until it is complete
    shown: str = ""  # the same as letters write it: no copy's number where none is needed
    back: str = ""  # one step back
    restart: str = ""
    trying: bool = False
    try_link: str = ""  # look further, or stop looking


@dataclass(frozen=True)
class Fresh:
    """What is new on the ark since the seat's last turn: framed until something is chosen."""

    cards: frozenset[str] = frozenset()
    cabins: frozenset[str] = frozenset()
