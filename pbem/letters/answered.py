"""The desk's answer to an order, prepared for the templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.letters.plain import clean, clean_lines
from pbem.translation import _, capitalised, later, series

STATUS = {
    "done": later("Done"),
    "preview": later("Preview"),
    "answered": later("Answer"),
    "refused": later("Refused"),
    "ambiguous": later("Ambiguous"),
    "not understood": later("Not understood"),
    "not tried": later("Not tried"),
    "ignored": later("Left aside"),
}
"""What became of a line, in the order in which troubles and results interest most."""
TROUBLE = frozenset({"refused", "ambiguous", "not understood"})
_TELLING = frozenset({"answered", "ignored"})
LONGEST_ECHO = 200


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    text: str  # as the player wrote it
    status: str
    told: str  # the status in words, with the rules that the message does not name: a sentence
    message: str
    suggest: str
    readings: tuple[str, ...]
    block: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """``main`` are the lines that were meant as commands, ``ignored`` the others, but for the
    sign-off, of which nobody thinks that it is one; ``aside``: there was no turn among them."""

    outcome: str
    main: list[AnsweredLine]
    ignored: list[AnsweredLine]
    notes: list[str]
    troubles: int
    done: int
    aside: bool


def answered(answer: Mapping[str, Any]) -> Answered:
    lines = [_line(line) for line in answer["lines"] if line.get("message") != "sign-off"]
    return Answered(
        outcome=answer["outcome"],
        main=[line for line in lines if line.status != "ignored"],
        ignored=[line for line in lines if line.status == "ignored" and line.text],
        notes=[clean(note, 500) for note in answer.get("notes", ())],
        troubles=sum(line.status in TROUBLE for line in lines),
        done=sum(line.status == "done" for line in lines),
        aside=all(line.get("aside") for line in answer["lines"] if line["status"] not in _TELLING),
    )


def _line(line: Mapping[str, Any]) -> AnsweredLine:
    message = _sentence(line.get("message") or "")
    # The sentences of the rules name them; once is enough.
    rules = [rule for rule in line.get("rules") or () if rule not in message]
    return AnsweredLine(
        text=clean(line["text"], LONGEST_ECHO),
        status=line["status"],
        told=_told(line["status"], series(rules)),
        message=message,
        suggest=clean(line.get("suggest") or ""),
        readings=tuple(clean(reading) for reading in line.get("readings") or ()),
        block=_block(line.get("block") or ()),
    )


def _block(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for line in lines for part in clean_lines(line))


def _told(status: str, rules: str) -> str:
    words = _(STATUS[status]) if status in STATUS else status
    if rules:
        return _("{status} ({rules}).", status=words, rules=rules)
    return _("{status}.", status=words)


def _sentence(message: str) -> str:
    message = capitalised(clean(message, 1000))
    if not message or message[-1] in ".!?:。！？：":
        return message
    return _("{sentence}.", sentence=message)
