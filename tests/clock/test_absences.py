"""Being away: declared, listed, taken back, ended by a turn, automatic; budgets."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlmodel import select

from pbem.clock import sweep
from pbem.desk import absences
from pbem.desk.absences import AbsenceError
from pbem.installation import Installation
from pbem.letters.sentences import Teller
from pbem.store import Absence, Game, Person
from pbem.store.log import Author, seen_by
from tests.clock.people import events, person_id, settle, take_first, waits
from tests.conftest import HandClock
from tests.desk.table import Table

DAY = timedelta(days=1)


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation, hours=48)  # it is 9:00 UTC on 1 December


def said(table: Table, text: str, seat: int = 0) -> tuple[str, str]:
    """The status of the answer to a line, and all it says."""
    (line,) = table.order(seat, text).lines
    return line.status, "\n".join((line.message, *line.block))


def due(table: Table) -> datetime:
    found = waits(table)[0].due_at
    assert found is not None
    return found


def test_time_does_not_run_while_somebody_is_away(table: Table, clock: HandClock) -> None:
    before = due(table)
    status, text = said(table, "vacation 2026-12-02 to 2026-12-05")
    assert status == "done"
    assert "Wed 2 Dec 2026" in text
    assert "Sat 5 Dec 2026" in text
    assert due(table) == before + 4 * DAY
    assert [one.public["why"] for one in events(table, "deadline-moved")] == ["absence"]
    assert table.letters(1, "absence")
    assert table.letters(2, "absence")
    assert table.letters(0, "absence") == []
    clock.advance(days=4.5)
    sweep(table.installation)
    assert table.letters(0, "reminder") == []  # a day of his time is gone when he is back
    clock.advance(days=0.6)
    sweep(table.installation)
    assert len(table.letters(0, "reminder")) == 1


def test_days_are_those_of_his_zone(table: Table) -> None:
    settle(table, 0, zone="Asia/Hong_Kong")
    said(table, "vacation 2 Dec to 3 Dec")
    with table.installation.store.read() as session:
        absence = session.exec(select(Absence)).one()
    assert absence.starts_at == datetime(2026, 12, 1, 16, tzinfo=UTC)
    assert absence.ends_at == datetime(2026, 12, 3, 16, tzinfo=UTC)


def test_a_day_without_year_is_the_next_one_where_he_is(table: Table, clock: HandClock) -> None:
    settle(table, 0, zone="Pacific/Auckland")
    clock.now = datetime(2026, 12, 31, 12, tzinfo=UTC)  # the new year has begun there
    _, text = said(table, "vacation 1 Jan to 2 Jan")
    assert "Fri 1 Jan 2027" in text
    settle(table, 1, zone="America/New_York")
    _, text = said(table, "vacation 31 Dec to 2 Jan", seat=1)
    assert "Thu 31 Dec 2026" in text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("vacation 2026-11-01 to 2026-11-05", "over"),
        ("vacation 2026-12-05 to 2028-12-24", "too-long"),
        ("vacation 2035-01-01 to 2035-01-05", "too-far"),
        ("vacation 9999-12-30 to 9999-12-31", "too-far"),
    ],
)
def test_days_that_cannot_be(table: Table, text: str, code: str) -> None:
    (line,) = table.order(0, text).lines
    assert (line.status, line.code) == ("refused", code)
    assert events(table, "absence") == []


def test_the_past_is_not_taken_back(table: Table, clock: HandClock) -> None:
    clock.advance(hours=24)
    before = due(table)
    assert said(table, "vacation 2026-11-20 to 2026-12-02")[0] == "done"
    assert due(table) == before + timedelta(hours=15)  # from now to midnight


def test_the_first_turn_ends_it(table: Table, clock: HandClock) -> None:
    other = Table.begun(table.installation, hours=48, seed="other")
    said(table, "vacation 2026-12-01 to 2026-12-10")
    assert due(other) == due(table)
    clock.advance(days=2)
    answer = table.order(0, f"take {table.view(0).display[0]}")
    assert any("absence has ended" in note for note in answer.notes)
    assert due(other) == clock() + 2 * DAY
    assert [one.public["why"] for one in events(other, "deadline-moved")] == ["absence", "back"]
    assert len(events(other, "back")) == 1
    assert take_first(table) == "done"
    assert len(events(other, "back")) == 1  # nobody else has come back


def test_a_turn_before_it_begins_ends_nothing(table: Table) -> None:
    said(table, "vacation 2026-12-04 to 2026-12-10")
    assert take_first(table, 0) == "done"
    assert events(table, "back") == []


def test_listed_and_taken_back(table: Table) -> None:
    before = due(table)
    assert "No absence" in said(table, "vacation")[1]
    said(table, "vacation 2026-12-02 to 2026-12-03")
    said(table, "vacation 2026-12-20 to 2026-12-24")
    status, text = said(table, "vacation")
    assert status == "answered"
    assert text.index("2 Dec") < text.index("20 Dec")
    assert "7 of 21" in text
    assert said(table, "vacation off")[0] == "done"
    assert due(table) == before
    assert said(table, "vacation off")[0] == "answered"
    assert "No absence" in said(table, "vacation")[1]


def test_overlapping_ones_become_one(table: Table) -> None:
    said(table, "vacation 2026-12-05 to 2026-12-10")
    said(table, "vacation 2026-12-08 to 2026-12-15")
    _, text = said(table, "vacation")
    assert "Sat 5 Dec 2026 to Tue 15 Dec 2026" in text
    assert "11 of 21" in text
    said(table, "vacation 2026-12-07 to 2026-12-09")
    assert "11 of 21" in said(table, "vacation")[1]


def test_the_same_first_day_shortens_one(table: Table) -> None:
    before = due(table)
    said(table, "vacation 2026-12-02 to 2026-12-10")
    assert said(table, "vacation 2026-12-02 to 2026-12-04")[0] == "done"
    _, text = said(table, "vacation")
    assert "Wed 2 Dec 2026 to Fri 4 Dec 2026" in text
    assert due(table) == before + 3 * DAY
    assert len(events(table, "absence")) == 2  # the table is told of the new end


def test_one_that_has_begun_is_shortened(table: Table, clock: HandClock) -> None:
    said(table, "vacation 2026-12-01 to 2026-12-10")
    clock.advance(days=2)
    said(table, "vacation 2026-12-03 to 2026-12-04")
    _, text = said(table, "vacation")
    assert "Tue 1 Dec 2026 to Fri 4 Dec 2026" in text
    assert due(table) == datetime(2026, 12, 7, tzinfo=UTC)  # two days of his time after it


def test_news_speak_to_whoever_they_are_about(table: Table) -> None:
    said(table, "vacation 2026-12-02 to 2026-12-04")
    (away,) = [one for one in table.events() if one.kind == "absence"]

    def told(seat: int | None) -> str:
        return " ".join(Teller({}, ["Ann", "Bo", "Cy"], seat).tell(seen_by([away], seat)))

    assert told(0) == "You are away from Wed 2 Dec 2026 to Fri 4 Dec 2026."
    assert told(1) == told(None) == "Ann is away from Wed 2 Dec 2026 to Fri 4 Dec 2026."


def test_more_than_the_budget_needs_the_moderator(table: Table, clock: HandClock) -> None:
    before = due(table)
    _, text = said(table, "vacation 2026-12-02 to 2027-01-10")
    assert "grants 21 of its 21 days" in text
    assert due(table) == before + 21 * DAY + timedelta(hours=2)
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        absences.grant_days(session, clock(), Author("moderator"), game, 0, 30)
    assert due(table) == before + 40 * DAY
    assert "40 of 51" in said(table, "vacation")[1]


def test_the_budget_is_each_games_own(installation: Installation) -> None:
    strict = Table.begun(installation, hours=48, absence_days=3)
    lax = Table.begun(installation, hours=48, seed="lax")
    _, text = said(strict, "vacation 2026-12-02 to 2026-12-11")
    assert text.count("grants") == 1
    assert due(lax) - due(strict) == 7 * DAY - timedelta(hours=2)


# -- an absence that comes of itself


def test_automatic_absence_is_opt_in_once_a_game_and_told(table: Table, clock: HandClock) -> None:
    settle(table, 0, automatic_absence=True)
    clock.advance(hours=48)
    sweep(table.installation)
    assert due(table) == clock() + 7 * DAY + timedelta(hours=24)
    assert [one.public["kind"] for one in events(table, "absence")] == ["automatic"]
    assert all(table.letters(seat, "absence") for seat in (0, 1, 2))
    assert table.letters(1, "deadline-missed") == []
    clock.advance(days=8)
    sweep(table.installation)
    assert len(events(table, "absence")) == 1
    assert len(table.letters(1, "deadline-missed")) == 1


def test_nobody_is_away_who_has_not_asked_for_it(table: Table, clock: HandClock) -> None:
    clock.advance(hours=48)
    sweep(table.installation)
    assert events(table, "absence") == []


def test_a_turn_ends_an_automatic_absence_at_this_table(table: Table, clock: HandClock) -> None:
    settle(table, 0, automatic_absence=True)
    clock.advance(hours=48)
    sweep(table.installation)
    clock.advance(days=1)
    assert take_first(table, 0) == "done"
    assert len(events(table, "back")) == 1


# -- the other hours of a day


def test_quiet_hours_and_reminders_are_said_and_set(table: Table) -> None:
    for text, status, words in (
        ("quiet", "answered", "no quiet hours"),
        ("quiet 22:00-07:00", "done", "22:00-07:00"),
        ("quiet", "answered", "22:00-07:00"),
        ("quiet 8-23", "refused", "12 hours"),
        ("quiet off", "done", "any more"),
        ("remind", "answered", "50 %, 80 % and 95 %"),
        ("remind 6h, 24h, 24h", "done", "1 day and 6 hours before"),
        ("remind off", "done", "not reminded"),
        ("remind on", "done", "50 %"),
        ("remind 1h,2h,3h,4h,5h,6h,7h", "refused", "At most 6"),
    ):
        assert said(table, text)[0] == status, text
        assert words in said(table, text)[1], text


def test_nights_count_only_where_the_game_says_so(
    installation: Installation, clock: HandClock
) -> None:
    settled = Table.begun(installation, hours=12, nights_count=False)
    settle(settled, 0, zone="UTC", quiet="20:00-08:00")
    settle(settled, 1, zone="UTC", quiet="20:00-08:00")
    assert take_first(settled) == "done"
    assert due(settled) == clock() + DAY  # 11 hours today, one tomorrow
    usual = Table.begun(installation, hours=12, seed="usual")
    assert due(usual) == clock() + DAY / 2


def test_dates_that_cannot_be_are_an_error_of_their_own(table: Table, clock: HandClock) -> None:
    with table.installation.store.work() as session:
        person = session.get_one(Person, person_id(table, 0))
        with pytest.raises(AbsenceError) as error:
            absences.declare(
                session, table.installation.site, clock(), Author("web", person.id), person,
                date(2026, 11, 1), date(2026, 11, 2),
            )  # fmt: skip
    assert error.value.code == "over"


def test_what_is_known_already_is_told_to_nobody_again(table: Table, clock: HandClock) -> None:
    said(table, "vacation 2026-12-05 to 2026-12-10")
    status, text = said(table, "vacation 2026-12-06 to 2026-12-10")
    assert status == "done"
    assert "Sat 5 Dec 2026 to Thu 10 Dec 2026" in text
    said(table, "vacation 2026-12-05 to 2026-12-10")
    assert len(table.letters(1, "absence")) == 1
    assert len(events(table, "absence")) == 1
    said(table, "vacation 2026-12-05 to 2026-12-11")
    assert len(table.letters(1, "absence")) == 2
