"""Loop mails, over real sockets: mail that does not come through is nobody's fault."""

from collections.abc import Iterator

import pytest
from sqlmodel import select

from pbem.clock import late, sweep
from pbem.installation import Installation
from pbem.intake.inbox import drain
from pbem.jobs.loop_mail import watch_mail
from pbem.settings import SettingsError, load_settings
from pbem.store import Heartbeat, Mail, Outage
from tests.clock.machine import Machine
from tests.clock.people import events, waits
from tests.conftest import HandClock
from tests.desk.table import Table
from tests.intake.taking import but, serving

CLOSED = 9  # nobody listens there


@pytest.fixture
def watching(installation: Installation) -> Iterator[Installation]:
    """Its relay is the server itself, whose mail so comes back at once."""
    with serving(installation) as server:
        loop = {"loop_minutes": 30, "loop_patience_minutes": 10}
        yield but(installation, clock=loop, post={"port": server.port})


@pytest.fixture
def gone(watching: Installation) -> Installation:
    """The same while its relay is not there."""
    return but(watching, post={"port": CLOSED})


def pulse(installation: Installation) -> Heartbeat:
    with installation.store.read() as session:
        return session.get_one(Heartbeat, 1)


def outages(installation: Installation) -> list[Outage]:
    with installation.store.read() as session:
        return list(session.exec(select(Outage)))


def minutes(machine: Machine, installation: Installation, count: int) -> None:
    """So many minutes as the scheduler fills them, but it looks every other one."""
    for _ in range(count // 2):
        machine.passes(hours=2 / 60)
        machine.ticks()
        drain(installation)
        watch_mail(installation)


def test_a_loop_mail_comes_back_and_the_next_is_sent_in_time(
    watching: Installation, clock: HandClock
) -> None:
    machine = Machine(watching, clock)
    machine.ticks()
    watch_mail(watching)
    assert pulse(watching).loop_id is not None
    minutes(machine, watching, 2)
    assert (pulse(watching).loop_id, pulse(watching).loop_back_at) == (None, clock())
    minutes(machine, watching, 60)
    with watching.store.read() as session:
        mails = session.exec(select(Mail)).all()
    assert [mail.state for mail in mails] == ["ignored"] * 3
    assert outages(watching) == []


def test_mail_that_does_not_come_through_stops_the_clocks_and_is_given_back(
    watching: Installation, gone: Installation, clock: HandClock
) -> None:
    machine = Machine(watching, clock)
    machine.ticks()
    table = Table.begun(watching, hours=3)
    before = waits(table)[0].due_at
    assert before is not None
    minutes(machine, watching, 44)
    good = pulse(watching).loop_back_at
    minutes(machine, gone, 30)
    assert pulse(watching).mail_out_since == good
    with watching.store.read() as session:
        assert "mail has not come through" in str(late(session, clock()))
    reminded = len(table.letters(0, "reminder"))
    minutes(machine, gone, 150)  # past the deadline
    assert sweep(watching) == 0
    assert events(table, "deadline") == []
    assert len(table.letters(0, "reminder")) == reminded
    minutes(machine, watching, 32)
    assert pulse(watching).mail_out_since is None
    (outage,) = outages(watching)
    assert (outage.kind, outage.starts_at) == ("mail", good)
    machine.ticks()
    assert waits(table)[0].due_at == before + (outage.ends_at - outage.starts_at)
    assert [one.public["why"] for one in events(table, "deadline-moved")] == ["outage"]
    minutes(machine, watching, 40)
    assert len(outages(watching)) == 1


def test_a_late_one_counts_though_others_were_sent_since(
    watching: Installation, clock: HandClock
) -> None:
    machine = Machine(watching, clock)
    machine.ticks()
    for _ in range(40):  # nobody reads what has come
        machine.passes(hours=2 / 60)
        machine.ticks()
        watch_mail(watching)
    assert pulse(watching).mail_out_since is not None
    with watching.store.read() as session:
        copies = session.exec(select(Mail.raw)).all()
    assert len(copies) == 3
    assert len(set(copies)) == 1  # each is the same mail, so any of them will do
    drain(watching)
    watch_mail(watching)
    assert pulse(watching).mail_out_since is None


def test_switched_off_an_outage_is_over(
    watching: Installation, gone: Installation, clock: HandClock
) -> None:
    machine = Machine(watching, clock)
    machine.ticks()
    watch_mail(gone)
    minutes(machine, gone, 12)
    assert pulse(watching).mail_out_since is not None
    watch_mail(but(gone, clock={"loop_minutes": 0}))
    assert pulse(watching).mail_out_since is None
    assert [one.kind for one in outages(watching)] == ["mail"]


def test_a_server_that_was_down_says_nothing_about_the_mail(
    watching: Installation, gone: Installation, clock: HandClock
) -> None:
    machine = Machine(watching, clock)
    machine.ticks()
    watch_mail(gone)
    machine.passes(hours=5)
    machine.ticks()
    watch_mail(watching)
    minutes(machine, watching, 20)
    assert pulse(watching).mail_out_since is None
    assert [one.kind for one in outages(watching)] == ["server"]


def test_loop_mails_need_a_relay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARK_CLOCK__LOOP_MINUTES", "30")
    monkeypatch.setenv("ARK_POST__TRANSPORT", "postroom")
    with pytest.raises(SettingsError, match=r"clock\.loop_minutes"):
        load_settings()
