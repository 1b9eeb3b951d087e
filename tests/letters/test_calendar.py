"""Deadlines for calendars hold to RFC 5545."""

from datetime import UTC, timedelta

from icalendar import Calendar
from sqlmodel import Session, col, select

from pbem.letters import Site, calendar
from pbem.letters.scenes_clock import _waiting
from pbem.letters.stage import Stage
from pbem.post.content import mime_of
from pbem.store import Letter, Person, Wait
from pbem.store.rows import id_of


def events(content: bytes) -> list[dict[str, object]]:
    """The events of a file that is well formed: lines end in CRLF and have at most 75 octets."""
    assert content.endswith(b"\r\n")
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    assert b"\n" not in content.replace(b"\r\n", b"")
    read = Calendar.from_ical(content)
    assert read["VERSION"] == "2.0"
    assert read["PRODID"]
    return [
        {
            "uid": str(event["UID"]), "sequence": int(event["SEQUENCE"]),
            "status": str(event["STATUS"]), "due": event.decoded("DTEND"),
            "told": str(event["SUMMARY"]),
        }
        for event in read.walk("VEVENT")
    ]  # fmt: skip


def waiting(session: Session, site: Site, name: str = "Sunday; club,\nlong") -> tuple[Person, Wait]:
    table = Stage(session, site, 3, "dates", name=name).begin()
    wait = _waiting(session, table, 48)
    return session.get_one(Person, wait.person_id), wait


def test_the_feed_follows_a_wait(session: Session, site: Site) -> None:
    person, wait = waiting(session, site)
    now = wait.since
    [first] = events(calendar.feed(session, site, person, now))
    assert wait.due_at is not None
    assert first["due"] == wait.due_at.astimezone(UTC)
    assert first["status"] == "CONFIRMED"
    assert "Sunday; club, long" in str(first["told"])
    wait.due_at += timedelta(days=1)
    wait.revision += 1
    [moved] = events(calendar.feed(session, site, person, now))
    wait.ended_at = now + timedelta(hours=1)
    [over] = events(calendar.feed(session, site, person, now + timedelta(hours=2)))
    assert {first["uid"], moved["uid"], over["uid"]} == {first["uid"]}
    assert [one["sequence"] for one in (first, moved, over)] == [0, 1, 2]
    assert over["status"] == "CANCELLED"
    assert events(calendar.feed(session, site, person, now + timedelta(days=9))) == []


def test_a_file_with_the_letter_only_where_it_is_wanted(session: Session, site: Site) -> None:
    person, wait = waiting(session, site)
    query = select(Letter).where(Letter.kind == "your-turn", Letter.person_id == person.id)
    letter = session.exec(query.order_by(col(Letter.id).desc())).first()
    assert letter is not None
    wait.since = letter.created_at
    assert b"text/calendar" not in mime_of(session, site, letter)
    person.calendar_files = True
    assert b"Content-Type: text/calendar; charset=utf-8; method=PUBLISH" in mime_of(
        session, site, letter
    )
    found = calendar.file_of(session, site, letter)
    assert found is not None
    [asked] = events(found[1])
    assert found[0] == "PUBLISH"
    assert asked["status"] == "CONFIRMED"
    letter.kind = "receipt"
    assert calendar.file_of(session, site, letter) is None  # his turn is not in
    wait.ended_at = wait.since + timedelta(hours=2)
    found = calendar.file_of(session, site, letter)
    assert found is not None
    [ended] = events(found[1])
    assert (found[0], ended["status"]) == ("CANCEL", "CANCELLED")
    assert ended["uid"] == asked["uid"]
    assert int(str(ended["sequence"])) > int(str(asked["sequence"]))


def test_the_address_is_made_void_and_anew(session: Session, site: Site) -> None:
    person, wait = waiting(session, site)
    number, now = id_of(person), wait.since
    assert calendar.calendar_token(session, site, number) is None
    first = calendar.open_calendar(session, site, now, number)
    assert calendar.calendar_token(session, site, number) == first
    calendar.close_calendar(session, now, number)
    assert calendar.calendar_token(session, site, number) is None
    assert calendar.open_calendar(session, site, now, number) != first
