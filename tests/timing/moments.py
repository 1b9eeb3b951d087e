"""Zones and instants for tests of time: everything that is odd about clocks somewhere."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from pbem.timing import Calendar
from pbem.timing.off import Interval

ZONES = (
    "UTC", "Europe/Berlin", "America/New_York", "America/St_Johns",
    "Australia/Sydney", "Pacific/Auckland", "America/Santiago",  # DST in the south
    "Australia/Lord_Howe",  # DST of half an hour
    "Asia/Kolkata", "Asia/Kathmandu", "Pacific/Chatham",  # half and quarter hours
    "Africa/Casablanca",  # "DST" that is negative
    "Pacific/Apia", "Pacific/Kiritimati", "America/Scoresbysund", "UTC-3:30", "UTC+8",
)  # fmt: skip

zones = st.sampled_from(ZONES)
#: Leap days, ends of years, the end of 2011 when Samoa left out a day.
instants = st.one_of(
    st.datetimes(datetime(2010, 1, 1), datetime(2035, 12, 31)),  # noqa: DTZ001 - made aware below
    st.sampled_from(
        [datetime(2011, 12, 29), datetime(2028, 2, 28, 12), datetime(2026, 12, 31, 20)]  # noqa: DTZ001
    ).flatmap(lambda day: st.timedeltas(timedelta(), timedelta(days=3)).map(lambda d: day + d)),
).map(lambda at: at.replace(microsecond=0, tzinfo=UTC))
spans = st.timedeltas(timedelta(), timedelta(days=40)).map(lambda d: d - d % timedelta(seconds=1))
hours = st.tuples(st.integers(0, 23), st.integers(1, 12), st.sampled_from([0, 15, 30])).map(
    lambda one: f"{one[0]:02}:{one[2]:02}-{(one[0] + one[1]) % 24:02}:{one[2]:02}"
)
calendars = st.builds(Calendar, zones, st.none() | hours, st.booleans())


@st.composite
def intervals(draw: st.DrawFn, most: int = 3) -> list[Interval]:
    """A few intervals, overlapping or not, near the instants above."""
    starts = draw(st.lists(st.tuples(instants, spans), max_size=most))
    return [(start, start + span) for start, span in starts]


def near(since: datetime, most: int = 3) -> st.SearchStrategy[list[Interval]]:
    """A few intervals around an instant."""
    offsets = st.tuples(st.integers(-100, 900), st.integers(0, 300))
    return st.lists(offsets, max_size=most).map(
        lambda found: [
            (since + timedelta(hours=start), since + timedelta(hours=start + length))
            for start, length in found
        ]
    )
