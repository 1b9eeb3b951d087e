"""Times in letters: how long a turn may take, what waits for somebody, who is away."""

from datetime import date, datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.letters.moments import moment, span
from pbem.letters.names import table_name
from pbem.store import Game, Letter, Person, Wait
from pbem.timing import Bank, Control, Daily, PerTurn
from pbem.timing.controls import EVERY_DAY
from pbem.translation import _, language, listing
from pbem.translation.catalogues import locale_of


def pace(control: Control) -> str:
    """How long a turn may take."""
    match control:
        case PerTurn():
            return span(control.seconds)
        case Bank():
            return _(
                "a bank of {bank}; each turn adds {more}, up to {cap}",
                bank=span(control.seconds), more=span(control.increment), cap=span(control.cap),
            )  # fmt: skip
        case Daily():
            at, zone = f"{control.at:%H:%M}", control.zone.replace("_", " ")
            if control.days == EVERY_DAY:
                return _("until {time} ({zone}) every day", time=at, zone=zone)
            days = listing(_weekday(day) for day in control.days)
            return _("until {time} ({zone}), on {days}", time=at, zone=zone, days=days)
        case _:
            return _("as long as you like; you are reminded")


def day(iso: str) -> str:
    """A day, as it stands in a calendar."""
    from babel.dates import format_date

    # i18n: a date pattern of Unicode's CLDR: weekday, day, month and year.
    pattern = _("EEE d MMM y")
    return str(format_date(date.fromisoformat(iso), pattern, locale=locale_of(language())))


def absence_words(letter: Letter, names: list[str]) -> dict[str, Any]:
    """Who is away, and when."""
    facts = letter.context["absence"]
    return {
        "away": names[facts["seat"]],
        "away_is_me": facts["seat"] == letter.seat,
        "first_day": day(facts["first"]),
        "last_day": day(facts["last"]),
        "automatic": facts["kind"] == "automatic",
    }


def late_words(letter: Letter, person: Person | None, game: Game) -> dict[str, str]:
    """What follows when time is over."""
    until = letter.context.get("until")
    zone = None if person is None else person.zone
    return {
        "what": letter.context.get("what", "wait"),
        "until": (
            "" if until is None else str(moment(datetime.fromisoformat(until), zone, game.zone))
        ),
    }


def waiting_tables(session: Session, letter: Letter, person: Person | None) -> dict[str, Any]:
    """The tables of a common reminder that still wait when it goes out."""
    rows = session.exec(
        select(Wait, Game)
        .join(Game, col(Game.id) == col(Wait.game_id))
        .where(col(Wait.id).in_(letter.context["waits"]), col(Wait.ended_at).is_(None))
        .order_by(col(Wait.due_at).is_(None), col(Wait.due_at), col(Wait.id))
    ).all()
    zone = None if person is None else person.zone
    return {
        "waiting": [
            {
                "id": game.id,
                "name": table_name(game.name, 60),
                "since": str(moment(wait.since, zone, game.zone)),
                "deadline": (
                    "" if wait.due_at is None else str(moment(wait.due_at, zone, game.zone))
                ),
            }
            for wait, game in rows
        ]
    }


def _weekday(number: int) -> str:
    from babel.dates import get_day_names

    # Without the dot of an abbreviation: it may stand at the end of a sentence.
    return str(get_day_names("abbreviated", locale=locale_of(language()))[number]).rstrip(".")
