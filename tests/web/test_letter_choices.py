"""The choices about letters on the settings page, and the calendar a person may subscribe to."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from icalendar import Calendar
from sqlmodel import select

from pbem.letters.ark_png import can_draw
from pbem.store import Person, TablePreference
from tests.web.harbour import RUNNING, Harbour, page

SETTINGS, WAYS = "/me/settings", "/me/ways"


def choose(client: FlaskClient, path: str = SETTINGS, form: str = SETTINGS, **fields: str) -> int:
    """Send one of a page's forms; the status of the answer."""
    data = {"csrf": page(client, form).field("csrf"), **fields}
    return client.post(path, data=data).status_code


def ann_now(harbour: Harbour) -> Person:
    with harbour.installation.store.read() as session:
        return session.get_one(Person, 1)


def at_table(harbour: Harbour) -> str | None:
    with harbour.installation.store.read() as session:
        query = select(TablePreference.letters).where(TablePreference.person_id == 1)
        return session.exec(query).first()


def test_the_hour_of_the_days_letter(harbour: Harbour, ann: FlaskClient) -> None:
    assert choose(ann, do="hour", hour="19") == 303
    assert (ann_now(harbour).digest_hour, ann_now(harbour).digest_at) == (19, None)
    harbour.trust(RUNNING)
    assert choose(ann, do="table", game=str(RUNNING), letters="digest") == 303
    due = ann_now(harbour).digest_at
    assert due is not None
    assert due > harbour.installation.clock()
    assert choose(ann, do="hour", hour="20") == 303
    assert ann_now(harbour).digest_at != due  # it moves along
    chosen = page(ann, SETTINGS).source
    assert '<option value="20" selected>' in chosen


def test_an_hour_that_is_none(harbour: Harbour, ann: FlaskClient) -> None:
    for hour in ("", "24", "-1", "7.5", "٧", "seven"):
        assert choose(ann, do="hour", hour=hour) == 400
    assert ann_now(harbour).digest_hour == 7


def test_letters_of_one_table_and_as_elsewhere(harbour: Harbour, ann: FlaskClient) -> None:
    assert choose(ann, do="table", game=str(RUNNING), letters="mine") == 303
    assert at_table(harbour) == "mine"
    assert choose(ann, do="table", game=str(RUNNING), letters="") == 303
    assert at_table(harbour) is None
    assert ann_now(harbour).letters == "every"


def test_no_other_table_and_no_other_choice(harbour: Harbour, ann: FlaskClient) -> None:
    over = "1"
    for game, letters in (
        (str(RUNNING), "weekly"), ("999", "mine"), (over, "mine"), ("", "mine"),
    ):  # fmt: skip
        assert choose(ann, do="table", game=game, letters=letters) == 400
    assert at_table(harbour) is None


def test_the_picture_of_the_ark(harbour: Harbour, ann: FlaskClient) -> None:
    assert choose(ann, do="picture-on") == 303
    assert ann_now(harbour).ark_picture
    assert ('value="picture-off"' in page(ann, SETTINGS).source) == can_draw("en")
    assert choose(ann, do="picture-off") == 303
    assert not ann_now(harbour).ark_picture


def test_deadlines_as_files(harbour: Harbour, ann: FlaskClient) -> None:
    path = f"{WAYS}/calendar"
    assert choose(ann, path, WAYS, do="files") == 303
    assert ann_now(harbour).calendar_files
    assert choose(ann, path, WAYS, do="no-files") == 303
    assert not ann_now(harbour).calendar_files
    assert choose(ann, path, WAYS, do="fly") == 400


@pytest.mark.parametrize("path", [SETTINGS, f"{WAYS}/calendar"])
def test_nothing_is_chosen_without_the_sessions_mark(
    harbour: Harbour, ann: FlaskClient, path: str
) -> None:
    before = harbour.rows()
    for do in ("hour", "table", "picture-on", "files", "open"):
        assert ann.post(path, data={"do": do, "hour": "9"}).status_code == 400
        assert ann.get(path, query_string={"do": do}).status_code in (200, 405)
    assert harbour.rows() == before


# -- the calendar


def calendar_path(harbour: Harbour, client: FlaskClient) -> str:
    assert choose(client, f"{WAYS}/calendar", WAYS, do="open") == 303
    addresses = page(client, WAYS).source.split("<code>")[1:]
    [url] = [one.split("</code>")[0] for one in addresses if ".ics</code>" in one]
    return url.removeprefix(harbour.installation.settings.base_url)


def test_a_calendar_shows_until_when_and_nothing_else(
    harbour: Harbour, app: Flask, client: FlaskClient
) -> None:
    game = harbour.game(RUNNING)
    names = ("Ann", "Bo", "Cy")
    found = {}
    for name in names:
        path = calendar_path(harbour, harbour.browser(app, name))
        response = client.get(path)  # without a session: a program reads it
        assert response.content_type == "text/calendar; charset=utf-8"
        events = [
            event
            for event in Calendar.from_ical(response.data).walk("VEVENT")
            if event["STATUS"] != "CANCELLED"  # those of turns that are in stay for a week
        ]
        found[name] = (path, response, events)
    dated = [events for _, _, events in found.values() if events]
    assert len(dated) == 1  # one is to move
    [[event]] = dated
    assert game.name in str(event["SUMMARY"])
    assert game.due_at in [event[name].dt for name in ("DTSTART", "DTEND") if name in event]
    for path, response, _ in found.values():
        text = response.get_data(as_text=True)
        assert path.split("/")[2].removesuffix(".ics") not in text
        assert "@example.org" not in text.replace("@ark.example.org", "")


def test_the_same_is_not_sent_again(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient
) -> None:
    path = calendar_path(harbour, ann)
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_closed_calendar_is_gone_and_a_new_one_has_another_address(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient
) -> None:
    path = calendar_path(harbour, ann)
    assert choose(ann, f"{WAYS}/calendar", WAYS, do="close") == 303
    assert client.get(path).status_code == 404
    assert calendar_path(harbour, ann) != path
    assert client.get(path).status_code == 404


def test_no_other_token_is_a_calendar(harbour: Harbour, client: FlaskClient) -> None:
    for token in (harbour.token("Ann"), "x"):
        assert client.get(f"/calendar/{token}.ics").status_code == 404
