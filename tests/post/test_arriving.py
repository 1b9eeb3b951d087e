"""What follows from letters that do not arrive: a score that decays, letters that wait,
word to whoever looks after the table, and the ways back."""

from datetime import timedelta

import pytest
from sqlmodel import select

from pbem.installation import Installation
from pbem.letters import announce
from pbem.post.addresses import return_path
from pbem.post.consequences import status_of
from pbem.store import Address, Game, Letter
from pbem.store.bounce_scores import HALF_LIFE, LIMIT, bounced, score
from pbem.store.rows import id_of
from tests.conftest import START, HandClock
from tests.intake.bounces import bounce
from tests.intake.mails import receive
from tests.post.sending import deliver
from tests.tables import Table, open_table

REFUSED = {"RCPT": "550 5.1.1 no such user"}


@pytest.fixture
def table(installation: Installation) -> Table:
    """Ann organises, Bo's mail is in trouble."""
    table = open_table(installation)
    with installation.store.work() as session:
        session.get_one(Game, table.game_id).organiser_id = table.people[0]
    deliver(installation)
    return table


def address(table: Table, seat: int = 1) -> Address:
    with table.installation.store.read() as session:
        query = select(Address).where(Address.person_id == table.people[seat])
        return session.exec(query).one()


def write(table: Table, seat: int = 1) -> Letter:
    """A letter to a seat."""
    here = table.installation
    with here.store.work() as session:
        game = session.get_one(Game, table.game_id)
        letter = announce.resend(session, here.site, here.clock(), game, seat)
        assert letter is not None
        return letter


def come_back(table: Table, clock: HandClock, days: int = 3) -> None:
    """A letter a day that is refused."""
    for _ in range(days):
        write(table)
        deliver(table.installation, REFUSED)
        clock.advance(days=1, minutes=1)


def told(table: Table, seat: int = 0) -> list[Letter]:
    letters = table.letters(kind="unreachable")
    return [letter for letter in letters if letter.person_id == table.people[seat]]


def states(table: Table) -> list[str]:
    return [letter.state for letter in table.letters(seat=1)]


# -- the score


def test_the_score_decays() -> None:
    row = Address(person_id=1, address="x@example.org", created_at=START)
    assert score(row, START) == 0
    assert not bounced(row, START, "5.1.1", hard=True)
    assert score(row, START) == 1
    assert score(row, START + HALF_LIFE) == pytest.approx(0.5)
    assert score(row, START - HALF_LIFE) == 1  # a clock that was set back


@pytest.mark.parametrize(("hard", "days"), [(True, 3), (False, 14)])
def test_hard_bounces_pause_in_days_soft_ones_in_weeks(hard: bool, days: int) -> None:
    row, now, count = Address(person_id=1, address="x@y", created_at=START), START, 1
    while not bounced(row, now, "", hard=hard):
        count, now = count + 1, now + timedelta(days=1)
    assert abs(count - days) <= 1
    assert row.paused_at == now
    assert not bounced(row, now + timedelta(days=2), "", hard=hard)  # once is enough


def test_one_bad_evening_pauses_nobody() -> None:
    row = Address(person_id=1, address="x@example.org", created_at=START)
    for minutes in range(600):
        assert not bounced(row, START + timedelta(minutes=minutes), "", hard=True)
    assert row.paused_at is None


def test_a_hard_bounce_a_month_never_pauses() -> None:
    row = Address(person_id=1, address="x@example.org", created_at=START)
    assert not any(bounced(row, START + timedelta(days=30 * n), "", hard=True) for n in range(50))
    assert (row.bounce_score or 0) < LIMIT


# -- letters that wait


def test_after_days_of_refusals_letters_wait(table: Table, clock: HandClock) -> None:
    come_back(table, clock)
    assert address(table).paused_at is not None
    assert address(table).bounce_status == "RCPT: 550 5.1.1 no such user"
    letter = write(table)
    relay = deliver(table.installation)
    assert "bo@example.org" not in [one.recipient for one in relay.taken]
    assert states(table)[-1] == "paused"
    newer = write(table)  # and a newer one takes its place there, too
    deliver(table.installation)
    assert states(table)[-2:] == ["replaced", "paused"]
    assert newer.id != letter.id


def test_the_organiser_is_told_once_a_day_and_when_letters_pause(
    table: Table, clock: HandClock
) -> None:
    for _ in range(3):
        write(table)
        deliver(table.installation, REFUSED)
    assert [one.context["paused"] for one in told(table)] == [False]
    clock.advance(days=1, minutes=1)
    come_back(table, clock)
    assert [one.context["paused"] for one in told(table)].count(True) == 1
    assert told(table)[0].context["status"] == "5.1.1"
    assert told(table, seat=1) == []


