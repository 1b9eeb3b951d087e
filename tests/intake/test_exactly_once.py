"""Whatever happens between the inbox and the table, an order is done once (commands.md 1.7)."""

from collections.abc import Callable

import pytest
from sqlalchemy import Connection

from pbem.installation import Installation
from pbem.intake import inbox as worker
from pbem.intake.inbox import Inbox, drain
from pbem.intake.readers import Myself
from pbem.store import Mail
from tests.intake.mails import all_mails, deposit, stored, written
from tests.intake.people import person_address
from tests.tables import Table, open_table

ADDRESSES = ("ann@example.org", "bo@example.org", "cy@example.org")


class DiedError(BaseException):
    """The process is killed."""


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def die(*_arguments: object, **_options: object) -> None:
    raise DiedError


def dies_after(function: Callable[..., object]) -> Callable[..., object]:
    def deadly(*arguments: object, **options: object) -> None:
        function(*arguments, **options)
        raise DiedError

    return deadly


def before_the_attempt_is_counted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Inbox, "_free", die)


def before_it_is_read(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Myself, "read", die)


def before_it_is_settled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Inbox, "_settle", die)


def when_it_is_settled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(worker, "carry_out", dies_after(getattr(worker, "carry_out")))  # noqa: B009


def before_the_commit(patch: pytest.MonkeyPatch) -> None:
    """Of the group; the savepoint of the mail is released already."""
    patch.setattr(Connection, "commit", die)


def after_the_commit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Inbox, "_settle", dies_after(Inbox._settle))


MOMENTS = (
    before_the_attempt_is_counted,
    before_it_is_read,
    before_it_is_settled,
    when_it_is_settled,
    before_the_commit,
    after_the_commit,
)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("mails", [1, 3])
def test_a_death_at_any_moment_loses_nothing_and_does_nothing_twice(
    installation: Installation,
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    moment: Callable[[pytest.MonkeyPatch], None],
    mails: int,
) -> None:
    turn = table.legal(0)[0]
    texts = (f"say all: first\n{turn}", "say all: second", "say all: third")
    numbers = [
        deposit(installation, written(text, sender), table.reply_address(seat), sender)
        for seat, (text, sender) in enumerate(zip(texts[:mails], ADDRESSES, strict=False))
    ]
    for _ in range(2):  # and once more while it recovers
        with monkeypatch.context() as patch:
            moment(patch)
            with pytest.raises(DiedError):
                drain(installation)
            if moment is after_the_commit:
                break
    drain(installation)
    assert [stored(installation, number).state for number in numbers] == ["done"] * mails
    assert table.moves() == [turn]
    said = [letter.context["text"] for letter in table.letters(kind="message")]
    assert sorted(said) == sorted(["first", "second", "third"][:mails] * 2)
    assert len(answers(table, numbers)) == mails


def answers(table: Table, numbers: list[int]) -> list[int]:
    return [one.answers_mail_id or 0 for one in table.letters() if one.answers_mail_id in numbers]


def test_a_copy_that_comes_by_another_way_at_the_same_time_does_nothing(
    installation: Installation, table: Table
) -> None:
    turn = table.legal(0)[0]
    raw = written(turn, to=table.reply_address(0), message_id="<once@ann.example>")
    deposit(installation, raw, table.reply_address(0))
    deposit(installation, b"Received: by another.example\r\n" + raw, "", "", channel="imap")
    deposit(installation, raw, table.reply_address(0), channel="pipe")
    drain(installation)
    assert table.moves() == [turn]
    assert outcomes(installation) == ["done", "repeated", "repeated"]


def test_two_mails_of_a_player_in_the_same_second_are_done_in_their_order(
    installation: Installation, table: Table
) -> None:
    first, second = table.legal(0)[:2]
    for text in (first, second):
        deposit(installation, written(text), table.reply_address(0))
    drain(installation)
    assert table.moves() == [first]
    assert outcomes(installation) == ["done", "aged"]


def test_the_same_turn_in_two_mails_is_done_once(installation: Installation, table: Table) -> None:
    turn = table.legal(0)[0]
    for _ in range(2):  # two Message-IDs: he has pressed the button twice
        deposit(installation, written(turn), table.reply_address(0))
    drain(installation)
    assert table.moves() == [turn]
    assert outcomes(installation) == ["done", "repeated"]


def outcomes(installation: Installation) -> list[str]:
    return [outcome(mail) for mail in all_mails(installation)]


def outcome(mail: Mail) -> str:
    assert mail.receipt is not None
    return str(mail.receipt["answer"]["outcome"])


def test_another_person_s_mail_of_the_same_message_id_is_no_copy(
    installation: Installation, table: Table
) -> None:
    """Some programs number their mails from 1, and letters that name a person have no seat."""
    numbers = []
    for person, sender in zip(table.people[:2], ADDRESSES[:2], strict=True):
        to = person_address(installation, person)
        raw = written("language de", sender, to=to, message_id="<1@localhost>")
        numbers.append(deposit(installation, raw, to, sender))
    drain(installation)
    assert [outcome(stored(installation, one)) for one in numbers] == ["done", "done"]


def test_one_mail_to_two_tables_is_said_at_both(installation: Installation, table: Table) -> None:
    other = open_table(installation, "Monday club", seed="two")
    for one in (table, other):  # a mail server passes it on once a recipient
        raw = written("say all: hello", to="both", message_id="<both@ann.example>")
        deposit(installation, raw, one.reply_address(0))
    drain(installation)
    said = {letter.game_id for letter in table.letters(kind="message")}
    assert said == {table.game_id, other.game_id}
