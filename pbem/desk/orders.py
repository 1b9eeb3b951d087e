"""What comes to the desk, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.commands import Line
from pbem.store.log import Author
from pbem.translation import _


@dataclass(frozen=True)
class Order:
    """Commands as somebody wrote them, and what is known about him.

    ``decision`` is the one his letter or form was made for (None: the present one);
    ``confirmed`` says whether the answer may hold a hand (commands.md 1.8).
    """

    text: str
    author: Author
    game_id: int | None = None
    seat: int | None = None
    decision: int | None = None
    invitation_id: int | None = None
    addressed: str = "seat"  # seat, person, server
    sender: str | None = None
    message_id: str = ""  # of the mail, or the form's idempotency key (commands.md 1.7)
    confirmed: bool = True
    purpose: str = ""  # of the reply address that was used: seat, person, confirm, address, …
    confirms: int | None = None  # what the letter asked about whose reply address was used
    breaks: tuple[int, ...] = ()  # lines of `text` above which quoted text was cut
    notes: tuple[str, ...] = ()  # to be said in the answer beside what is done
    # Of a letter about several tables: the newest event before it was written, or the
    # decisions (table, number) that the addresses of an answer stand for.
    after: int | None = None
    decisions: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class AnswerLine:
    """What became of one line.

    ``status``: done, preview, answered, refused, ambiguous, not understood, not tried,
    ignored.  ``block`` are the lines of a longer answer (a position, a list); ``asked``:
    nothing was to be done, the line only asked what would be; ``aside``: whatever was meant by
    it, it was no turn."""

    text: str
    status: str
    message: str = ""
    code: str = ""
    rules: tuple[str, ...] = ()
    suggest: str | None = None
    readings: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    asked: bool = False
    aside: bool = False


@dataclass(frozen=True)
class Answer:
    """What was read and done, line by line.

    ``outcome``: done (a turn or another change), information, preview, refused, aged,
    repeated, prose (nothing but prose)."""

    outcome: str
    lines: tuple[AnswerLine, ...] = ()
    game_id: int | None = None
    seat: int | None = None
    seq: int | None = None
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return vars(self) | {"lines": tuple(dict(vars(line)) for line in self.lines)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Answer":
        lines = tuple(AnswerLine(**_with_tuples(line)) for line in stored["lines"])
        return cls(**{**_with_tuples(stored), "lines": lines})


def _with_tuples(form: Mapping[str, Any]) -> dict[str, Any]:
    """JSON knows lists only; the frozen values here hold tuples."""
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in form.items()
    }


def answered(line: Line, message: str = "", block: tuple[str, ...] = ()) -> AnswerLine:
    """A question, answered."""
    return AnswerLine(line.text, "answered", message, block=block)


def done(line: Line, message: str, block: tuple[str, ...] = ()) -> AnswerLine:
    """A change that was made."""
    return AnswerLine(line.text, "done", message, block=block)


def refused(line: Line, code: str, message: str, suggest: str | None = None) -> AnswerLine:
    """An order that is not followed: why, and what to do instead."""
    return AnswerLine(line.text, "refused", message, code, suggest=suggest)


def nobody_known(line: Line) -> AnswerLine:
    """A setting of somebody who is not known here."""
    sentence = _("This address is not known here, so there is nothing to set.")
    return refused(line, "unknown", sentence)


def erroneous(line: Line) -> AnswerLine:
    """A line that could not be read as something to do: as the reader says why."""
    return AnswerLine(
        line.text,
        line.error or "refused",
        line.message or "",
        line.code or "",
        tuple(violation.rule for violation in line.violations),
        line.suggest,
        tuple(line.readings),
    )