def test_nobody_is_told_of_what_does_not_reach_those_who_are_told(
    table: Table, clock: HandClock
) -> None:
    come_back(table, clock, days=1)
    assert len(told(table)) == 1
    deliver(table.installation, REFUSED)
    assert len(table.letters(kind="unreachable")) == 1


def test_the_table_knows(table: Table, clock: HandClock) -> None:
    with table.installation.store.work() as session:
        row = session.exec(select(Address).where(Address.address == "ann@example.org")).one()
        row.paused_at = clock()
        session.add(row)
    write(table)  # Ann, in seat 0, is to move
    text = deliver(table.installation).taken[-1].content.decode()
    assert "Our letters to Ann do not arrive" in text


def test_a_refusal_by_our_own_relay_says_little_of_an_address(table: Table) -> None:
    write(table)
    deliver(table.installation, {"end": "554 5.7.1 looks like spam"})
    assert address(table).bounce_score == pytest.approx(0.25)


# -- what comes back by mail


def arrived(table: Table, letter: Letter) -> str:
    return return_path(table.installation.keys, "ark.example", id_of(letter))


def test_a_bounce_counts_and_a_delay_counts_a_little(table: Table, clock: HandClock) -> None:
    letter = write(table)
    deliver(table.installation)
    path = arrived(table, letter)
    bounce(table.installation, letter, path, action="delayed", status="4.4.7")
    assert address(table).bounce_score == pytest.approx(0.25)
    assert table.letters(seat=1)[-1].state == "sent"
    clock.advance(days=1, minutes=1)
    bounce(table.installation, letter, path)
    assert table.letters(seat=1)[-1].state == "failed"
    assert (address(table).bounce_score or 0) > 1
    assert len(told(table)) == 1
    bounce(table.installation, letter, path)  # the same news again
    assert len(told(table)) == 1


def test_a_vacation_reply_counts_nothing(table: Table) -> None:
    letter = write(table)
    deliver(table.installation)
    receive(table.installation, arrived(table, letter), "I am away.", Auto_Submitted="auto-replied")
    assert address(table).bounce_score is None


# -- the ways back


def test_a_mail_from_there_lets_letters_go_again(table: Table, clock: HandClock) -> None:
    come_back(table, clock)
    write(table)
    deliver(table.installation)
    assert states(table)[-1] == "paused"
    receive(table.installation, table.reply_address(1), "help", sender="bo@example.org")
    assert address(table).paused_at is None
    assert address(table).bounce_score is None
    relay = deliver(table.installation)
    assert [one.recipient for one in relay.taken].count("bo@example.org") == 2  # and the answer
    assert "paused" not in states(table)


@pytest.mark.parametrize(
    ("sender", "headers"),
    [("eve@evil.example", {}), ("bo@example.org", {"Auto_Submitted": "auto-replied"})],
)
def test_no_other_mail_does(
    table: Table, clock: HandClock, sender: str, headers: dict[str, str]
) -> None:
    come_back(table, clock)
    receive(table.installation, table.reply_address(1), "help", sender=sender, **headers)
    assert address(table).paused_at is not None


def test_the_letter_that_was_lost_is_written_anew(table: Table, clock: HandClock) -> None:
    come_back(table, clock)
    assert states(table)[-1] == "failed"
    number = len(table.letters(seat=1, kind="what-happened"))
    receive(table.installation, table.reply_address(1), "help", sender="bo@example.org")
    assert len(table.letters(seat=1, kind="what-happened")) == number + 1


def test_letters_that_waited_long_are_tried_for_days_again(table: Table, clock: HandClock) -> None:
    come_back(table, clock)
    write(table)
    deliver(table.installation)
    clock.advance(days=20)
    receive(table.installation, table.reply_address(1), "help", sender="bo@example.org")
    deliver(table.installation, {"RCPT": "450 greylisted"})
    waiting = [one for one in table.letters(seat=1) if one.kind == "what-happened"][-1]
    assert waiting.state == "retry"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("RCPT: 550 5.1.1 no such user", "5.1.1"),
        ("bounced: 4.2.2 mailbox full", "4.2.2"),
        ("550 no 1.2.3.4 status", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_status_in_what_a_server_said(said: str | None, status: str) -> None:
    assert status_of(said) == status
