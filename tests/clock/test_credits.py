"""An outage wrongs nobody: whatever ends at a set time ends later by it."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from pbem.clock import confirm, mail_outage, start, stop, sweep
from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.store import AddressChange, Game, Letter, Mail, Pending, Vote
from pbem.store.log import Author
from pbem.store.rows import id_of
from tests.clock.machine import Machine
from tests.clock.people import events, seat_row, take_first, unread_mail, waits
from tests.conftest import HandClock
from tests.desk.table import Table

DAY = timedelta(days=1)


@pytest.fixture
def machine(installation: Installation, clock: HandClock) -> Machine:
    found = Machine(installation, clock)
    found.ticks()
    return found


def unfilled(installation: Installation) -> Table:
    """A table that waits for two of its three players."""
    with installation.store.work() as session:
        people = [
            find_or_add_person(session, installation.clock(), name, f"{name}@example.net")
            for name in ("Ann", "Bo", "Cy")
        ]
        game = tables.open_table(
            session, installation.site, installation.clock(), installation.entropy,
            Author("mail", people[0].id), name="Late",
            places=[Place(person.id) for person in people], organiser_id=people[0].id,
        )  # fmt: skip
        return Table(installation, id_of(game))


def vote_of(table: Table) -> Vote:
    with table.installation.store.read() as session:
        return session.exec(select(Vote).where(Vote.game_id == table.game_id)).one()


def moved(table: Table) -> list[set[str]]:
    """What every event of moved ends tells of, beside the reason."""
    return [set(one.public) - {"why"} for one in events(table, "ends-moved")]


def test_a_table_that_fills_has_the_time_back_and_two_reminders_all_the_same(
    machine: Machine, installation: Installation, clock: HandClock
) -> None:
    table = unfilled(installation)
    ends = table.game().expires_at
    assert ends is not None
    seen = []
    for day in range(10):
        machine.runs(24) if day != 3 else machine.passes(hours=48)
        machine.ticks()
        machine.ticks()
        reminders = len(table.letters(kind="invitation-reminder"))
        seen.append((reminders, table.game().status))
    assert table.game().expires_at == ends + 2 * DAY
    assert moved(table) == [{"expires"}]
    assert [one for one, status in seen if status == "inviting"] == [0, 0, 2, 2, 2, 2, 4]
    assert table.game().finished_at == ends + 2 * DAY


def test_a_vote_and_an_offer_end_later(
    machine: Machine, installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, hours=10, grace_hours=0, misses_before_offer=1)
    machine.runs(10)
    table.order(1, "vote end")
    vote, offer = vote_of(table).expires_at, seat_row(table, 0).offer_ends_at
    assert offer is not None
    machine.runs(1)
    machine.passes(hours=7 * 24)  # past the end of both
    machine.ticks()
    assert (vote_of(table).expires_at, vote_of(table).closed_at) == (vote + 7 * DAY, None)
    assert seat_row(table, 0).offer_ends_at == offer + 7 * DAY
    assert (table.game().vote_ends_at, table.game().offers_end_at) == (
        vote + 7 * DAY, offer + 7 * DAY
    )  # fmt: skip
    machine.ticks()
    assert moved(table) == [{"vote", "offers"}]
    machine.runs(80)
    assert [one.kind for one in events(table, "left-to-bot", "vote-over")] == ["left-to-bot"]
    machine.runs(80)
    assert vote_of(table).outcome == "silent"


def test_a_pause_is_no_time_of_an_offer(
    machine: Machine, installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, hours=10, grace_hours=0, misses_before_offer=1)
    machine.runs(10)
    offer = seat_row(table, 0).offer_ends_at
    assert offer is not None
    table.order(0, "pause")  # its moderator
    machine.runs(300)
    assert seat_row(table, 0).offered_at is not None
    table.order(1, "resume")
    assert seat_row(table, 0).offer_ends_at == offer + timedelta(hours=300)
    sweep(installation)
    assert events(table, "left-to-bot") == []


def test_a_silent_table_is_told_a_week_before_it_ends_a_week_on_which_the_server_is_there(
    machine: Machine, installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation, time="none", silence_days=20)
    machine.runs(13 * 24 + 1)
    assert len(table.letters(1, "silence")) == 1
    machine.passes(hours=10 * 24)
    machine.ticks()
    machine.ticks()
    assert moved(table) == [{"silence"}]
    machine.runs(6 * 24 + 20)
    assert table.game().status == "running"
    machine.runs(5)
    assert table.game().status == "ended"


def test_the_same_time_is_given_back_once(
    machine: Machine, installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation)
    table.order(1, "vote end")
    before = vote_of(table).expires_at
    machine.runs(2)
    machine.passes(hours=10)
    machine.ticks()  # the server was down, and mail for two hours longer
    with installation.store.work() as session:
        mail_outage(session, clock() - timedelta(hours=11), clock(), clock())
    machine.ticks()
    assert vote_of(table).expires_at == before + timedelta(hours=11)
    take_first(table)
    assert waits(table)[0].outage_id == table.game().outage_id


def test_what_a_person_is_waited_for_ends_later(
    machine: Machine, installation: Installation, clock: HandClock
) -> None:
    table = Table.begun(installation)
    table.order(0, "resign")
    ann = table.letters(0, "confirm")[0].person_id
    mail_id = unread_mail(table, clock())
    with installation.store.work() as session:
        mail = session.get_one(Mail, mail_id)
        mail.state, mail.held_until = "held", clock() + 5 * DAY
        session.add(mail)
        for confirmed in (None, clock()):
            session.add(AddressChange(
                person_id=ann or 0, action="change", address=f"{confirmed}@example.net",
                created_at=clock(), expires_at=clock() + 3 * DAY, confirmed_at=confirmed,
                undo_until=None if confirmed is None else clock() + 4 * DAY,
            ))  # fmt: skip
    began = clock()
    machine.passes(hours=6 * 24)
    machine.ticks()
    with installation.store.read() as session:
        pending = session.exec(select(Pending)).one()
        asked, done = session.exec(select(AddressChange).order_by(AddressChange.id)).all()  # type: ignore[arg-type]
        held = session.get_one(Mail, mail_id)
    assert pending.expires_at == began + 13 * DAY
    assert asked.expires_at == began + 9 * DAY
    assert done.undo_until == began + 10 * DAY
    assert held.held_until == began + 11 * DAY
    letter = table.letters(0, "confirm")[0]
    clock.advance(days=6)
    answer = table.order(
        0, "confirm", channel="mail", purpose="confirm", confirms=letter.context["pending"]
    )
    assert answer.outcome == "done"


def test_what_the_panic_switch_held_up_is_given_back_too(
    installation: Installation, clock: HandClock
) -> None:
    table = unfilled(installation)
    ends: datetime | None = table.game().expires_at
    assert ends is not None
    with installation.store.work() as session:
        stop(session, clock())
    clock.advance(days=8)
    sweep(installation)
    assert table.game().status == "inviting"
    with installation.store.work() as session:
        start(session, clock())
        assert not confirm(session, clock())
    sweep(installation)
    assert table.game().expires_at == ends + 8 * DAY
    with installation.store.read() as session:
        kinds = session.exec(select(Letter.kind).where(Letter.game_id == table.game_id)).all()
        assert session.get_one(Game, table.game_id).status == "inviting"
    assert "expired" not in kinds
