"""Deadlines for calendars (RFC 5545): a file with a letter, and a feed behind a secret address.

An event is a wait of a table for somebody.  Its UID is the wait's own and never changes;
its SEQUENCE rises whenever the deadline is moved, and once more when the turn is in: then
the event is cancelled."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from icalendar import Calendar, Event
from sqlmodel import Session, col, select

from pbem.letters.names import table_name
from pbem.letters.site import Site
from pbem.store import Game, Letter, Person, Token, Wait
from pbem.store.tokens import Bearer, issue
from pbem.translation import _, language

PURPOSE = "calendar"
KEPT = timedelta(days=7)  # a cancelled event, until every calendar has taken it out
LONG = timedelta(minutes=15)  # an event ends at the deadline


def open_calendar(session: Session, site: Site, now: datetime, person_id: int) -> str:
    """The secret of a person's calendar; made at first, and anew after it was closed."""
    row = _row(session, person_id)
    generation = 0 if row is None else row.generation + (row.revoked_at is not None)
    return issue(session, site.keys, Bearer(PURPOSE, person_id, generation=generation), now)


def calendar_token(session: Session, site: Site, person_id: int) -> str | None:
    """The secret of a calendar that is open."""
    row = _row(session, person_id)
    if row is None or row.revoked_at is not None:
        return None
    return site.keys.token(Bearer(PURPOSE, person_id, generation=row.generation))


def close_calendar(session: Session, now: datetime, person_id: int) -> None:
    """Nobody reads it any more."""
    row = _row(session, person_id)
    if row is not None and row.revoked_at is None:
        row.revoked_at = now
        session.add(row)


def feed(session: Session, site: Site, person: Person, now: datetime) -> bytes:
    """All deadlines of a person, in the language spoken; of the last week's turns that they
    are over."""
    calendar = _calendar(site)
    calendar.add("X-WR-CALNAME", f"{site.settings.site.name}: {table_name(person.name)}")
    calendar.add("REFRESH-INTERVAL", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    for wait, game in _waits(session, person, now):
        if (event := _event(site, wait, game)) is not None:
            calendar.add_component(event)
    return bytes(calendar.to_ical())


def file_of(session: Session, site: Site, letter: Letter) -> tuple[str, bytes] | None:
    """The method and the file that goes with a letter: the deadline with one that asks for a
    turn, its end with the receipt of that turn.  None: there is no deadline to tell."""
    query = select(Wait).where(
        Wait.game_id == letter.game_id, Wait.seat == letter.seat,
        Wait.person_id == letter.person_id, col(Wait.since) <= letter.created_at,
    )  # fmt: skip
    wait = session.exec(query.order_by(col(Wait.id).desc()).limit(1)).first()
    if wait is None or (wait.ended_at is None) != (letter.kind != "receipt"):
        return None
    event = _event(site, wait, session.get_one(Game, wait.game_id))
    if event is None:
        return None
    method = "PUBLISH" if wait.ended_at is None else "CANCEL"
    calendar = _calendar(site)
    calendar.add("METHOD", method)
    calendar.add_component(event)
    return method, bytes(calendar.to_ical())


def _calendar(site: Site) -> Calendar:
    calendar = Calendar()
    calendar.add("PRODID", f"-//{site.settings.mail.domain}//Ark by mail//{language().upper()}")
    calendar.add("VERSION", "2.0")
    return calendar


def _waits(session: Session, person: Person, now: datetime) -> Iterator[tuple[Wait, Game]]:
    rows = session.exec(
        select(Wait, Game)
        .join(Game, col(Game.id) == col(Wait.game_id))
        .where(
            Wait.person_id == person.id,
            col(Wait.ended_at).is_(None) | (col(Wait.ended_at) > now - KEPT),
        )
        .order_by(col(Wait.id))
    ).all()
    yield from rows


def _event(site: Site, wait: Wait, game: Game) -> Event | None:
    """The deadline of a wait; None where it has none."""
    if wait.due_at is None:
        return None
    due = wait.due_at.astimezone(UTC)
    changed = wait.ended_at or wait.extended_at or wait.since
    event = Event()
    event.add("UID", f"deadline-{wait.id}@{site.settings.mail.domain}")
    event.add("SEQUENCE", wait.revision + (wait.ended_at is not None))
    event.add("DTSTAMP", changed.astimezone(UTC))
    event.add("DTSTART", due - LONG)
    event.add("DTEND", due)
    event.add("SUMMARY", _("Ark, {game}: your turn is due", game=table_name(game.name, 60)))
    event.add("STATUS", "CONFIRMED" if wait.ended_at is None else "CANCELLED")
    event.add("ORGANIZER", f"mailto:{site.settings.server_address}")
    event.add("TRANSP", "TRANSPARENT")
    return event


def _row(session: Session, person_id: int) -> Token | None:
    """The newest token of the kind."""
    query = select(Token).where(Token.person_id == person_id, Token.purpose == PURPOSE)
    return session.exec(query.order_by(col(Token.generation).desc()).limit(1)).first()
