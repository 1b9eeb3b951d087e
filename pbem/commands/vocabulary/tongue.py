"""The shape of one language's words.

Every field is a list of forms as text, separated by commas; the first form is the one that is
printed. A form may stand in two scripts, `traditional|simplified`. Spelling is free: forms are
folded (commands.normalise) before they are used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Tongue:
    """All words of one language that the parser and the printer know."""

    cards: Mapping[str, str]
    """Canonical card name (a provision without its number) to its names."""
    shared: Mapping[str, tuple[str, ...]]
    """Names that fit several cards and are therefore asked back."""
    commands: Mapping[str, str]
    """Canonical command word to its words."""
    options: Mapping[str, str]
    """`out`, `mark`, `take`, and `drive` (the first half of "drive X out")."""
    kinds: Mapping[str, str]
    """The five scoring kinds."""
    settings: Mapping[str, str]
    """Words that occur as arguments of commands: on, off, with, for, if, or, all …"""
    sides: Mapping[str, str]
    """`L`, `R` and `new`."""
    courtesy: str
    subjects: str
    fillers: str
    joiners: str
    question: str
    """Words that turn a line into a question when they close it."""
    none: str
    prefixes: str
    """Closing halves of separable verbs (`lade … ein`)."""
    sign_offs: str
    addressees: str
    """Who a sign-off may be addressed to ("thanks all")."""
    stop_words: str
    """Negations, conditions and doubts; in prose they stop the mail."""
    stop_characters: str = ""
    """The same for languages written without spaces."""
    innocent: str = ""
    """Words that contain a stop character or a card's name without meaning it."""
    everyday: str = ""
    """Words and first names that differ from a command by one letter and are no typing error."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    months: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    """Language code to its names in this language."""
    cities: Mapping[str, str] = field(default_factory=dict)
    """Zone name to cities that are not part of its name."""


def forms(text: str) -> list[tuple[str, ...]]:
    """The forms of a comma-separated list, each as a tuple of its scripts."""
    return [
        tuple(script.strip() for script in form.split("|"))
        for form in text.split(",")
        if form.strip()
    ]
