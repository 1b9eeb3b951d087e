"""`tidy` and `welcome`, and that the command line asks nobody who wants no mail."""

from click.testing import CliRunner
from sqlmodel import select

from pbem.cli import main
from pbem.installation import Installation
from pbem.store import Game
from pbem.store.rows import id_of
from tests.conftest import HandClock
from tests.intake.mails import receive, stored
from tests.intake.people import person_address
from tests.tables import open_table

SEATS = ["--seat", "Ann <ann@example.org>", "--seat", "Bo <bo@example.org>", "--seat", "bot:greedy"]


def test_tidy_lets_go_and_compacts(installation: Installation, clock: HandClock) -> None:
    mail = receive(installation, "ark@ark.example", "hello", sender="eve@else.example")
    clock.advance(days=-4000)  # the command's own clock is the machine's
    with installation.store.work() as session:
        row = session.get_one(type(mail), mail.id)
        row.received_at = clock.now
        session.add(row)
    result = CliRunner().invoke(main, ["tidy", "--compact"])
    assert result.exit_code == 0, result.output
    assert "People forgotten: 0" in result.output
    assert stored(installation, id_of(mail)).raw == b""


def test_the_command_line_invites_nobody_who_wants_no_mail(installation: Installation) -> None:
    table = open_table(installation)
    receive(installation, person_address(installation, table.people[0]), "never again")
    for more in ([], ["--start"]):
        result = CliRunner().invoke(main, ["new-game", "--name", "Zoo", *SEATS, *more])
        assert result.exit_code != 0
        assert "does not want invitations" in result.output
    with installation.store.read() as session:
        assert len(session.exec(select(Game)).all()) == 1
    assert CliRunner().invoke(main, ["welcome", "ann@example.org"]).exit_code == 0
    assert CliRunner().invoke(main, ["welcome", "ann@example.org"]).exit_code == 1
    assert CliRunner().invoke(main, ["welcome", "nobody"]).exit_code == 1
    assert CliRunner().invoke(main, ["new-game", "--name", "Zoo", *SEATS]).exit_code == 0
