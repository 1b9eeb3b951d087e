"""The readers of parameters: from what a form holds to a value, or a reason why not."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pbem.commands.requests.durations import read_duration
from pbem.desk.people import address_fault
from pbem.moderation.model import Action, Case, Parameter, Refused
from pbem.store import BulkAction, Person
from pbem.store.people import fold_address, person_by_address
from pbem.timing import ControlError, parse_control
from pbem.timing.durations import read_short
from pbem.timing.zones import zone_or_utc


def read(action: Action, case: Case, given: Mapping[str, str]) -> dict[str, Any]:
    """The values of an action's parameters.  `Refused` names the field of the first fault."""
    values: dict[str, Any] = {}
    for parameter in action.parameters:
        raw = plain(given.get(parameter.name, ""))
        if raw or parameter.kind == "check":
            values[parameter.name] = READERS[parameter.kind](parameter, raw, case)
        elif parameter.required:
            raise _fault(parameter, f"“{parameter.label}” is needed.")
        else:
            values[parameter.name] = None
    return values


def plain(raw: str) -> str:
    """What a form holds, however its browser ends lines: a file keeps them as they are, a
    text field that brings it once more does not."""
    return raw.replace("\r\n", "\n").strip()


def zone_name(case: Case) -> str:
    """The zone a moderator writes times in: his own, else that of the site."""
    number = case.actor.person_id
    person = None if number is None else case.session.get(Person, number)
    return (person.zone if person is not None else None) or case.site.settings.site.zone


def _line(parameter: Parameter, raw: str, _case: Case) -> str:
    if not raw.isprintable():
        raise _fault(parameter, f"“{parameter.label}” is one line of printable text.")
    return _text(parameter, raw, _case)


def _text(parameter: Parameter, raw: str, _case: Case) -> str:
    if len(raw) > parameter.most:
        most = parameter.most
        raise _fault(parameter, f"“{parameter.label}” has at most {most} characters.")
    if any(one < " " and one not in "\n\t" for one in raw):
        raise _fault(parameter, f"“{parameter.label}” holds a sign that is no text.")
    return raw


def _whole(parameter: Parameter, raw: str, _case: Case) -> int:
    if not (is_number(raw) and int(raw) <= parameter.most):
        most = parameter.most
        raise _fault(parameter, f"“{parameter.label}” is a whole number up to {most}.")
    return int(raw)


def _span(parameter: Parameter, raw: str, _case: Case) -> int:
    seconds = read_span(raw)
    if seconds is None or not 0 < seconds <= parameter.most:
        days = parameter.most // 86400
        sentence = f"“{parameter.label}” is a length of time such as 24h or 3 days, up to {days}d."
        raise _fault(parameter, sentence)
    return seconds


def read_span(text: str) -> int | None:
    """Seconds of a length of time as the pages write it (``1 day and 12 hours``), in its short
    form (``36h``), or as hours alone (``36``); None when it is none."""
    if is_number(text):
        return int(text) * 3600 or None
    parts = [read_short(one) or read_duration(one) for one in _AND.split(text.casefold())]
    return None if None in parts else sum(one or 0 for one in parts)


def _time(parameter: Parameter, raw: str, case: Case) -> datetime:
    try:
        at = datetime.fromisoformat(raw)
        if at.tzinfo is None:
            at = at.replace(tzinfo=zone_or_utc(zone_name(case)))
        return at.astimezone(UTC)
    except (ValueError, OverflowError):
        sentence = f"“{parameter.label}” is a time such as 2027-03-01 20:00."
        raise _fault(parameter, sentence) from None


def _choice(parameter: Parameter, raw: str, case: Case) -> str:
    if raw not in {value for value, _label in parameter.choices_in(case)}:
        raise _fault(parameter, f"Choose one of what is offered for “{parameter.label}”.")
    return raw


def _check(_parameter: Parameter, raw: str, _case: Case) -> bool:
    return raw not in ("", "0", "no")


