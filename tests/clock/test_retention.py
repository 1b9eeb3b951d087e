"""What is kept for a time only, and what is never let go."""

import pytest
from sqlmodel import col, select

from pbem.clock.retention import DEEDS_FOR, FINISHED_FOR, retain
from pbem.installation import Installation
from pbem.letters.render import render
from pbem.post.content import keep, mime_of
from pbem.store import AddressChange, Deed, Game, Letter, Mail, Pending
from tests.conftest import HandClock
from tests.intake.mails import deposit, receive, stored, written
from tests.intake.people import person_address
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def set_state(installation: Installation, number: int, state: str) -> None:
    with installation.store.work() as session:
        mail = session.get_one(Mail, number)
        mail.state = state
        session.add(mail)


def test_a_mail_is_kept_for_its_time_then_only_its_receipt(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    mail = receive(installation, table.reply_address(0), "status")
    assert mail.id is not None
    clock.advance(days=installation.settings.mail.keep_days - 0.1)
    retain(installation)
    assert stored(installation, mail.id).raw == mail.raw
    clock.advance(days=0.2)
    assert retain(installation) > 0
    now = stored(installation, mail.id)
    assert now.raw == b""
    assert (now.digest, now.state) == (mail.digest, "done")
    assert (now.receipt, now.text, now.sender) == (mail.receipt, mail.text, mail.sender)
    assert retain(installation) == 0


@pytest.mark.parametrize("state", ["new", "held", "quarantined"])
def test_what_may_still_be_wanted_is_never_let_go(
    installation: Installation, table: Table, clock: HandClock, state: str
) -> None:
    raw = written("take fox", to=table.reply_address(0))
    number = deposit(installation, raw, table.reply_address(0))
    with installation.store.work() as session:
        mail = session.get_one(Mail, number)
        mail.state, mail.person_id = state, table.people[0]
        session.add(mail)
    clock.advance(days=1000)
    retain(installation)
    assert stored(installation, number).raw == raw


def test_of_a_stranger_nothing_he_wrote_stays(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    for to in ("ark@ark.example", "postmaster@ark.example"):
        receive(installation, to, "I am Eve", sender="eve@else.example")
    with installation.store.work() as session:
        for letter in session.exec(select(Letter)).all():
            letter.state = "sent"
            session.add(letter)
    clock.advance(days=installation.settings.mail.keep_days + 1)
    retain(installation)
    with installation.store.read() as session:
        for model in (Mail, Letter):
            rows = session.exec(select(model)).all()
            assert rows
            assert "eve@else.example" not in repr(rows)
            assert "I am Eve" not in repr(rows)
        assert {mail.state for mail in session.exec(select(Mail))} == {"done", "expired"}


def test_letters_of_games_that_are_over_are_written_anew_when_looked_at(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    with installation.store.work() as session:
        for letter in session.exec(select(Letter)).all():
            keep(installation.site, letter, render(session, installation.site, letter))
            letter.state, letter.sent_at = "sent", installation.clock()
            session.add(letter)
    with installation.store.read() as session:
        before = {one.id: one.text for one in session.exec(select(Letter))}
    clock.advance(days=100)
    retain(installation)
    with installation.store.read() as session:
        assert {one.id: one.text for one in session.exec(select(Letter))} == before
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        game.status, game.finished_at = "over", installation.clock()
        session.add(game)
    retain(installation)
    with installation.store.read() as session:
        for letter in session.exec(select(Letter).where(Letter.game_id == table.game_id)):
            assert letter.text is None
            assert letter.subject is not None
            assert mime_of(session, installation.site, letter)


def test_deeds_are_remembered_as_long_as_they_matter(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    receive(installation, table.reply_address(0), table.legal(0)[0])
    count = deeds(installation)
    assert count > 0
    clock.advance(seconds=DEEDS_FOR.total_seconds() - 60)
    retain(installation)
    assert deeds(installation) == count
    clock.advance(seconds=120)
    retain(installation)
    assert deeds(installation) == 0


def test_of_a_game_that_is_over_they_go_sooner(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    receive(installation, table.reply_address(0), table.legal(0)[0])
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        game.status, game.finished_at = "over", installation.clock()
        session.add(game)
    clock.advance(seconds=FINISHED_FOR.total_seconds() + 60)
    retain(installation)
    with installation.store.read() as session:
        assert not session.exec(select(Deed).where(col(Deed.game_id).is_not(None))).all()


def deeds(installation: Installation) -> int:
    with installation.store.read() as session:
        return len(session.exec(select(Deed)).all())


def test_questions_nobody_answered_go(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    to = person_address(installation, table.people[0])
    receive(installation, to, "address ann@new.example")
    receive(installation, to, "forget me")
    clock.advance(days=20)
    retain(installation)
    assert len(rows(installation)) == 2
    clock.advance(days=10)
    retain(installation)
    assert rows(installation) == []


def rows(installation: Installation) -> list[AddressChange | Pending]:
    with installation.store.read() as session:
        return [
            *session.exec(select(AddressChange)).all(),
            *session.exec(select(Pending)).all(),
        ]


def test_many_mails_go_in_small_pieces(
    installation: Installation, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.clock.retention.BATCH", 2)
    numbers = [deposit(installation, written(str(number))) for number in range(5)]
    for number in numbers:
        set_state(installation, number, "ignored")
    clock.advance(days=1000)
    assert retain(installation) == 5
    assert all(stored(installation, number).raw == b"" for number in numbers)
