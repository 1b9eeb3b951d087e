"""The fuses: said once, then silence, and nothing lost (commands.md 1.6)."""

from dataclasses import replace

import pytest

from pbem.installation import Installation
from tests.conftest import HandClock
from tests.intake.mails import receive
from tests.intake.people import code, letters, outcome, person_address
from tests.quotas import limited
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def small(table: Table, **quotas: int) -> Table:
    return replace(table, installation=limited(table.installation, **quotas))


def receipts(table: Table) -> int:
    kinds = ("receipt", "refusal")
    return sum(len(letters(table.installation, kind)) for kind in kinds)


def test_a_seat_that_talks_without_end(table: Table, clock: HandClock) -> None:
    table = small(table, messages_an_hour=3)
    here = table.installation
    for number in range(6):
        mail = receive(here, table.reply_address(0), f"say all: {number}")
        assert mail.state == ("done" if number < 3 else "held")
    assert len(letters(here, "message")) == 3 * 2
    assert receipts(table) == 3 + 1  # the last one says why there are no more
    assert "say all: 5" in (mail.text or "")  # kept, and in the moderator's list
    other = receive(here, table.reply_address(1), "say all: me", sender="bo@example.org")
    assert other.state == "done"
    turn = receive(here, table.reply_address(0), table.legal(0)[0])
    assert outcome(turn) == "done"
    clock.advance(hours=1.1)
    assert receive(here, table.reply_address(0), "say all: again").state == "done"


def test_a_turn_beside_a_message_too_many_is_done_and_answered(table: Table) -> None:
    table = small(table, messages_an_hour=1)
    receive(table.installation, table.reply_address(0), "say all: one")
    receive(table.installation, table.reply_address(0), "say all: two")
    before = receipts(table)
    turn = table.legal(0)[0]
    mail = receive(table.installation, table.reply_address(0), f"{turn}\nsay all: three")
    assert (mail.state, table.moves()) == ("done", [turn])
    assert receipts(table) == before + 1


def test_a_table_that_is_flooded_from_all_its_seats(table: Table, clock: HandClock) -> None:
    table = small(table, table_mails_an_hour=4)
    senders = ("ann@example.org", "bo@example.org", "cy@example.org")
    states = []
    for number in range(9):
        seat = number % 3
        mail = receive(table.installation, table.reply_address(seat), "status", senders[seat])
        states.append(mail.state)
    assert states == ["done"] * 4 + ["held"] * 5
    assert receipts(table) == 4 + 3  # each of the three is told once
    clock.advance(hours=1.1)
    assert receive(table.installation, table.reply_address(0), "status").state == "done"


def test_a_forger_can_neither_flood_a_player_nor_keep_him_from_playing(table: Table) -> None:
    """He knows Ann's address, and nothing else."""
    table = small(table, answers_an_hour=6, answers_by_name_an_hour=3)
    here, server = table.installation, table.installation.settings.server_address
    states = [receive(here, server, "help").state for _ in range(9)]
    assert states == ["done"] * 3 + ["held"] * 6
    assert receipts(table) == 3 + 1
    assert outcome(receive(here, table.reply_address(0), table.legal(0)[0])) == "done"


@pytest.mark.parametrize(
    ("sender", "automatic"),
    [("eve@evil.example", False), ("ann@example.org", True), ("eve@evil.example", True)],
)
def test_a_stranger_with_a_letter_cannot_stop_the_table(
    table: Table, sender: str, automatic: bool
) -> None:
    table = small(table, table_mails_an_hour=4)
    here = table.installation
    headers = {"Auto_Submitted": "auto-replied"} if automatic else {}
    for _ in range(6):
        receive(here, table.reply_address(0), "status", sender, **headers)
    assert outcome(receive(here, table.reply_address(0), table.legal(0)[0])) == "done"


def test_one_person_opens_so_many_tables_a_day(table: Table, clock: HandClock) -> None:
    table = small(table, tables_a_day=2)
    to = person_address(table.installation, table.people[0])
    order = "new game Zoo with bo@example.org, cy@example.org"
    assert [receive(table.installation, to, order).state for _ in range(3)] == [
        "done", "done", "held",
    ]  # fmt: skip
    clock.advance(days=1.1)
    assert receive(table.installation, to, order).state == "done"


def test_an_address_that_never_answers_is_not_invited_without_end(
    table: Table, clock: HandClock
) -> None:
    table = small(table, invitations_a_day=2, tables_a_day=50)
    to = person_address(table.installation, table.people[0])
    order = "new game Zoo with victim@else.example, cy@example.org"
    for expected in ("", "", "too-many-invitations"):
        assert code(receive(table.installation, to, order)) == expected
    sent = [one.to_address for one in letters(table.installation, "invitation")]
    assert sent.count("victim@else.example") == 2
    clock.advance(days=1.1)
    assert code(receive(table.installation, to, order)) == ""


def test_strangers_get_no_answer_beyond_the_limit(installation: Installation) -> None:
    here = limited(installation, strangers_an_hour=2)
    for number in range(5):
        receive(here, "ark@ark.example", "hello", sender=f"s{number}@else.example")
    assert len(letters(here, "stranger")) == 2
