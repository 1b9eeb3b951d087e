"""Reading in processes of their own: limits of time, deaths, order, and sharing a commit."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future

import pytest

from pbem.installation import Installation
from pbem.intake import handling
from pbem.intake import inbox as worker
from pbem.intake.handling import Understood, read_mail
from pbem.intake.inbox import MAX_ATTEMPTS, Inbox
from pbem.intake.readers import Myself, Pool
from pbem.settings import Settings
from pbem.store import Mail
from tests.forks import forks
from tests.intake.fragile import DIES, HANGS, fragile
from tests.intake.mails import all_mails, deposit, stored, written
from tests.tables import Table, open_table

LONGEST = 300.0
"""Seconds until something must have happened: much more than it takes, as other tests run
beside this one, and on slow machines too."""


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


class Patient(Pool):
    """Two readers with all the time in the world, but for mails that are known to hang."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, 2, seconds=LONGEST, read=fragile)
        self.hanging: set[int] = set()

    def read(self, mail_id: int) -> "Future[Understood]":
        self._seconds = 0.5 if mail_id in self.hanging else LONGEST
        return super().read(mail_id)


@pytest.fixture
def pool(settings: Settings) -> Iterator[Patient]:
    """Its processes, too, are forked from the one that has done the imports."""
    assert forks.get_start_method() == "forkserver"
    pool = Patient(settings)
    yield pool
    pool.close()


def work(inbox: Inbox, enough: Callable[[], bool], seconds: float = LONGEST) -> None:
    end = time.monotonic() + seconds
    while not enough():
        assert time.monotonic() < end, "the inbox does not get on"
        inbox.work()


def test_mails_that_hang_or_kill_hold_up_nobody(
    installation: Installation, table: Table, pool: Patient
) -> None:
    """They are put aside after three attempts; the others are dealt with meanwhile."""
    bad = [
        deposit(installation, written(text.decode(), "Eve <eve@example.org>"), sender="eve@x.org")
        for text in (HANGS, DIES)
    ]
    good = deposit(installation, written(table.legal(0)[0]), table.reply_address(0))
    inbox = Inbox(installation, pool)
    work(inbox, lambda: stored(installation, good).state == "done")
    hung = stored(installation, bad[0])
    assert (hung.state, hung.attempts) == ("new", 1)
    assert len(table.moves()) == 1
    inbox.close()
    pool.hanging.add(bad[0])
    inbox = Inbox(installation, pool)
    work(inbox, lambda: all(stored(installation, one).state == "quarantined" for one in bad))
    hung, died = (stored(installation, one) for one in bad)
    assert hung.attempts == died.attempts == MAX_ATTEMPTS
    assert "TimeoutError" in (hung.error or "")
    assert "ProcessExpired" in (died.error or "")
    late = deposit(
        installation, written(table.legal(1)[0]), table.reply_address(1), "bo@example.org"
    )
    work(inbox, lambda: stored(installation, late).state != "new")  # the pool has not suffered
    assert not inbox.is_busy


def exhaust(inbox: Inbox) -> None:
    while inbox.work():
        pass


