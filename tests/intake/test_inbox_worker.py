"""The worker: order, attempts, quarantine, and one unit of work a mail."""

from concurrent.futures import Future

import pytest

from pbem.installation import Installation
from pbem.intake import handling, inbox
from pbem.intake.handling import Understood
from pbem.intake.inbox import MAX_ATTEMPTS, drain, process_next
from pbem.intake.readers import Myself
from pbem.store import Mail
from tests.intake.mails import all_mails, deposit, stored, written
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def test_an_empty_inbox_is_nothing_to_do(installation: Installation) -> None:
    assert not process_next(installation)
    assert drain(installation) == 0


def test_mails_are_dealt_with_in_the_order_they_came(
    installation: Installation, table: Table
) -> None:
    first, second = table.legal(0)[:2]
    for text in (first, second):
        deposit(installation, written(text), table.reply_address(0))
    assert drain(installation) == 2
    outcomes = [
        mail.receipt["answer"]["outcome"] for mail in all_mails(installation) if mail.receipt
    ]
    assert outcomes == ["done", "aged"]
    assert table.moves() == [first]


def test_a_mail_is_marked_with_what_became_of_it(installation: Installation, table: Table) -> None:
    number = deposit(installation, written(table.legal(0)[0]), table.reply_address(0))
    assert process_next(installation)
    mail = stored(installation, number)
    assert (mail.state, mail.attempts, mail.error) == ("done", 1, None)
    assert (mail.kind, mail.person_id) == ("commands", table.people[0])
    assert (mail.game_id, mail.seat) == (table.game_id, 0)
    assert mail.handled_at == installation.clock()
    assert mail.text == table.moves()[0]
    assert mail.receipt is not None
    assert mail.receipt["verdict"] == "act"


def poisonous(monkeypatch: pytest.MonkeyPatch, marker: bytes, error: BaseException) -> None:
    """Reading a mail with this marker raises."""
    read = handling.read_message

    def fragile(raw: bytes, *args: object, **options: object) -> object:
        if marker in raw:
            raise error
        return read(raw, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(handling, "read_message", fragile)


def test_a_poisonous_mail_is_put_aside_after_three_attempts(
    installation: Installation, table: Table, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    poisonous(monkeypatch, b"poison", RecursionError("too deep"))
    bad = deposit(installation, written("poison"), table.reply_address(0))
    good = deposit(installation, written(table.legal(0)[0]), table.reply_address(0))
    drain(installation)
    mail = stored(installation, bad)
    assert (mail.state, mail.attempts) == ("quarantined", MAX_ATTEMPTS)
    assert mail.error == "RecursionError: too deep"
    assert mail.handled_at is not None
    assert f"mail {bad}" in caplog.text
    assert stored(installation, good).state == "done"
    assert len(table.moves()) == 1


class DiedError(BaseException):
    """The process is killed."""


def test_a_mail_that_kills_the_process_is_put_aside_too(
    installation: Installation, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attempt is counted before it is made, or the server would start and die for ever."""
    poisonous(monkeypatch, b"poison", DiedError())
    bad = deposit(installation, written("poison"), table.reply_address(0))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        with pytest.raises(DiedError):
            process_next(installation)
        assert stored(installation, bad).attempts == attempt
    good = deposit(installation, written(table.legal(0)[0]), table.reply_address(0))
    drain(installation)
    assert stored(installation, bad).state == "quarantined"
    assert stored(installation, bad).error
    assert stored(installation, good).state == "done"


@pytest.mark.parametrize("place", ["take_order", "receipt_of"])
def test_a_crash_in_the_middle_does_all_or_nothing(
    installation: Installation, table: Table, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    letters = len(table.letters())
    number = deposit(installation, written(table.legal(0)[0]), table.reply_address(0))
    with monkeypatch.context() as patch:

        def die(*_: object) -> None:
            raise DiedError

        if place == "take_order":
            patch.setattr(type(installation.desk), "_finish", die)  # after the turn was applied
        else:
            patch.setattr(handling, "receipt_of", die)  # just before the commit
        with pytest.raises(DiedError):
            process_next(installation)
    assert (table.moves(), len(table.letters())) == ([], letters)
    assert stored(installation, number).state == "new"
    drain(installation)
    assert len(table.moves()) == 1
    assert stored(installation, number).state == "done"


def test_a_mail_that_somebody_else_settled_meanwhile_is_left_alone(
    installation: Installation, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = deposit(installation, written(table.legal(0)[0]), table.reply_address(0))
    read = Myself.read

    def slow(reader: Myself, mail_id: int) -> "Future[Understood]":
        future = read(reader, mail_id)
        with installation.store.work() as session:
            session.get_one(Mail, number).state = "done"
        return future

    monkeypatch.setattr(Myself, "read", slow)
    assert process_next(installation)
    assert table.moves() == []


def test_trouble_of_the_database_is_nobody_s_mail_s(
    installation: Installation, table: Table
) -> None:
    """It is raised, and no attempt is counted: a locked database condemns no mail."""
    number = deposit(installation, written("help"), table.reply_address(0))
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql("ALTER TABLE mail RENAME TO gone")
    with pytest.raises(Exception, match="no such table"):
        process_next(installation)
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO mail")
    assert stored(installation, number).attempts == 0
    assert inbox.drain(installation) == 1
