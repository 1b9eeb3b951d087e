"""Counted time: nights, weekends, absences and outages, whatever the clocks do."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.timing import Calendar, Off
from pbem.timing.off import credited, length_of, merged, overlap, parse_hours, without
from pbem.timing.zones import begins, ends, first_instant, known_zone, offset_name, zone_of
from tests.timing.moments import ZONES, calendars, instants, intervals, near, spans, zones

EMPTY = timedelta()


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@given(calendars, instants, spans, st.data())
def test_what_counts_is_never_more_than_what_passes(
    calendar: Calendar, since: datetime, span: timedelta, data: st.DataObject
) -> None:
    off = Off.of(calendar, data.draw(near(since)))
    counted = off.counted(since, since + span)
    assert EMPTY <= counted <= span
    blocked = off.between(since, since + span)
    assert counted + overlap(blocked, since, since + span) == span


@given(calendars, instants, spans, st.data())
def test_after_is_the_first_instant_of_so_much_counted_time(
    calendar: Calendar, since: datetime, span: timedelta, data: st.DataObject
) -> None:
    off = Off.of(calendar, data.draw(near(since)))
    due = off.after(since, span)
    assert off.counted(since, due) == span
    assert due >= since + span
    if span:
        assert off.counted(since, due - timedelta(seconds=1)) < span


@given(calendars, instants, spans, spans, st.data())
def test_more_time_and_more_absence_are_never_earlier(
    calendar: Calendar, since: datetime, span: timedelta, more: timedelta, data: st.DataObject
) -> None:
    some, others = data.draw(near(since)), data.draw(near(since))
    off = Off.of(calendar, some)
    assert off.after(since, span) <= off.after(since, span + more)
    assert off.after(since, span) <= off.after(since + more, span)
    assert off.after(since, span) <= Off.of(calendar, some, others).after(since, span)


@given(intervals())
def test_merged_intervals_stand_apart_and_lose_nothing(some: list) -> None:  # type: ignore[type-arg]
    found = merged(some)
    assert all(one[0] < one[1] for one in found)
    assert all(one[1] < two[0] for one, two in pairwise(found))
    for start, end in some:
        assert overlap(found, start, end) == end - start


@given(intervals(), intervals())
def test_without_is_what_is_left(some: list, gone: list) -> None:  # type: ignore[type-arg]
    left = without(some, gone)
    assert left == merged(left)
    assert merged([*left, *gone]) == merged([*some, *gone])
    for start, end in left:
        assert overlap(merged(gone), start, end) == EMPTY
        assert overlap(merged(some), start, end) == end - start


@given(instants, spans, st.data())
def test_a_credited_end_leaves_the_whole_span(
    since: datetime, span: timedelta, data: st.DataObject
) -> None:
    gone = merged(data.draw(near(since)))
    end = credited(since + span, since, gone)
    assert end - since - overlap(gone, since, end) == span
    known = merged(data.draw(near(since)))
    first = credited(since + span, since, known)
    assert credited(first, since, gone, known) == credited(since + span, since, [*known, *gone])


@given(zones, st.dates(date(2010, 1, 1), date(2035, 12, 31)), st.times().map(
    lambda at: at.replace(microsecond=0, fold=0)))  # fmt: skip
def test_the_first_instant_of_a_local_time_is_not_after_its_last(
    name: str, day: date, at: time
) -> None:
    zone = zone_of(name)
    first, last = begins(day, at, zone), ends(day, at, zone)
    assert first <= last <= first + timedelta(hours=24)
    if first.astimezone(zone).time() != at:  # a gap: as much later as the clocks jump
        assert first == last
        assert first.astimezone(zone).replace(tzinfo=None) > datetime.combine(day, at)


def test_in_a_gap_it_is_later_and_twice_is_the_second_time() -> None:
    berlin = zone_of("Europe/Berlin")
    assert ends(date(2026, 3, 29), time(2, 30), berlin) == utc(2026, 3, 29, 1, 30)  # 03:30
    assert begins(date(2026, 10, 25), time(2, 30), berlin) == utc(2026, 10, 25, 0, 30)
    assert ends(date(2026, 10, 25), time(2, 30), berlin) == utc(2026, 10, 25, 1, 30)


def test_a_day_that_samoa_left_out_has_no_length() -> None:
    apia = zone_of("Pacific/Apia")
    assert first_instant(date(2011, 12, 30), apia) == first_instant(date(2011, 12, 31), apia)


@pytest.mark.parametrize("zone", ZONES)
def test_a_year_of_nights_is_what_they_are_long(zone: str) -> None:
    off = Off.of(Calendar(zone, "22:00-07:00"))
    start = first_instant(date(2027, 1, 1), zone_of(zone))
    end = first_instant(date(2028, 1, 1), zone_of(zone))
    gone = end - start - off.counted(start, end)
    assert abs(gone - timedelta(hours=9) * 365) <= timedelta(hours=2)


def test_weekends_are_the_players_own() -> None:
    monday = utc(2026, 12, 7, 0)
    off = Off.of(Calendar("Asia/Hong_Kong", weekend=True))
    # Saturday and Sunday in Hong Kong are over at 16:00 UTC of Sunday.
    assert off.after(utc(2026, 12, 5), timedelta()) == utc(2026, 12, 5)
    assert off.after(utc(2026, 12, 5), timedelta(hours=1)) == utc(2026, 12, 6, 17)
    assert off.counted(utc(2026, 12, 5), monday) == timedelta(hours=8)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("22:00-07:00", 9), ("00:00-12:00", 12), ("1:00-2:00", None),
        ("22:00", None), ("x-y", None), ("07:00-07:00", None),
    ],
)  # fmt: skip
def test_quiet_hours_are_read_or_not_at_all(text: str, hours: int | None) -> None:
    found = parse_hours(text)
    assert (None if found is None else length_of(found) / timedelta(hours=1)) == hours


def test_the_end_of_a_night() -> None:
    quiet = Calendar("Europe/Berlin", "22:00-07:00")
    assert quiet.end_of_night(utc(2026, 12, 1, 23)) == utc(2026, 12, 2, 6)
    assert quiet.end_of_night(utc(2026, 12, 2, 6)) == utc(2026, 12, 2, 6)
    assert quiet.end_of_night(utc(2026, 12, 2, 12)) == utc(2026, 12, 2, 12)
    assert Calendar().end_of_night(utc(2026, 12, 1, 23)) == utc(2026, 12, 1, 23)


def test_names_of_offsets() -> None:
    assert offset_name(timedelta(hours=8)) == "UTC+8"
    assert offset_name(timedelta(hours=5, minutes=45)) == "UTC+5:45"
    assert offset_name(-timedelta(hours=3, minutes=30)) == "UTC-3:30"
    assert [offset_name(timedelta(minutes=n)) for n in (0, 7, 15 * 60)] == [None] * 3
    assert known_zone("Nowhere/Land") is None
    for minutes in range(-14 * 60, 14 * 60 + 1, 15):
        if name := offset_name(timedelta(minutes=minutes)):
            assert zone_of(name).utcoffset(None) == timedelta(minutes=minutes)
