"""Who is asked while a moderator is away."""

from datetime import date, timedelta

import pytest
from sqlmodel import Session

from pbem.desk.people import find_or_add_person
from pbem.installation import Installation
from pbem.store.deputies import (
    LeaveError,
    asked,
    dismiss_deputy,
    is_away,
    leaves_of,
    name_deputy,
    take_leave,
)
from pbem.store.roles import MODERATOR, grant, revoke_all
from pbem.store.rows import id_of
from tests.conftest import START, HandClock

ZONE = "Asia/Hong_Kong"  # it is 17:00 on the first of December there
FIRST = date(2026, 12, 1)


def people(session: Session, *names: str) -> list[int]:
    found = []
    for name in names:
        person = find_or_add_person(session, START, name, f"{name}@example.org", confirmed=True)
        found.append(id_of(person))
    return found


def test_the_deputies_of_whoever_is_away_are_asked(
    installation: Installation, clock: HandClock
) -> None:
    with installation.store.work() as session:
        max_, dora, dan = people(session, "Max", "Dora", "Dan")
        for person_id in (max_, dora, dan):
            grant(session, START, person_id, MODERATOR)
        name_deputy(session, START, max_, dora)
        name_deputy(session, START, max_, dan)
        assert asked(session, START, [max_]) == {max_}
        leave = take_leave(session, START, max_, ZONE, FIRST, FIRST + timedelta(days=2))
        assert asked(session, START, [max_]) == {dora, dan}
        take_leave(session, START, dora, ZONE, FIRST, FIRST)
        assert asked(session, START, [max_, dora]) == {dan, dora}, "she has no deputy"
        tomorrow = START + timedelta(hours=7)  # midnight in Hong Kong
        assert not is_away(session, tomorrow, dora)
        assert asked(session, tomorrow, [max_]) == {dora, dan}
        revoke_all(session, tomorrow, dora)
        assert asked(session, tomorrow, [max_]) == {dan}
        dismiss_deputy(session, max_, dan)
        assert asked(session, tomorrow, [max_]) == {max_}, "somebody has to be asked"
        name_deputy(session, START, max_, dan)
        leave.ended_at = tomorrow
        session.add(leave)
        assert asked(session, tomorrow, [max_]) == {max_}
        assert leaves_of(session, tomorrow, max_) == []


def test_a_deputy_is_asked_about_games_his_role_reaches(installation: Installation) -> None:
    with installation.store.work() as session:
        max_, gil = people(session, "Max", "Gil")
        grant(session, START, max_, MODERATOR)
        grant(session, START, gil, MODERATOR)
        name_deputy(session, START, max_, gil)
        take_leave(session, START, max_, ZONE, FIRST, FIRST)
        assert asked(session, START, [max_], 12) == {gil}
        revoke_all(session, START, gil)
        assert asked(session, START, [max_], 12) == {max_}


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (FIRST, FIRST - timedelta(days=1)),
        (FIRST - timedelta(days=9), FIRST - timedelta(days=1)),
        (FIRST, FIRST + timedelta(days=367)),
    ],
)
def test_days_that_cannot_be_are_refused(
    installation: Installation, first: date, last: date
) -> None:
    with installation.store.work() as session:
        [max_] = people(session, "Max")
        with pytest.raises(LeaveError):
            take_leave(session, START, max_, ZONE, first, last)
