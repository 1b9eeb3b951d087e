"""Reminders: each rung once, kindly, one letter for all of a person's tables."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.clock import sweep
from pbem.desk import pace
from pbem.installation import Installation
from pbem.jobs.bots import play_bots
from pbem.letters.render import render
from pbem.store import Game, Letter
from pbem.store.log import Author
from pbem.timing import parse_control
from tests.clock.people import letters, person_id, settle, take_first, waits
from tests.conftest import HandClock
from tests.desk.table import Table


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation, hours=100)


def run(table: Table, clock: HandClock, hours: float, step: float = 1) -> list[float]:
    """Let time pass, the clock looking often; the hours (since the start) of reminders."""
    start = clock()
    for _ in range(round(hours / step)):
        clock.advance(hours=step)
        sweep(table.installation)
    return [
        (one.created_at - start) / timedelta(hours=1)
        for kind in ("reminder", "reminders")
        for one in letters(table, kind)
        if one.created_at > start
    ]


def test_the_usual_ladder_reminds_three_times(table: Table, clock: HandClock) -> None:
    assert run(table, clock, 99) == [50, 80, 95]


def test_a_ladder_of_ones_own_takes_the_place_of_the_usual_one(
    table: Table, clock: HandClock
) -> None:
    table.order(0, "remind 24h, 6h")
    assert run(table, clock, 99) == [76, 94]


def test_none_for_whoever_wants_none(table: Table, clock: HandClock) -> None:
    table.order(0, "remind off")
    assert run(table, clock, 99) == []


def test_never_in_quiet_hours_but_at_their_end(table: Table, clock: HandClock) -> None:
    # 50 h after 9:00 UTC is 11:00 UTC, which is 19:00 in Hong Kong.
    settle(table, 0, zone="Asia/Hong_Kong", quiet="18:00-23:30")
    assert run(table, clock, 99.5, 0.5) == [54.5, 80, 95]


def test_not_within_two_hours_of_the_turns_letter(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, hours=3)
    assert run(table, clock, 2.9, 0.1) == pytest.approx([2.0, 2.4, 2.9], abs=0.11)
    short = Table.begun(installation, hours=1.5, seed="short")
    assert run(short, clock, 1.4, 0.1) == []


def test_not_right_after_the_letter_was_asked_for_again(table: Table, clock: HandClock) -> None:
    clock.advance(hours=49)
    table.order(0, "resend")
    assert run(table, clock, 50) == [31, 46]


def test_without_a_deadline_they_come_and_stop(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, time="none")
    assert table.game().due_at is None
    assert run(table, clock, 24 * 20, 4) == [48, 120, 240]
    assert table.game().due_at is None


def test_gone_the_moment_the_turn_is_in(table: Table, clock: HandClock) -> None:
    run(table, clock, 50)
    (letter,) = table.letters(0, "reminder")
    assert letter.state == "queued"
    assert take_first(table) == "done"
    (letter,) = table.letters(0, "reminder")
    assert letter.state == "replaced"
    assert run(table, clock, 49) == []


# -- a moved deadline


def test_a_moved_deadline_re_arms_the_ladder(table: Table, clock: HandClock) -> None:
    run(table, clock, 81)
    assert len(letters(table, "reminder")) == 2
    give(table, clock, hours=100)
    assert waits(table)[0].due_at == clock() + timedelta(hours=119)
    found = run(table, clock, 118)
    assert [round(hours) for hours in found] == [69, 99, 114]


def test_one_that_moves_a_little_is_not_repeated(table: Table, clock: HandClock) -> None:
    run(table, clock, 95)
    assert len(letters(table, "reminder")) == 3
    with table.installation.store.work() as session:
        from pbem.clock.pulse import mail_outage

        mail_outage(session, clock() - timedelta(hours=1), clock(), clock())
    assert run(table, clock, 5) == []
    assert waits(table)[0].due_at == clock() + timedelta(hours=1)


def test_moved_while_it_is_sent(table: Table, clock: HandClock) -> None:
    """The letter that goes out shows the deadline as it was written; the key of the new
    deadline is another one, so nothing is sent twice and nothing is left out."""
    clock.advance(hours=80)
    sweep(table.installation)
    give(table, clock, hours=10)
    sweep(table.installation)
    sweep(table.installation)
    assert len(letters(table, "reminder")) == 1


def give(table: Table, clock: HandClock, *, hours: int) -> None:
    """As its moderator: more time from the present deadline on."""
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        span = timedelta(hours=hours)
        assert pace.give_time(session, clock(), Author("moderator"), game, 0, span)


# -- one letter for all tables


def test_one_letter_for_all_his_tables(table: Table, clock: HandClock) -> None:
    other = Table.begun(table.installation, hours=102, seed="other")
    third = Table.begun(table.installation, hours=200, seed="third")
    found = run(table, clock, 99)
    # At 50 h the first; the second's rung, an hour later, went into the same letter.  The
    # third's (100 h) is not yet near.
    assert found == [50, 80, 95]
    assert letters(table, "reminder") == []
    (first, *_) = letters(table, "reminders", person=person_id(table, 0))
    assert first.context["waits"] == [waits(one)[0].id for one in (table, other, third)]
    assert first.seat is None
    assert first.game_id is None


def test_the_common_letter_shows_what_still_waits_when_it_goes_out(
    table: Table, clock: HandClock
) -> None:
    other = Table.begun(table.installation, hours=120, seed="other")
    run(table, clock, 50)
    take_first(table, 0)
    (letter,) = letters(table, "reminders")
    assert letter.state == "queued"
    with table.installation.store.read() as session:
        row = session.get_one(Letter, letter.id)
        shown = render(session, table.installation.site, row)
    assert f"(game {other.game_id})" in shown.text
    assert f"(game {table.game_id})" not in shown.text
    assert "UTC" in shown.text
    take_first(other, 0)
    (letter,) = letters(table, "reminders")
    assert letter.state == "replaced"


def test_a_newer_common_letter_replaces_one_that_has_not_gone(
    table: Table, clock: HandClock
) -> None:
    Table.begun(table.installation, hours=100, seed="other")
    run(table, clock, 85)
    assert [one.state for one in letters(table, "reminders")] == ["replaced", "queued"]


# -- the table's pace is changed


def test_another_pace_never_takes_time_away(table: Table, clock: HandClock) -> None:
    due = waits(table)[0].due_at
    changed(table, clock, "24h")
    assert waits(table)[0].due_at == due
    assert table.letters(1, "pace")
    changed(table, clock, "none")
    assert waits(table)[0].due_at is None
    assert table.game().due_at is None
    clock.advance(hours=5)
    changed(table, clock, "48h")
    assert waits(table)[0].due_at == clock() + timedelta(hours=48)
    changed(table, clock, "daily 20:00 Europe/Berlin")
    assert waits(table)[0].due_at == clock() + timedelta(hours=48)
    take_first(table)
    assert waits(table)[0].due_at == datetime(2026, 12, 2, 19, tzinfo=UTC)
    moved = [one.public["why"] for one in table.events() if one.kind == "deadline-moved"]
    assert moved == ["pace", "pace"]


def test_a_longer_pace_counts_at_once(table: Table, clock: HandClock) -> None:
    clock.advance(hours=90)
    changed(table, clock, "120h")
    assert waits(table)[0].due_at == clock() + timedelta(hours=120)
    assert table.game().turn_seconds == 120 * 3600


def changed(table: Table, clock: HandClock, text: str) -> None:
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        site = table.installation.site
        author = Author("moderator")
        control = parse_control(text)
        assert pace.change_control(session, site, clock(), author, game, control)
        assert not pace.change_control(session, site, clock(), author, game, control)


def test_nobody_is_told_of_where_nobody_else_waits(
    installation: Installation, clock: HandClock
) -> None:
    alone = Table.begun(installation, players=1, bots=("greedy", "greedy"), hours=48)
    company = Table.begun(installation, players=2, bots=("greedy",), hours=48, seed="2")
    take_first(alone, 0)
    play_bots(installation, alone.game_id)
    take_first(company, 0)
    clock.advance(hours=24)
    sweep(installation)
    with installation.store.read() as session:
        for kind in ("your-turn", "reminder"):
            for letter, told in ((alone.letters(0, kind)[-1], False),
                                 (company.letters(1, kind)[-1], True)):  # fmt: skip
                shown = render(session, installation.site, letter)
                for text in (shown.text, shown.html):
                    flat = " ".join(text.split())
                    assert ("organiser are told" in flat) == told
                    assert ("no time runs" in flat) != told
