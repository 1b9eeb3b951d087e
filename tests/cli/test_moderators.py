"""`moderator` and `mail`: running the server without its pages."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from sqlmodel import select

from pbem.cli import main
from pbem.installation import Installation, system_clock
from pbem.intake.inbox import drain
from pbem.store import Audit, Mail, Person
from pbem.store.rows import id_of
from pbem.store.sittings import use_link
from tests.intake.mails import deposit, receive, stored, written
from tests.tables import Table, open_table

Ark = Callable[..., Result]


@pytest.fixture
def ark(installation: Installation) -> Ark:
    """The command line of the installation."""
    file = installation.settings.instance / "settings.toml"
    file.write_text('[mail]\ndomain = "ark.example"\n', encoding="utf-8")

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(main, [str(one) for one in arguments])

    return run


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


@pytest.fixture
def held(installation: Installation, table: Table) -> Mail:
    turn = table.legal(0)[0]
    return receive(installation, table.reply_address(0), turn, sender="ann@elsewhere.example")


def _audit(installation: Installation) -> list[tuple[str, str, str]]:
    with installation.store.read() as session:
        return [(row.action, row.channel, row.reason) for row in session.exec(select(Audit))]


def test_moderators_come_and_go(installation: Installation, ark: Ark) -> None:
    assert ark("moderator", "add", "Olive", "olive@example.org", "--owner").output == (
        "Olive is owner.\n"
    )
    assert "all games" in ark("moderator", "add", "Max", "max@example.org").output
    listed = ark("moderator", "list").output
    assert "Max <max@example.org>: moderator of all games; browsers: 0" in listed
    assert "Olive <olive@example.org>: owner" in listed
    assert ark("moderator", "remove", "max").exit_code == 0
    assert "Max" not in ark("moderator", "list").output
    assert ark("moderator", "link", "Max").exit_code == 1
    assert [row[:2] for row in _audit(installation)] == [
        ("grant-role", "cli"), ("grant-role", "cli"), ("revoke-roles", "cli"),
    ]  # fmt: skip


def test_a_moderator_of_one_game(installation: Installation, ark: Ark, table: Table) -> None:
    added = ark("moderator", "add", "Gil", "gil@example.org", "--game", table.game_id)
    assert added.output == f"Gil is moderator of game {table.game_id}.\n"
    assert ark("moderator", "add", "Gil", "gil@example.org", "--game", 999).exit_code == 1
    both = ark("moderator", "add", "X", "x@example.org", "--owner", "--game", table.game_id)
    assert both.exit_code == 2


@pytest.mark.parametrize("address", ["nonsense", "ark@ark.example", "a b@c.dd"])
def test_an_address_that_is_none_is_told(ark: Ark, address: str) -> None:
    refused = ark("moderator", "add", "Max", address)
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: ")


def test_a_printed_link_signs_in_once(installation: Installation, ark: Ark) -> None:
    ark("moderator", "add", "Max", "max@example.org")
    link = ark("moderator", "link", "max@example.org").output.strip()
    where, _, token = link.rpartition("/")
    assert where == "http://127.0.0.1:8080/moderator/sign-in"
    with installation.store.work() as session:
        person_id = use_link(session, system_clock(), token)
        assert person_id is not None
        assert session.get_one(Person, person_id).name == "Max"
        assert use_link(session, system_clock(), token) is None


def test_two_of_one_name_are_told_apart_by_address(ark: Ark) -> None:
    for host in ("a", "b"):
        ark("moderator", "add", "Max", f"max@{host}.example")
    refused = ark("moderator", "link", "Max")
    assert refused.exit_code == 1
    assert "give the address" in refused.output
    assert ark("moderator", "link", "max@b.example").exit_code == 0


def test_waiting_mails_are_listed(installation: Installation, ark: Ark, held: Mail) -> None:
    listed = ark("mail", "list").output
    assert f"{held.id} " in listed
    assert "held (sender) ann@elsewhere.example" in listed
    assert ark("mail", "list", "--state", "done").output.startswith("In all")
    assert "elsewhere" in ark("mail", "list", "--sender", "ann@elsewhere.example").output


def test_a_receipt_is_shown_without_secrets(
    installation: Installation, ark: Ark, table: Table, held: Mail
) -> None:
    shown = ark("mail", "show", held.id).output
    assert "a strange address wrote" in shown
    assert table.legal(0)[0] in shown
    assert table.reply_address(0) not in shown
    assert ark("mail", "show", 999).exit_code == 1


def test_hostile_mail_does_not_reach_the_terminal(installation: Installation, ark: Ark) -> None:
    number = deposit(installation, b"Subject: \x1b]0;x\x07\r\nFrom: q@x.yz\r\n\r\n\x1b[2J\0\x9b1m")
    drain(installation)
    for output in (ark("mail", "show", number).output, ark("mail", "list", "--all").output):
        assert all(char.isprintable() or char == "\n" for char in output)


def test_nothing_is_done_without_yes(
    installation: Installation, ark: Ark, table: Table, held: Mail
) -> None:
    seat = ("--game", table.game_id, "--seat", 0, "--reason", "told me")
    shown = ark("mail", "treat", held.id, *seat)
    assert "This would happen" in shown.output
    assert table.moves() == []
    assert _audit(installation) == []
    assert ark("mail", "treat", held.id, *seat, "--yes").output.startswith("Done.")
    assert len(table.moves()) == 1
    assert _audit(installation) == [("treat-as", "cli", "told me")]
    twice = ark("mail", "treat", held.id, *seat, "--yes")
    assert twice.exit_code == 1
    assert "nothing is done twice" in twice.output


@pytest.mark.parametrize(("what", "state"), [("again", "held"), ("discard", "discarded")])
def test_the_other_actions(
    installation: Installation, ark: Ark, held: Mail, what: str, state: str
) -> None:
    assert ark("mail", what, held.id).exit_code == 2, "a reason is asked"
    assert ark("mail", what, held.id, "--reason", "spam", "--yes").exit_code == 0
    assert stored(installation, id_of(held)).state == state


def test_raw_writes_the_bytes(installation: Installation, ark: Ark) -> None:
    raw = written("status") + b"\xff\0"
    number = deposit(installation, raw)
    assert ark("mail", "raw", number).stdout_bytes == raw
    assert _audit(installation) == [("download-mail", "cli", "")]
    assert ark("mail", "raw", 999).exit_code == 1
