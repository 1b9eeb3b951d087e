"""A mail from somebody whose seat a bot holds."""

import pytest

from pbem.desk.people import find_or_add_person
from pbem.desk.succession import give_to_bot, give_to_person
from pbem.installation import Installation
from pbem.store import Game
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.rows import id_of
from tests.conftest import HandClock
from tests.intake.mails import receive
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def _holder(table: Table) -> int | None:
    with table.installation.store.read() as session:
        return holders(session, session.get_one(Game, table.game_id))[0].person_id


def _lose(table: Table, clock: HandClock) -> None:
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        give_to_bot(session, table.installation.site, clock(), Author("clock"), game, 0, "late")


def test_an_answer_to_an_old_letter_brings_the_seat_back(
    table: Table, installation: Installation, clock: HandClock
) -> None:
    old = table.reply_address(0)
    _lose(table, clock)
    assert _holder(table) is None
    receive(installation, old, "Sorry for the delay!")
    assert _holder(table) == table.people[0]


def test_not_if_somebody_else_plays_it_by_now(
    table: Table, installation: Installation, clock: HandClock
) -> None:
    old = table.reply_address(0)
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        fay = find_or_add_person(session, clock(), "Fay", "fay@example.org", confirmed=True)
        give_to_person(
            session, installation.site, clock(), Author("mail", fay.id), game, 0, id_of(fay)
        )
        fay_id = fay.id
    receive(installation, old, table.legal(0)[0])
    assert _holder(table) == fay_id
    assert table.moves() == []


def test_nor_for_a_stranger_with_the_address(
    table: Table, installation: Installation, clock: HandClock
) -> None:
    old = table.reply_address(0)
    _lose(table, clock)
    receive(installation, old, "Hello!", sender="eve@evil.example")
    assert _holder(table) is None