class Held:
    """A reader that answers when it is told to."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self.asked: dict[int, Future[Understood]] = {}

    def read(self, mail_id: int) -> "Future[Understood]":
        self.asked[mail_id] = Future()
        return self.asked[mail_id]

    def answer(self, mail_id: int) -> None:
        self.asked[mail_id].set_result(read_mail(self._installation, mail_id))

    def rest(self) -> None: ...
    def close(self) -> None: ...


def test_mails_of_one_seat_wait_for_each_other_and_those_of_others_do_not(
    installation: Installation, table: Table
) -> None:
    turn = written(table.legal(0)[0])
    first = deposit(installation, turn, table.reply_address(0))
    same_seat = deposit(
        installation, written("help", "ann@elsewhere.example"), table.reply_address(0),
        "ann@elsewhere.example",
    )  # fmt: skip
    same_person = deposit(installation, written("games"), sender="bounces@relay.example")
    other = deposit(installation, written("games", "Bo <bo@example.org>"), sender="bo@example.org")
    readers = Held(installation)
    inbox = Inbox(installation, readers)
    inbox.work()
    assert set(readers.asked) == {first, other}
    readers.answer(other)
    inbox.work()
    assert stored(installation, other).state == "done"
    assert {stored(installation, one).state for one in (first, same_seat, same_person)} == {"new"}
    for number in (first, same_seat, same_person):
        assert list(readers.asked)[-1] in (number, other)
        readers.answer(number)
        inbox.work()
        assert stored(installation, number).state != "new"
        inbox.work()
    assert not inbox.is_busy


def test_one_that_fails_in_a_group_is_undone_alone(
    installation: Installation, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After it has changed something: the others' changes stay, its own do not."""
    mails = (
        ("help", "ann@example.org"),
        ("say all: hello\nhelp", "bo@example.org"),
        ("help", "cy@example.org"),
    )
    seats = [
        deposit(installation, written(text, sender), table.reply_address(seat), sender)
        for seat, (text, sender) in enumerate(mails)
    ]

    def failing(
        installation: Installation, session: object, row: Mail, *args: object, **more: object
    ) -> object:
        result = handling.carry_out(installation, session, row, *args, **more)  # type: ignore[arg-type]
        if row.id == seats[1]:
            raise ValueError("after everything was done")
        return result

    before = len(table.letters())
    with monkeypatch.context() as patch:
        patch.setattr(worker, "carry_out", failing)
        assert Inbox(installation).work() == 3
    states = [stored(installation, one) for one in seats]
    assert [mail.state for mail in states] == ["done", "new", "done"]
    assert states[1].error == "ValueError: after everything was done"
    assert len(table.letters()) == before + 2
    worker.drain(installation)
    assert len(table.letters(kind="message")) == 2
    assert stored(installation, seats[1]).attempts == 2


class DiedError(BaseException):
    """The process is killed."""


def test_after_a_death_only_the_guilty_one_is_blamed_again(
    installation: Installation, table: Table
) -> None:
    """All that were under way are tried alone, before everything else."""
    readers = Myself(installation)
    read = readers.read

    def deadly(mail_id: int) -> "Future[Understood]":
        if mail_id == guilty:
            raise DiedError
        return read(mail_id)

    readers.read = deadly  # type: ignore[method-assign]
    innocent = deposit(installation, written("help"), table.reply_address(0))
    guilty = deposit(installation, written("bang", "eve@example.org"), sender="eve@example.org")
    later = deposit(
        installation, written("help", "Bo <bo@example.org>"), table.reply_address(1),
        "bo@example.org",
    )  # fmt: skip
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(DiedError):
            exhaust(Inbox(installation, readers))
    exhaust(Inbox(installation, readers))
    mails = {mail.id: (mail.state, mail.attempts) for mail in all_mails(installation)}
    assert mails == {
        innocent: ("done", 2), guilty: ("quarantined", MAX_ATTEMPTS), later: ("done", 2),
    }  # fmt: skip


def test_an_installation_is_opened_by_its_settings_alone(
    installation: Installation, table: Table, settings: Settings
) -> None:
    """What a reader's process starts from: it sees the same mails, and writes nothing."""
    number = deposit(installation, written(table.legal(0)[0]), table.reply_address(0))
    pool = Pool(settings, 1, seconds=LONGEST)
    try:
        understood = pool.read(number).result(LONGEST)
    finally:
        pool.close()
    assert understood.message == read_mail(installation, number).message
    assert understood.identity.person_id == table.people[0]
    assert understood.ahead is not None
    assert understood.ahead.reading.turn is not None
    assert stored(installation, number).state == "new"


def test_a_server_that_is_stopped_blames_no_mail(installation: Installation, table: Table) -> None:
    number = deposit(installation, written(table.legal(0)[0]), table.reply_address(0))
    for _ in range(MAX_ATTEMPTS + 1):
        inbox = Inbox(installation, Held(installation))
        inbox.work()
        assert stored(installation, number).attempts == 1
        inbox.close()
    assert stored(installation, number).attempts == 0
    exhaust(Inbox(installation))
    assert stored(installation, number).state == "done"
