"""Mail with the null return path never acts, by whichever way in it comes."""

import logging

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.installation import Installation
from pbem.intake.inbox import drain
from tests.intake.mails import all_mails, deposit, stored, written
from tests.intake.taking import connected, serving
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


@pytest.mark.parametrize(
    ("channel", "sender", "state"),
    [
        ("smtp", "", "ignored"),
        ("lmtp", "", "ignored"),
        ("pipe", "<>", "ignored"),
        ("webhook", "<>", "ignored"),
        ("pipe", "", "done"),  # not told: the mail is all we know
        ("imap", "", "done"),
    ],
)
def test_a_mail_with_a_null_return_path_never_acts(
    table: Table, channel: str, sender: str, state: str
) -> None:
    raw = written(table.legal(0)[0], to=table.reply_address(0))
    number = deposit(table.installation, raw, table.reply_address(0), sender, channel)
    drain(table.installation)
    assert stored(table.installation, number).state == state
    assert len(table.moves()) == (state == "done")


@pytest.mark.parametrize(
    ("told", "envelope_from"),
    [
        ((), ""),
        (("--sender", ""), "<>"),
        (("--sender", "<>"), "<>"),
        (("--sender", "ann@example.org"), "ann@example.org"),
    ],
)
def test_the_pipe_tells_it(
    installation: Installation, told: tuple[str, ...], envelope_from: str
) -> None:
    arguments = ["deliver", *told, "--recipient", installation.settings.server_address]
    environment = {"ARK_MAIL__DOMAIN": installation.settings.mail.domain}
    done = CliRunner().invoke(main, arguments, input=written("help"), env=environment)
    assert done.exit_code == 0, done.output
    assert [mail.envelope_from for mail in all_mails(installation)] == [envelope_from]


def test_no_log_holds_what_a_letter_is_answered_by(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """aiosmtpd would write whole conversations into it."""
    address = table.reply_address(0)
    caplog.set_level(logging.DEBUG)
    with serving(table.installation) as server, connected(server.port) as client:
        client.sendmail("ann@example.org", [address], written("status", to=address))
        assert client.docmd("\x1b[2Jstatus")[0] == 500
    drain(table.installation)
    assert "status" not in caplog.text
    assert address.partition("@")[0] not in caplog.text
