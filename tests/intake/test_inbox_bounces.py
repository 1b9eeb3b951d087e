"""What a bounce does to the letter it tells about."""

import pytest

from pbem.installation import Installation
from pbem.post.addresses import return_path
from pbem.store import Letter
from pbem.store.bounce_scores import address_row
from pbem.store.rows import id_of
from tests.conftest import HandClock
from tests.intake.bounces import bounce
from tests.intake.mails import receive
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def sent(installation: Installation, table: Table) -> Letter:
    with installation.store.work() as session:
        letter = session.get_one(Letter, table.letters(seat=0)[0].id)
        letter.state = "sent"
        session.add(letter)
    return letter


def test_a_bounce_at_the_return_path_fails_its_letter(
    installation: Installation, table: Table
) -> None:
    letter, number = sent(installation, table), len(table.letters())
    path = return_path(installation.keys, "ark.example", id_of(letter))
    mail = bounce(installation, letter, path, message_id="<lost@x>")
    assert (mail.kind, mail.state) == ("bounce", "done")
    after = table.letters(seat=0)[0]
    assert (after.state, after.error) == ("failed", "bounced: 5.1.1")
    assert len(table.letters()) == number  # a bounce is never answered


def test_where_the_path_was_rewritten_the_returned_id_tells(
    installation: Installation, table: Table
) -> None:
    letter = sent(installation, table)
    bounce(installation, letter, "ark@ark.example")
    assert table.letters(seat=0)[0].state == "failed"


def test_a_delay_is_no_failure(installation: Installation, table: Table) -> None:
    letter = sent(installation, table)
    path = return_path(installation.keys, "ark.example", id_of(letter))
    bounce(installation, letter, path, action="delayed", status="4.4.7")
    after = table.letters(seat=0)[0]
    assert after.state == "sent"
    assert "4.4.7" in (after.error or "")


def test_one_leaked_letter_does_not_silence_its_reader(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    """Its id is all that a forged notice needs; a delay is told every day for a month."""
    letter = sent(installation, table)
    for _ in range(30):
        bounce(installation, letter, "ark@ark.example", action="delayed", status="4.4.7")
        clock.advance(days=1.01)
    bounce(installation, letter, "ark@ark.example")
    with installation.store.read() as session:
        address = address_row(session, "ann@example.org")
        assert address is not None
        assert (address.bounce_score or 0) > 0
        assert address.paused_at is None


def test_nobody_can_fail_another_s_letter(installation: Installation, table: Table) -> None:
    letter = sent(installation, table)
    forged = f"b-{letter.id}-aaaaaaaaaaaaaaaa@ark.example"
    bounce(installation, letter, forged, message_id="<guessed@ark.example>")
    assert table.letters(seat=0)[0].state == "sent"


def test_a_vacation_reply_at_the_return_path_is_no_bounce(
    installation: Installation, table: Table
) -> None:
    letter = sent(installation, table)
    path = return_path(installation.keys, "ark.example", id_of(letter))
    mail = receive(installation, path, "I am away until Monday.", Auto_Submitted="auto-replied")
    assert (mail.kind, mail.state) == ("auto-reply", "ignored")
    assert table.letters(seat=0)[0].state == "sent"
