"""Absences, quiet hours and reminders on a player's settings page."""

from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlmodel import col, select

from pbem.store import Absence, Person
from tests.web.harbour import Harbour
from tests.web.test_own_settings import press


def of_ann(harbour: Harbour) -> Person:
    with harbour.installation.store.read() as session:
        return session.exec(select(Person).where(col(Person.name).startswith("Ann"))).one()


def test_an_absence_is_announced_and_taken_back_on_the_page(
    harbour: Harbour, ann: FlaskClient
) -> None:
    day = (harbour.installation.clock().date() + timedelta(days=20)).isoformat()
    shown = press(ann, "away", **{"from": day, "to": day})
    assert "You are away from" in shown.text
    assert f"{day} – {day}" in shown.text
    shown = press(ann, "back")
    assert "Your absence is taken back" in shown.text
    assert "runs again" not in shown.text  # it has never stopped
    with harbour.installation.store.read() as session:
        (absence,) = session.exec(select(Absence)).all()
    assert absence.cancelled_at is not None


def test_back_before_its_last_day(harbour: Harbour, ann: FlaskClient) -> None:
    today = harbour.installation.clock().date()
    last = (today + timedelta(days=3)).isoformat()
    press(ann, "away", **{"from": today.isoformat(), "to": last})
    assert "your time runs again" in press(ann, "back").text


def test_days_that_are_none_are_answered(harbour: Harbour, ann: FlaskClient) -> None:
    assert "No absence of yours" in press(ann, "away", **{"from": "soon", "to": ""}).text
    assert "Those days are over" in press(
        ann, "away", **{"from": "2001-01-01", "to": "2001-01-02"}
    ).text  # fmt: skip


def test_hours_and_reminders(harbour: Harbour, ann: FlaskClient) -> None:
    press(ann, "hours", remind="24h, 6h", quiet_from="22:00", quiet_to="07:00")
    assert (of_ann(harbour).quiet, of_ann(harbour).reminders) == ("22:00-07:00", ["24h", "6h"])
    press(ann, "hours", remind="off", quiet_from="", quiet_to="")
    assert (of_ann(harbour).quiet, of_ann(harbour).reminders) == (None, [])
    press(ann, "hours", remind="on; take fox", quiet_from="x", quiet_to="y")
    assert (of_ann(harbour).quiet, of_ann(harbour).reminders) == (None, [])


@pytest.mark.parametrize("wanted", ["automatic-on", "automatic-off"])
def test_an_absence_that_comes_of_itself_is_asked_for_here(
    harbour: Harbour, ann: FlaskClient, wanted: str
) -> None:
    press(ann, wanted)
    assert of_ann(harbour).automatic_absence == (wanted == "automatic-on")
