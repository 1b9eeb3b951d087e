"""What the answer to a mail says, where it is easily wrong."""

import pytest

from pbem.installation import Installation
from pbem.letters.render import render
from pbem.store import Letter
from tests.intake.mails import receive
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def answer(installation: Installation, table: Table, text: str) -> str:
    """The last letter after this mail of the first seat, as text."""
    receive(installation, table.reply_address(0), text)
    with installation.store.read() as session:
        letter = session.get_one(Letter, table.letters()[-1].id)
        return render(session, installation.site, letter).text


def test_what_was_done_is_not_said_to_wait(installation: Installation, table: Table) -> None:
    said = answer(installation, table, "timezone Europe/Berlin\nplay zebra X9")
    assert "Not all of it was done." in said
    assert "waits for that" not in said


def test_a_turn_that_was_not_done_is_said_to_wait(installation: Installation, table: Table) -> None:
    said = answer(installation, table, "play zebra X9")
    assert "no turn was done" in said
    assert "waits for that" in " ".join(said.split())


@pytest.mark.parametrize("text", ["undo", "help x", "vote yes\nhand\nThanks for the game!"])
def test_where_no_turn_was_meant_none_is_spoken_of(
    installation: Installation, table: Table, text: str
) -> None:
    said = answer(installation, table, text)
    assert said.startswith("Nothing was done.")
    assert "no turn was done" not in said
    assert "another word" not in " ".join(said.split())


def test_a_turn_beside_another_trouble_is_said_not_to_be_done(
    installation: Installation, table: Table
) -> None:
    said = answer(installation, table, f"help x\ntake {sorted(table.legal(0))[0]}")
    assert "no turn was done" in said


def test_a_rule_is_named_once(installation: Installation, table: Table) -> None:
    display = {card.partition("-")[0] for card in table.legal(0)}
    absent = "chimpanzee" if not any("chimpanzee" in card for card in display) else "elephant"
    said = answer(installation, table, f"take {absent}")
    assert f"Refused. The {absent} is not on display (R4.2)." in " ".join(said.split())


def test_a_new_language_holds_for_the_lines_below_it(
    installation: Installation, table: Table
) -> None:
    said = answer(installation, table, "language de\ntimezone Europe/Berlin\nvacation")
    assert "Ab jetzt schreiben wir dir auf Deutsch." in said
    assert "Your" not in said.partition("Du bist am Zug")[0]
