"""Rungs of reminders, and what of an absence a game grants."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pbem.timing import Calendar, Off, Rung
from pbem.timing.absences import CLOCK_CHANGE, days_of, granted, instants
from pbem.timing.off import merged, overlap, parse_hours
from pbem.timing.reminders import GAP, kindly, ladder, times
from pbem.timing.zones import zone_of
from tests.timing import moments

SINCE = datetime(2026, 12, 1, 9, tzinfo=UTC)


def _hours(rungs: list[str] | None, due_after: float | None, off: Off | None = None) -> list[float]:
    due = None if due_after is None else SINCE + timedelta(hours=due_after)
    found = times(ladder(rungs), SINCE, due, off or Off())
    return [(at - SINCE) / timedelta(hours=1) for at, _ in found]


def test_the_usual_ladder() -> None:
    assert _hours(None, 100) == [50, 80, 95]
    assert _hours([], 100) == []


def test_a_ladder_of_ones_own_counts_back_from_the_deadline() -> None:
    assert _hours(["24h", "6h", "3d"], 48) == [24, 42]
    assert Rung.before(86_400 * 3).name == "3d"


def test_without_a_deadline_a_few_and_then_silence() -> None:
    assert _hours(None, None) == [48, 120, 240]
    assert _hours([], None) == []


def test_shares_are_shares_of_what_counts() -> None:
    away = [(SINCE, SINCE + timedelta(hours=100))]
    assert _hours(None, 200, Off.of(None, away)) == [150, 180, 195]


@given(moments.instants, moments.instants, st.builds(Calendar, moments.zones, moments.hours))
def test_never_in_quiet_hours_and_never_right_after_the_letter(
    at: datetime, asked: datetime, quiet: Calendar
) -> None:
    sent = kindly(at, asked, quiet)
    assert sent >= at
    assert sent - asked >= GAP
    assert quiet.end_of_night(sent) == sent
    assert sent - max(at, asked + GAP) <= timedelta(hours=14)
    night = parse_hours(quiet.night or "")
    assert night is not None


@given(moments.intervals(4), st.integers(0, 60), moments.instants)
def test_a_budget_is_never_overdrawn_and_grants_only_absence(
    absences: list[tuple[datetime, datetime]], days: int, since: datetime
) -> None:
    found = granted(absences, days, since)
    total = sum((end - start for start, end in found), timedelta())
    assert total <= timedelta(days=days) + CLOCK_CHANGE
    every = merged(absences)
    for start, end in found:
        assert start >= since
        assert overlap(every, start, end) == end - start
    more = granted(absences, days + 1, since)
    assert sum((end - start for start, end in more), timedelta()) >= total


def test_days_include_both_ends_in_the_players_zone() -> None:
    start, end = instants(date(2026, 12, 24), date(2027, 1, 2), "Asia/Hong_Kong")
    assert start == datetime(2026, 12, 23, 16, tzinfo=UTC)
    assert end == datetime(2027, 1, 2, 16, tzinfo=UTC)
    assert days_of([(start, end)]) == 10


@given(st.dates(date(2010, 1, 1), date(2035, 1, 1)), st.integers(0, 30), moments.zones)
def test_local_midnights(first: date, more: int, zone: str) -> None:
    start, end = instants(first, first + timedelta(days=more), zone)
    assert start <= end
    assert start.astimezone(zone_of(zone)).date() >= first