def _control(parameter: Parameter, raw: str, case: Case) -> Any:
    try:
        return parse_control(raw, zone=zone_name(case))
    except ControlError:
        sentence = "That is no time control; 48h, bank 5d + 8h cap 10d, or none are."
        raise _fault(parameter, sentence) from None


def _address(parameter: Parameter, raw: str, case: Case) -> str:
    fault = address_fault(raw, case.site.settings.mail.domain)
    if fault is not None:
        raise _fault(parameter, fault)
    return fold_address(raw)


def _somebody(parameter: Parameter, raw: str, case: Case) -> Person:
    """Somebody who is known here, by address or number."""
    person = (
        case.session.get(Person, int(raw))
        if is_number(raw)
        else person_by_address(case.session, raw)
    )
    if person is not None and person.blocked_at is not None:
        raise _fault(parameter, f"{person.name} is blocked here; unblock this person first.")
    if person is None or person.erased_at is not None:
        sentence = "Nobody with this address (or number) is known here; invite him to a game first."
        raise _fault(parameter, sentence)
    return person


@dataclass(frozen=True)
class Numbers:
    """Games by their numbers, or (``audit``) those that an action on many was done to, by its
    entry in the audit; neither: all of them."""

    named: tuple[int, ...] = ()
    audit: int | None = None

    def __str__(self) -> str:
        if self.audit is not None:
            return f"audit {self.audit}"
        return ", ".join(map(str, self.named)) or "all"


def _numbers(parameter: Parameter, raw: str, case: Case) -> Numbers:
    """Numbers of games: ``1, 2, 5-9``, ``all``, or ``audit 17``."""
    if raw.casefold() == "all":
        return Numbers()
    head, _space, entry = raw.casefold().partition(" ")
    if head == "audit":
        if not is_number(entry) or case.session.get(BulkAction, int(entry)) is None:
            raise _fault(parameter, f"“{entry}” is no entry of the audit about many games.")
        return Numbers(audit=int(entry))
    found: dict[int, None] = {}
    for part in raw.replace(",", " ").split():
        first, dash, last = part.partition("-")
        if not all(map(is_number, (first, last or first))):
            raise _fault(parameter, f"“{part}” is no number of a game; write 1, 2, 5-9.")
        ends = int(first), int(last) if dash else int(first)
        if ends[1] < ends[0]:
            raise _fault(parameter, f"“{part}” runs backwards; write 1, 2, 5-9.")
        if ends[1] - ends[0] >= MOST_NUMBERS:
            raise _fault(parameter, f"At most {MOST_NUMBERS} games at once.")
        found |= dict.fromkeys(range(ends[0], ends[1] + 1))
    if not found:  # none is not all
        raise _fault(parameter, "Name the games, as 1, 2, 5-9; or write: all.")
    if len(found) > MOST_NUMBERS:
        raise _fault(parameter, f"At most {MOST_NUMBERS} games at once.")
    return Numbers(tuple(found))


def is_number(text: str) -> bool:
    """Whether a text is the number of something: digits, not too many for a database."""
    return text.isascii() and text.isdigit() and len(text) < 10


def _fault(parameter: Parameter, sentence: str) -> Refused:
    return Refused("parameter", sentence, parameter.name)


_AND = re.compile(r"\s+and\s+|\s*[,+]\s*")
SPANS = "As 24h, 3d, 2 days; a number alone counts hours."
MOST_NUMBERS = 500
READERS: Mapping[str, Callable[[Parameter, str, Case], Any]] = {
    "line": _line,
    "text": _text,
    "file": _text,
    "whole": _whole,
    "span": _span,
    "time": _time,
    "choice": _choice,
    "check": _check,
    "control": _control,
    "address": _address,
    "somebody": _somebody,
    "numbers": _numbers,
    "event": _whole,  # of the table's log: its number
    "seat": _line,  # game/seat
}
