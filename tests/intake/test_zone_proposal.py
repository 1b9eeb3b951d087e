"""A player's zone is proposed once, from his mail's own time; it is never set."""

import pytest

from pbem.installation import Installation
from pbem.intake.inbox import drain
from pbem.store import Person
from tests.clock.people import person_id, settle
from tests.desk.table import Table
from tests.intake.mails import deposit
from tests.intake.people import letters, reply_to, text_of


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation)


def answered(table: Table, date: str | None, text: str = "status") -> str:
    """What Ann's mail, which gives its time as `date`, is answered with."""
    installation = table.installation
    address = reply_to(installation, table.letters(0)[0])
    before = len(letters(installation, "receipt"))
    dated = "" if date is None else f"Date: {date}\r\n"
    deposit(
        installation,
        f"From: Ann@example.net\r\nTo: {address}\r\nSubject: Re: Ark\r\n{dated}"
        f"Message-ID: <{before}@example.net>\r\n\r\n{text}\r\n".encode(),
        address, "Ann@example.net",
    )  # fmt: skip
    drain(installation)
    found = letters(installation, "receipt")
    assert len(found) == before + 1
    return text_of(installation, found[-1])


def zone(table: Table) -> tuple[str | None, str | None]:
    with table.installation.store.read() as session:
        person = session.get_one(Person, person_id(table, 0))
        return person.zone, person.zone_proposed


@pytest.mark.parametrize(
    ("offset", "name"),
    [("+0800", "UTC+8"), ("-0330", "UTC-3:30"), ("+0545", "UTC+5:45"), ("+1400", "UTC+14")],
)
def test_it_is_proposed_once_and_can_be_taken_as_it_stands(
    table: Table, offset: str, name: str
) -> None:
    text = answered(table, f"Tue, 01 Dec 2026 09:00:00 {offset}")
    assert f"Your mail's time is {name}." in " ".join(text.split())
    assert f"› timezone {name}\n" in text
    assert zone(table) == (None, name)
    again = answered(table, "Tue, 01 Dec 2026 09:00:00 -0100")
    assert "Your mail's time" not in again
    assert zone(table) == (None, name)
    answered(table, None, f"timezone {name}")
    assert zone(table) == (name, name)


@pytest.mark.parametrize(
    "date",
    [
        "Tue, 01 Dec 2026 09:00:00 +0000",  # many programs write all their times so
        "Tue, 01 Dec 2026 09:00:00 -0000",  # says that it is unknown (RFC 5322 3.3)
        "Tue, 01 Dec 2026 09:00:00 +9999",
        "Tue, 01 Dec 2026 09:00:00 +0007",
        "yesterday",
        None,
    ],
)
def test_what_says_nothing_about_a_zone_proposes_none(table: Table, date: str | None) -> None:
    assert "Your mail's time" not in " ".join(answered(table, date).split())
    assert zone(table) == (None, None)


def test_whose_zone_is_known_is_left_in_peace(table: Table) -> None:
    settle(table, 0, zone="Europe/Berlin")
    assert "time is" not in answered(table, "Tue, 01 Dec 2026 09:00:00 +0800")
    assert zone(table) == ("Europe/Berlin", None)


def test_it_is_proposed_in_the_players_own_language(table: Table) -> None:
    settle(table, 0, language="de")
    text = " ".join(answered(table, "Tue, 01 Dec 2026 09:00:00 +0800").split())
    assert "Die Zeit deiner Mail ist UTC+8." in text
    assert "Your mail's time" not in text
