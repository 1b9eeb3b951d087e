"""The clock: reminders at 50, 80 and 95 % of a turn's time, word at the deadline, once."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from pbem.clock import sweep
from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.store import Game, Letter
from pbem.store.log import Author
from tests.conftest import HandClock
from tests.desk.table import Table


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation, hours=100)


def _kinds(table: Table, seat: int) -> list[str]:
    return [
        letter.kind
        for letter in table.letters(seat)
        if letter.kind in ("reminder", "deadline-missed")
    ]


def test_nothing_is_due_before_its_time(table: Table, clock: HandClock) -> None:
    clock.advance(hours=49.9)
    assert sweep(table.installation) == 0
    assert _kinds(table, 0) == []


def test_the_ladder_and_the_deadline(table: Table, clock: HandClock) -> None:
    told = []
    for hours in (50, 30, 15, 5):
        clock.advance(hours=hours)
        assert sweep(table.installation) == 1
        assert sweep(table.installation) == 0  # a second firing does nothing
        told.append(_kinds(table, 0))
    assert [len(kinds) for kinds in told] == [1, 2, 3, 4]
    assert told[-1] == ["reminder"] * 3 + ["deadline-missed"]
    assert _kinds(table, 1) == _kinds(table, 2) == ["deadline-missed"]
    assert [event.kind for event in table.events()].count("deadline") == 1


def test_a_server_that_was_down_sends_one_reminder_not_three(
    table: Table, clock: HandClock
) -> None:
    clock.advance(hours=96)
    sweep(table.installation)
    assert _kinds(table, 0) == ["reminder"]


def test_the_turn_that_is_in_ends_the_reminders(table: Table, clock: HandClock) -> None:
    clock.advance(hours=49)
    table.order(0, f"take {table.view(0).display[0]}")
    clock.advance(hours=30)
    assert sweep(table.installation) == 0
    clock.advance(hours=20)
    assert sweep(table.installation) == 1
    assert _kinds(table, 0) == []
    assert _kinds(table, 1) == ["reminder"]


def test_the_organiser_who_plays_is_told_at_the_deadline(table: Table, clock: HandClock) -> None:
    clock.advance(hours=100)
    sweep(table.installation)
    assert table.letters(kind="deadline-missed-organiser")


def test_a_turn_after_the_deadline_still_counts(table: Table, clock: HandClock) -> None:
    clock.advance(hours=101)
    sweep(table.installation)
    assert table.order(0, f"take {table.view(0).display[0]}").outcome == "done"
    due = table.game().due_at
    assert due == clock() + timedelta(hours=100)


def test_an_unfilled_table_is_reminded_twice_and_expires(
    installation: Installation, clock: HandClock
) -> None:
    with installation.store.work() as session:
        people = [
            find_or_add_person(session, clock(), name, f"{name}@example.net")
            for name in ("Ann", "Bo", "Cy")
        ]
        game = tables.open_table(
            session, installation.site, clock(), installation.entropy, Author("mail", people[0].id),
            name="Late", places=[Place(person.id) for person in people],
            organiser_id=people[0].id,
        )  # fmt: skip
        game_id = game.id
    counts = []
    for _ in range(7):
        clock.advance(days=1)
        sweep(installation)
        sweep(installation)
        with installation.store.read() as session:
            letters = session.exec(
                select(Letter.kind).where(Letter.game_id == game_id).order_by(col(Letter.id))
            ).all()
            counts.append(letters.count("invitation-reminder"))
    assert counts == [0, 0, 2, 2, 2, 4, 4]
    assert letters.count("expired") == 3
    with installation.store.read() as session:
        game = session.get_one(Game, game_id)
        assert (game.status, game.alarm_at) == ("expired", None)
