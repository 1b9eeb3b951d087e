"""What reading depends on, and what it gives back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from engine.cards import Deck
from engine.moves import Move
from engine.refusals import Violation
from engine.view import View
from pbem.commands.faults import sentence

Args = Mapping[str, Any]
"""The arguments of a command, in the JSON form of `explain`."""


@dataclass(frozen=True)
class Context:
    """All that reading may depend on; nothing else does."""

    deck: Deck | None = None
    """The table's deck; None: the house deck."""
    language: str = "en"
    """The player's language wins where names conflict (3.8)."""
    sender: str | None = None
    """The sender's own name, or names separated by commas, for sign-offs (1.3)."""
    names: tuple[str, ...] = ()
    """The players at the table, for `say` (3.13); () when unknown."""
    view: View | None = None
    """The seat's view: with it cards, cabins and options are resolved and turns checked."""
    addressed: str = "seat"
    """What the mail was addressed to: a seat, a person, or the server itself (1.9)."""
    game: int | None = None
    """The number of the table of `view`; turns below a line "game N" for another one are not
    checked against it."""
    forming: bool = False
    """The table has not begun: "start" is a command there, and only there."""
    today: date | None = None
    """The player's date, for days given without a year."""
    explains: bool = True
    """Whether what is not understood is told with what may have been meant."""


@dataclass(frozen=True)
class Line:
    """One command of the text, or one line that is none."""

    text: str
    """As written."""
    command: str | None = None
    """The canonical word of commands.md 2 and 4."""
    meant: str | None = None
    """The same word, also where what stands behind it is not understood."""
    args: Args | None = None
    ignored: str | None = None
    """`prose`, `sign-off`, `comment` or `example`."""
    error: str | None = None
    """`not understood`, `ambiguous`, `refused` or `not tried`."""
    code: str | None = None
    """What is wrong, for translations: a code of `faults.CATALOGUE`."""
    details: Args = field(default_factory=dict)
    """The arguments of the code's sentence."""
    suggest: str | None = None
    """A line that would be understood: "did you mean …"."""
    readings: tuple[str, ...] = ()
    """Every line this one may mean; of a refused play, what would be legal instead."""
    violations: tuple[Violation, ...] = ()
    completes: int | None = None
    """This line completes the turn whose `args` stand at that index of the lines."""
    preview: bool = False

    @property
    def rules(self) -> tuple[str, ...]:
        """The R-numbers of the broken rules, each once."""
        return tuple(dict.fromkeys(broken.rule for broken in self.violations))

    @property
    def message(self) -> str | None:
        """What is wrong, in the language spoken, and what to do next; None when nothing is."""
        return sentence(self.code, self.details, self.violations) if self.code else None

    def to_json(self) -> dict[str, Any]:
        """One element of `lines` of `explain` (commands.md 5)."""
        form: dict[str, Any] = {"line": self.text}
        if self.ignored:
            form["ignored"] = self.ignored
        if self.command:
            form["command"] = self.command
        if self.completes is not None:
            form["with"] = self.completes
        elif self.args is not None:
            form["args"] = dict(self.args)
        if self.preview:
            form["preview"] = True
        if self.error:
            form["error"] = self.error
        if self.suggest:
            form["suggest"] = self.suggest
        if self.readings or self.error == "ambiguous":
            form["readings"] = list(self.readings)
        if self.error == "refused":
            form["rules"] = list(self.rules)
        return form


@dataclass(frozen=True)
class ReadyTurn:
    """A turn that may be done, with the table it is for (None: the table of the address)."""

    game: int | None
    move: Move
    line: int
    """The index of the line that holds its `args`."""


@dataclass(frozen=True)
class Reading:
    """How a text was read."""

    lines: tuple[Line, ...]
    stopped: bool
    """A line could not be understood or done, so no turn is (1.5)."""
    turns: tuple[ReadyTurn, ...] = ()
    """The turns that may be done: one a table, checked against the view."""

    @property
    def turn(self) -> Move | None:
        """The one turn of the text, when it may be done."""
        return self.turns[0].move if len(self.turns) == 1 else None
