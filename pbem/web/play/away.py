"""What a player's settings page shows of absences, quiet hours and reminders, and the
commands its forms stand for."""

import re
from dataclasses import dataclass

from flask import request
from sqlmodel import Session

from pbem.desk import absences
from pbem.installation import Installation
from pbem.store import Absence, Person
from pbem.translation import _

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"[0-2][0-9]:[0-5][0-9]")
_LADDERS = {"24h": ["24h"], "24h, 6h": ["24h", "6h"]}
OWN = "own"


@dataclass(frozen=True)
class AwayPage:
    """Absences to come, days left a table, and the choices of the forms."""

    coming: list[Absence]
    shares: list[absences.Share]
    today: str
    zone: str
    proposed: str | None
    ladders: list[tuple[str, str]]
    ladder: str


def away_of(session: Session, here: Installation, person: Person) -> AwayPage:
    """For the settings page of a person."""
    now, site = here.clock(), here.site
    ladder = _ladder(person)
    return AwayPage(
        absences.coming(session, person, now),
        absences.shares(session, person),
        absences.today(person, site, now).isoformat(),
        absences.zone_of(person, site),
        None if person.zone else person.zone_proposed,
        [
            ("on", _("when half, most and nearly all of the time is over")),
            ("24h", _("a day before")),
            ("24h, 6h", _("a day and six hours before")),
            ("off", _("none")),
            *([(OWN, _("as you chose by mail"))] if ladder == OWN else []),
        ],
        ladder,
    )


def commands(person: Person) -> list[str] | None:
    """The commands of the form that was sent; None if it is none of these."""
    match request.form.get("do", ""):
        case "away":
            first, last = request.form.get("from", ""), request.form.get("to", "")
            if not _DAY.fullmatch(first) or not _DAY.fullmatch(last):
                return ["vacation"]
            return [f"vacation {first} to {last}"]
        case "back":
            return ["vacation off"]
        case "hours":
            return _hours(person)
    return None


def _hours(person: Person) -> list[str]:
    """Only what was changed, so that the answer speaks of that."""
    found = []
    ladder = request.form.get("remind", "")
    if ladder in ("on", "off", *_LADDERS) and ladder != _ladder(person):
        found.append(f"remind {ladder}")
    start, end = request.form.get("quiet_from", ""), request.form.get("quiet_to", "")
    if _TIME.fullmatch(start) and _TIME.fullmatch(end):
        found += [f"quiet {start}-{end}"] if f"{start}-{end}" != person.quiet else []
    elif not start and not end and person.quiet is not None:
        found.append("quiet off")
    return found or ["remind"]


def _ladder(person: Person) -> str:
    if person.reminders is None:
        return "on"
    if not person.reminders:
        return "off"
    return next((name for name, rungs in _LADDERS.items() if rungs == person.reminders), OWN)
