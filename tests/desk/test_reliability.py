"""How punctual people are, and that nobody gains time by leaving and coming back."""

import pytest
from sqlmodel import select

from pbem.desk import Order, reliability
from pbem.installation import Installation
from pbem.store import Event, Person, Reliability, SeatOffer
from pbem.store.log import Author
from pbem.store.rows import id_of
from tests.clock.people import person_id, seat_row, settle, take_first, waits
from tests.conftest import HandClock
from tests.desk.seats import SOON, holder, late, somebody, write
from tests.desk.table import Table


def test_who_answers_how_is_counted_and_can_be_counted_again(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, hours=10, grace_hours=5, graces=1, misses_before_offer=9)
    clock.advance(hours=4)
    take_first(table)  # Ann, in time
    clock.advance(hours=2)
    take_first(table)
    take_first(table)
    late(table, clock)
    clock.advance(hours=1)
    take_first(table)  # Ann, in the grace
    take_first(table)
    take_first(table)
    late(table, clock)
    take_first(table)  # Ann, too late
    ann = person_id(table, 0)
    with installation.store.read() as session:
        row = session.get_one(Reliability, ann)
        assert (row.on_time, row.late, row.missed) == (1, 1, 1)
        assert row.recent == [4 * 3600, 11 * 3600, 10 * 3600]
        for person in session.exec(select(Person)):
            counted = session.get(Reliability, person.id) or Reliability(person_id=id_of(person))
            assert reliability.recounted(session, id_of(person)).model_dump() == (
                counted.model_dump()
            )
        punctuality = reliability.punctuality_of(session, ann)
    assert (punctuality.counted, punctuality.share, punctuality.median_seconds) == (
        3,
        None,
        10 * 3600,
    )


def test_a_game_may_ask_for_punctual_people(installation: Installation, clock: HandClock) -> None:
    table = Table.begun(installation, reliability_minimum=0.9, **SOON)
    fay = somebody(installation)
    with installation.store.work() as session:
        session.add(Reliability(person_id=fay, on_time=8, missed=2))
    late(table, clock)
    assert write(installation, fay, f"join {table.game_id}") == "refused"
    with installation.store.read() as session:
        assert session.exec(select(SeatOffer)).all() == []
        assert session.exec(select(Event).where(Event.kind == "substituted")).all() == []


def test_nobody_is_slow_because_he_sleeps_though_nights_count(
    installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, hours=48)  # it is 9:00 UTC
    settle(table, 0, quiet="22:00-07:00", zone="UTC")
    before = waits(table)[0].due_at
    clock.advance(hours=24)
    assert waits(table)[0].due_at == before
    take_first(table)
    assert waits(table, ended=True)[0].took_seconds == 15 * 3600


@pytest.mark.parametrize("new", [False, True])
def test_coming_back_renews_neither_graces_nor_bank(
    installation: Installation, clock: HandClock, new: bool
) -> None:
    table = Table.begun(
        installation, time="bank 5h + 2h", free_hours=0, grace_hours=3, graces=1,
        misses_before_offer=1, on_offer="substitute" if new else "bot",
    )  # fmt: skip
    ann = person_id(table, 0)
    late(table, clock, 7)
    assert seat_row(table, 0).graces == 1
    late(table, clock, 3)
    assert seat_row(table, 0).bank_seconds == 0
    if new:
        assert write(installation, somebody(installation), f"join {table.game_id}") == "done"
    else:
        assert holder(table, 0)[1] is not None
        with installation.store.work() as session:
            order = Order("I am back", Author("mail", ann), table.game_id, 0)
            installation.desk.take_order(session, order)
        assert holder(table, 0) == (ann, None)
    assert seat_row(table, 0).graces == (0 if new else 1)
    assert waits(table)[0].bank_seconds == (7 if new else 2) * 3600
