"""A reply address that is made new, and the leaked letter that is worth nothing after."""

import re

import pytest
from sqlmodel import select

from pbem.desk.renewing import RENEWED, renew_reply_address
from pbem.installation import Installation
from pbem.letters.bearers import reply_bearer
from pbem.post.content import content_of
from pbem.store import Event, Game, Letter, Token
from pbem.store.log import Author, seen_by
from pbem.store.tokens import digest
from tests.intake.policies import EVE, SERVER, sent, table_that_proves, turn
from tests.tables import Table


@pytest.fixture
def table(installation: Installation) -> Table:
    return table_that_proves(installation)


def renew(table: Table, seat: int = 0) -> None:
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        author = Author("web", table.people[seat])
        now = table.installation.clock()
        assert renew_reply_address(session, table.installation.site, now, author, game, seat)


def newest_address(table: Table, seat: int = 0) -> str:
    bearer = reply_bearer(table.letters(seat=seat)[-1])
    assert bearer is not None
    return table.installation.site.reply_address(table.installation.keys.token(bearer))


def test_a_new_reply_address_makes_the_leaked_letter_worthless(table: Table) -> None:
    leaked, letter = table.reply_address(0), table.letters(seat=0)[-1]
    with table.installation.store.work() as session:
        for one in session.exec(select(Letter)):
            one.state = "sent"
            session.add(one)
    renew(table)
    assert newest_address(table) != leaked
    for sender in ("ann@example.org", EVE):
        assert sent(table, turn(table), sender, to=leaked).state in ("done", "ignored")
        threaded = sent(table, turn(table), sender, to=SERVER, In_Reply_To=letter.message_id)
        assert threaded.state in ("done", "ignored", "held")
    assert table.moves() == []
    assert sent(table, turn(table), to=newest_address(table)).state == "done"
    assert len(table.moves()) == 1


def test_the_present_letter_comes_with_it_and_letters_under_way_carry_it(table: Table) -> None:
    before = table.letters(seat=0)
    renew(table)
    letters = table.letters(seat=0)
    assert letters[-1].kind == "your-turn"
    assert letters[-1].id not in {one.id for one in before}
    assert {one.generation for one in letters if one.state == "queued"} == {1}
    with table.installation.store.read() as session:
        for one in letters:
            if one.state == "queued":
                content = content_of(session, table.installation.site, one)
                for secret in content.secrets:
                    row = session.exec(select(Token).where(Token.digest == digest(secret))).one()
                    assert row.revoked_at is None


def test_only_the_seat_itself_sees_that_it_was_made_new(table: Table) -> None:
    renew(table)
    with table.installation.store.read() as session:
        event = session.exec(select(Event).where(Event.kind == RENEWED)).one()
        assert len(seen_by([event], 0)) == 1
        assert seen_by([event], 1) == seen_by([event], None) == []
    assert table.reply_address(1) == newest_address(table, 1)


def test_a_leaked_letter_s_mail_can_still_be_thrown_away_and_the_address_renewed_twice(
    table: Table,
) -> None:
    renew(table)
    first = newest_address(table)
    renew(table)
    second = newest_address(table)
    assert len({table.reply_address(0), first, second}) == 3
    assert sent(table, turn(table), to=first).state in ("done", "ignored")
    assert table.moves() == []
    assert re.fullmatch(r"t-[a-z2-7]{26}@ark\.example", second)
