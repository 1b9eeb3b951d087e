"""What letters about a person himself are given: his addresses, and his data in words."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from engine.moves import Board, Gather, Play, from_json, notation, to_json
from pbem.commands import print_turn
from pbem.letters.bearers import reply_bearer
from pbem.letters.moments import moment
from pbem.letters.plain import clean, clean_lines
from pbem.letters.site import Site
from pbem.store import AddressChange, Letter, Person
from pbem.store.personal import everything
from pbem.translation import _, language

OF_ADDRESSES = frozenset({"address-confirm", "address-changed"})
SELF_EVIDENT = frozenset({"name", "address", "at", "answer", "kind", "state", "subject", "url"})
BY_LINE = frozenset({"person", "choices"})
"""Data of which each fact has a line of its own."""
LONGEST = 300  # characters of a line of it
MOST_LINES = 1000  # of the text of a letter with all data; the attachment holds every one
_ISO = re.compile(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\+00:00$")


@dataclass(frozen=True, slots=True)
class DataSection:
    """One kind of data, line by line."""

    title: str
    lines: tuple[str, ...]


def welcome_words(letter: Letter, person: Person | None) -> dict[str, Any]:
    """What the reader's first answer came to, his zone, and two turns as examples."""
    zone = None if person is None else person.zone
    gather, board = Gather("fox"), Board((Play("hen", "L2"),))
    return {
        "said": letter.context["said"],
        "zone": "" if zone is None else zone.replace("_", " "),
        "gather": print_turn(to_json(gather), language()),
        "board": print_turn(to_json(board), language()),
    }


def address_words(
    session: Session, site: Site, letter: Letter, person: Person | None
) -> dict[str, Any]:
    """Old and new address, the page that acts, and until when it does."""
    change = session.get(AddressChange, letter.context["change"])
    bearer = reply_bearer(letter)
    token = "" if bearer is None else site.keys.token(bearer)
    zone = None if person is None else person.zone
    until = None if change is None else change.undo_until or change.expires_at
    return {
        "new_address": "" if change is None else clean(change.address),
        "old_address": "" if change is None else clean(change.old_address or ""),
        "action": "change" if change is None else change.action,
        "link": site.act_url("undo" if letter.kind == "address-changed" else "address", token),
        "until": "" if until is None else str(moment(until, zone, site.settings.site.zone)),
    }


def data_words(session: Session, site: Site, person: Person) -> dict[str, Any]:
    """All that is stored about a person, section by section, and how much was left out."""
    sections, room, left_out = [], MOST_LINES, 0
    for title, lines in _sections(everything(session, person)):
        shown = lines[:room]
        room -= len(shown)
        left_out += len(lines) - len(shown)
        sections.append(DataSection(title, tuple(shown)))
    keep_days = site.settings.mail.keep_days
    return {
        "sections": [one for one in sections if one.lines],
        "empty": [one.title for one in sections if not one.lines],
        "left_out": left_out,
        "keep_days": keep_days,
    }


def data_file(session: Session, person: Person) -> bytes:
    """The same as JSON, whole."""
    return json.dumps(everything(session, person), ensure_ascii=False, indent=1).encode()


def _sections(data: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    titles = {
        "person": _("You"),
        "choices": _("Your choices"),
        "choices at tables": _("Your choices at single tables"),
        "web addresses that are called": _("Web addresses that are called"),
        "addresses": _("Your addresses"),
        "changes of address": _("Changes of address"),
        "invitations": _("Invitations"),
        "games": _("The games you played in"),
        "absences": _("Your absences"),
        "how punctual you are": _("How you answer"),
        "seats you were asked to take": _("Seats you were asked to take"),
        "your page in the archive": _("Your page in the archive"),
        "turns": _("Your turns"),
        "messages and notes": _("Your messages and notes"),
        "mails from you": _("Mails from you"),
        "letters to you": _("Letters to you"),
    }
    for key, title in titles.items():
        rows = data[key] if isinstance(data[key], list) else [data[key]]
        if key == "letters to you":  # each one has told about itself
            counts = Counter(row["kind"] for row in rows)
            rows = [{kind: count} for kind, count in sorted(counts.items())]
        if key in BY_LINE:
            rows = [{name: value} for name, value in rows[0].items()]
        yield title, [line for row in rows if row for line in _lines(row)]


def _lines(row: Mapping[str, Any]) -> Iterator[str]:
    """One row: what is short on one line, a text below it."""
    short = [
        _shown(name, value)
        for name, value in row.items()
        if value not in (None, "", False) and name != "text"
    ]
    if short:
        yield f"· {', '.join(short)}"
    if row.get("text"):
        yield from (line[:LONGEST] for line in clean_lines(row["text"]))


def _shown(name: str, value: Any) -> str:
    """A fact with its name, unless it says itself what it is."""
    if name == "move":
        return notation(from_json(value))
    if value is True:
        return name
    told = clean(_ISO.sub(r"\1 \2", str(value)), LONGEST)
    return told if name in SELF_EVIDENT else f"{name} {told}"
