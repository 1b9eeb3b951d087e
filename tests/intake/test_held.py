"""What becomes of a mail that is held: vouched for, thrown away, out of time."""

from datetime import timedelta

import pytest
from sqlmodel import select

from pbem.installation import Installation
from pbem.intake.again import discard, vouch_for
from pbem.intake.held import expire_held, held_mail, held_mails
from pbem.store import Game
from pbem.store.audit import Actor
from tests.conftest import HandClock
from tests.intake.mails import stored
from tests.intake.policies import EVE, SERVER, sent, table_that_proves, turn, with_policy
from tests.tables import Table


@pytest.fixture
def table(installation: Installation) -> Table:
    return table_that_proves(installation)


def test_its_person_says_it_was_him_and_it_is_done_once(table: Table) -> None:
    mail = sent(table, turn(table), EVE)
    assert mail.id is not None
    done = vouch_for(table.installation, mail.id, table.people[0])
    assert done.ok
    assert stored(table.installation, mail.id).state == "done"
    assert len(table.moves()) == 1
    assert {one.to_address for one in table.letters(kind="receipt")} == {"ann@example.org"}
    assert not vouch_for(table.installation, mail.id, table.people[0]).ok
    assert len(table.moves()) == 1


def test_nobody_else_can_say_so(table: Table) -> None:
    mail = sent(table, turn(table), EVE)
    assert mail.id is not None
    assert vouch_for(table.installation, mail.id, table.people[1]).code == "not-yours"
    with table.installation.store.read() as session:
        assert held_mail(session, mail.id, table.people[1]) is None
        assert held_mail(session, mail.id, table.people[0]) is not None
    assert table.moves() == []


def test_after_its_decision_has_passed_it_never_acts(table: Table) -> None:
    mail = sent(table, turn(table), EVE)
    assert sent(table, turn(table)).state == "done"
    for seat, sender in ((1, "bo@example.org"), (2, "cy@example.org")):
        to = table.reply_address(seat)
        assert sent(table, turn(table, seat), sender, to=to).state == "done"
    before = table.moves()
    assert mail.id is not None
    redone = vouch_for(table.installation, mail.id, table.people[0])
    assert redone.answer is not None
    assert redone.answer.outcome in ("aged", "repeated")
    assert table.moves() == before


def test_a_held_new_game_is_opened_when_he_says_so(table: Table) -> None:
    mail = sent(table, "new game Friday with di@example.org, ed@example.org", to=SERVER)
    assert mail.id is not None
    assert vouch_for(table.installation, mail.id, table.people[0]).ok
    with table.installation.store.read() as session:
        assert len(session.exec(select(Game)).all()) == 2


def test_a_mail_by_way_of_a_list_is_done_when_he_says_so(table: Table) -> None:
    mail = sent(table, turn(table), List_Id="<x.example>")
    assert mail.error == "list"
    assert mail.id is not None
    assert vouch_for(table.installation, mail.id, table.people[0]).ok
    assert len(table.moves()) == 1


def test_thrown_away_it_is_not_done(table: Table) -> None:
    mail = sent(table, turn(table), EVE)
    assert mail.id is not None
    assert discard(table.installation, mail.id, Actor("web", table.people[0])).ok
    assert vouch_for(table.installation, mail.id, table.people[0]).code == "not-held"
    assert table.moves() == []


def test_it_is_thrown_away_when_its_time_is_over(table: Table, clock: HandClock) -> None:
    mail = sent(table, turn(table), EVE)
    assert mail.id is not None
    assert mail.held_until == clock() + timedelta(days=14)
    clock.advance(days=13, hours=23)
    assert expire_held(table.installation) == 0
    clock.advance(hours=2)
    assert expire_held(table.installation) == 1
    assert expire_held(table.installation) == 0
    assert stored(table.installation, mail.id).state == "expired"
    assert vouch_for(table.installation, mail.id, table.people[0]).code == "not-held"


def test_moderator_and_player_see_what_is_held(table: Table) -> None:
    mail = sent(table, turn(table), EVE)
    with_policy(table, "dmarc")
    unproved = sent(table, turn(table))
    with table.installation.store.read() as session:
        shown = held_mails(session, game_id=table.game_id)
        assert [one.id for one in shown] == [unproved.id, mail.id]
        assert held_mails(session, person_id=table.people[0]) == shown
        assert held_mails(session, person_id=table.people[1]) == []
    assert shown[1].sender == EVE
    assert shown[1].lines == (turn(table),)
    assert "not known as yours" in shown[1].why
    assert "Nothing in it proves" in shown[0].why
