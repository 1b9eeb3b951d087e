"""Time controls: in words and back, and the deadlines they give."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.timing import (
    Bank,
    Calendar,
    Control,
    ControlError,
    Daily,
    GameOptions,
    Off,
    PerTurn,
    Unlimited,
    charge,
    deadline,
    parse_control,
    print_control,
)
from pbem.timing.controls import LONGEST
from pbem.timing.off import merged, overlap
from pbem.timing.zones import zone_of
from tests.timing.moments import calendars, instants, near, spans, zones

seconds = st.integers(1, LONGEST)
hours = st.integers(0, 72).map(lambda n: timedelta(hours=n))
banks = st.tuples(st.integers(0, LONGEST), seconds, seconds).map(
    lambda one: Bank(seconds=one[0], increment=one[1], cap=max(one))
)
dailies = st.builds(
    Daily, hour=st.integers(0, 23), minute=st.integers(0, 59), zone=zones,
    days=st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days))),
)  # fmt: skip
controls = st.one_of(st.builds(PerTurn, seconds=seconds), banks, dailies, st.just(Unlimited()))


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@given(controls)
def test_printed_and_read_again_it_is_the_same(control: Control) -> None:
    assert parse_control(print_control(control)) == control
    options = GameOptions(control=control)
    assert GameOptions.from_json(options.to_json()) == options


@given(st.text(max_size=40) | st.sampled_from(["bank ", "daily 2", "48"]).flatmap(
    lambda head: st.text(max_size=20).map(lambda tail: head + tail)))  # fmt: skip
def test_any_text_is_a_control_or_a_control_error(text: str) -> None:
    try:
        control = parse_control(text)
    except ControlError:
        return
    assert parse_control(print_control(control)) == control


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("48h", "48h"), ("2d", "48h"), ("72 H", "3d"), ("90m", "90m"), ("1w", "7d"),
        ("bank 5d + 8h cap 10d", "bank 5d + 8h cap 10d"), ("bank 5d+8h", "bank 5d + 8h cap 10d"),
        ("bank 0 + 24h", "bank 0h + 24h cap 24h"), ("none", "none"), (" None ", "none"),
        ("daily 20:00 Asia/Hong_Kong", "daily 20:00 Asia/Hong_Kong"),
        ("Daily 8:05 UTC+8 mon-fri", "daily 08:05 UTC+8 mon-fri"),
        ("daily 20:00 mon,wed,fri", "daily 20:00 UTC mon,wed,fri"),
        ("daily 20:00 Europe/Berlin fri-mon", "daily 20:00 Europe/Berlin fri-mon"),
        ("daily 20:00 Europe/Berlin mon-sun", "daily 20:00 Europe/Berlin"),
    ],
)  # fmt: skip
def test_a_control_is_printed_as_it_is_read(text: str, printed: str) -> None:
    assert print_control(parse_control(text, zone="UTC")) == printed


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no-time"), ("soon", "no-time"), ("0h", "no-time"), ("400d", "too-long"),
        ("bank 5d", "bank-form"), ("bank 5d + 8h cap 1d", "bank-cap"), ("daily", "daily-form"),
        ("daily 25:00 UTC", "daily-form"), ("daily 20:00 Nowhere", "daily-zone"),
        ("daily 20:00 mon-fri", "daily-zone"),
    ],
)  # fmt: skip
def test_what_is_no_control_is_told_why(text: str, code: str) -> None:
    with pytest.raises(ControlError) as error:
        parse_control(text)
    assert error.value.code == code


@given(controls, instants, hours, calendars, st.data())
def test_a_deadline_is_later_with_everything_that_gives_time(
    control: Control, since: datetime, free: timedelta, calendar: Calendar, data: st.DataObject
) -> None:
    absences, outages, more = (data.draw(near(since, 2)) for _ in range(3))
    bank = data.draw(hours)
    given_: dict = {"free": free, "bank": bank, "calendar": calendar}  # type: ignore[type-arg]
    due = deadline(control, since, **given_, absences=absences, outages=outages)
    if due is None:
        assert control == Unlimited()
        return
    assert due >= since
    for later in (
        deadline(control, since, **given_, absences=[*absences, *more], outages=outages),
        deadline(control, since, **given_, absences=absences, outages=[*outages, *more]),
        deadline(control, since, **(given_ | {"free": free + timedelta(hours=1)}),
                 absences=absences, outages=outages),
        deadline(control, since, **(given_ | {"bank": bank + timedelta(hours=1)}),
                 absences=absences, outages=outages),
    ):  # fmt: skip
        assert later is not None
        assert later >= due


@given(st.one_of(st.builds(PerTurn, seconds=st.integers(1, 10 * 86_400)), dailies), instants,
       calendars, st.data())  # fmt: skip
def test_an_outage_is_given_back_whole(
    control: Control, since: datetime, calendar: Calendar, data: st.DataObject
) -> None:
    outages = data.draw(near(since, 2))
    without = deadline(control, since, calendar=calendar)
    due = deadline(control, since, calendar=calendar, outages=outages)
    assert without is not None
    assert due is not None
    if calendar == Calendar(calendar.zone):  # else part of it may lie in the night
        assert due - without == overlap(merged(outages), since, due)


@given(dailies, instants, hours, spans)
def test_a_daily_deadline_is_at_its_time_and_leaves_the_free_hours(
    control: Daily, since: datetime, free: timedelta, away: timedelta
) -> None:
    absence = (since + timedelta(hours=1), since + timedelta(hours=1) + away)
    due = deadline(control, since, free=free, absences=[absence])
    assert due is not None
    local = due.astimezone(zone_of(control.zone))
    odd = local.replace(fold=0).utcoffset() != (local - timedelta(hours=26)).utcoffset()
    if not odd:
        assert (local.hour, local.minute) == (control.hour, control.minute)
        assert local.weekday() in control.days
    assert due - since >= free
    if away:
        assert due <= absence[0] or due >= absence[1] + free - timedelta(hours=1)


def test_daily_deadlines_over_a_change_of_the_clocks() -> None:
    control = parse_control("daily 02:30 Europe/Berlin")
    assert deadline(control, utc(2026, 3, 28, 12)) == utc(2026, 3, 29, 1, 30)  # there is no 02:30
    assert deadline(control, utc(2026, 10, 24, 12)) == utc(2026, 10, 25, 1, 30)  # the second 02:30
    evening = parse_control("daily 20:00 Australia/Sydney")
    assert deadline(evening, utc(2026, 10, 3, 1)) == utc(2026, 10, 3, 10)
    assert deadline(evening, utc(2026, 10, 4, 1)) == utc(2026, 10, 4, 9)


def test_a_daily_deadline_on_chosen_weekdays_and_across_a_missing_day() -> None:
    weekdays = parse_control("daily 20:00 Asia/Hong_Kong mon-fri")
    friday_night = utc(2026, 12, 4, 13)
    assert deadline(weekdays, friday_night) == utc(2026, 12, 7, 12)
    samoa = parse_control("daily 20:00 Pacific/Apia")
    assert deadline(samoa, utc(2011, 12, 30, 7)) == utc(2011, 12, 31, 6)


def test_after_an_absence_the_next_daily_deadline_leaves_the_free_hours() -> None:
    control, free = parse_control("daily 20:00 UTC"), timedelta(hours=8)
    away = [(utc(2026, 12, 1, 18), utc(2026, 12, 3, 18))]
    assert deadline(control, utc(2026, 12, 1, 9), free=free) == utc(2026, 12, 1, 20)
    assert deadline(control, utc(2026, 12, 1, 9), free=free, absences=away) == utc(2026, 12, 4, 20)


def test_a_bank_is_spent_after_the_free_time() -> None:
    since, free, bank = utc(2026, 12, 1), timedelta(hours=8), timedelta(hours=48)
    control = parse_control("bank 48h + 8h")
    assert deadline(control, since, free=free, bank=bank) == since + timedelta(hours=56)
    spent = {
        after: charge(since, since + timedelta(hours=after), free=free, bank=bank, off=Off())
        for after in (5, 8, 20, 56, 90)
    }
    hours_spent = {after: span / timedelta(hours=1) for after, span in spent.items()}
    assert hours_spent == {5: 0, 8: 0, 20: 12, 56: 48, 90: 48}


def test_leap_days_and_ends_of_years_are_days_like_others() -> None:
    for start in (utc(2028, 2, 28, 12), utc(2027, 2, 28, 12), utc(2026, 12, 31, 12)):
        assert deadline(PerTurn(seconds=86_400), start) == start + timedelta(days=1)
