"""Whose mail moves a seat: the policies of a table, forgeries, and what becomes of each."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from pbem.desk.renewing import RENEWED, renew_reply_address
from pbem.installation import Installation
from pbem.intake.again import discard, vouch_for
from pbem.intake.held import expire_held, held_mail, held_mails
from pbem.intake.inbox import drain
from pbem.letters.bearers import reply_bearer
from pbem.post.content import content_of
from pbem.store import Address, Event, Game, Letter, Mail, Token
from pbem.store.audit import Actor
from pbem.store.log import Author, seen_by
from pbem.store.tokens import digest
from tests.conftest import HandClock
from tests.intake.mails import deposit, receive, stored, written
from tests.intake.signing import Names, names, signed
from tests.tables import Table, open_table

SERVER = "ark@ark.example"
EVE = "eve@evil.example"
RELAYED = {"Received": "from mx.example by ark.example; Tue, 01 Dec 2026 09:00:00 +0000"}


@pytest.fixture
def installation(installation: Installation) -> Installation:
    """Knows the keys of example.org and evil.example."""
    return replace(installation, resolver=names("example.org", "evil.example"))


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def with_policy(table: Table, policy: str) -> Table:
    with table.installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        game.mail_policy = policy
        session.add(game)
    return table


def sent(
    table: Table, text: str, sender: str = "ann@example.org", *, to: str | None = None,
    signer: str | None = None, length: bool = False, appended: str = "", **headers: str,
) -> Mail:  # fmt: skip
    """A mail that came by way of another server, signed by a domain if there is one."""
    address = table.reply_address(0) if to is None else to
    raw = written(text, sender=f"Ann <{sender}>", to=address, **RELAYED, **headers)
    if signer is not None:
        raw = signed(raw, signer, length=length)
    raw += appended.encode()
    number = deposit(table.installation, raw, address, sender)
    drain(table.installation)
    return stored(table.installation, number)


def turn(table: Table, seat: int = 0) -> str:
    return table.legal(seat)[0]


def held_letters(table: Table) -> list[str]:
    """The texts of the letters about held mails, to Ann."""
    with table.installation.store.read() as session:
        rows = session.exec(select(Letter).where(Letter.kind == "held")).all()
        assert {row.to_address for row in rows} <= {"ann@example.org"}
        texts = [content_of(session, table.installation.site, row).text for row in rows]
        return [" ".join(text.split()) for text in texts]


# token and known sender: the default


def test_by_default_token_and_known_sender_are_enough(table: Table) -> None:
    assert sent(table, turn(table)).state == "done"
    assert len(table.moves()) == 1


def test_every_confirmed_address_of_the_person_is_known(table: Table) -> None:
    now = table.installation.clock()
    with table.installation.store.work() as session:
        session.add(Address(person_id=table.people[0], address="ann@work.example", primary=False,
                            confirmed_at=now, created_at=now))  # fmt: skip
    assert sent(table, turn(table), "ann@work.example").state == "done"
    assert len(table.moves()) == 1


@pytest.mark.parametrize("sender", [EVE, "bo@example.org"])
def test_a_forwarded_letter_moves_nothing(table: Table, sender: str) -> None:
    """Also when it is another player of the same table who has got it, and signs."""
    mail = sent(table, turn(table), sender, signer=sender.partition("@")[2])
    assert (mail.state, mail.error) == ("held", "sender")
    assert table.moves() == []
    assert [sender in text for text in held_letters(table)] == [True]


def test_nothing_goes_to_the_stranger_himself(table: Table) -> None:
    sent(table, turn(table), EVE)
    assert {letter.to_address for letter in table.letters()} <= {
        "ann@example.org", "bo@example.org", "cy@example.org",
    }  # fmt: skip


def test_the_letter_says_why_until_when_and_where_to_say_so(table: Table) -> None:
    sent(table, turn(table), EVE)
    [text] = held_letters(table)
    assert "It came from eve@evil.example, which is not known as yours." in text
    assert re.search(r"It waits until .*15 Dec", text)
    assert "/p/" in text


# token alone


def test_under_token_whoever_has_the_address_is_obeyed(table: Table) -> None:
    with_policy(table, "token")
    assert sent(table, turn(table), EVE).state == "done"
    assert len(table.moves()) == 1
    assert {letter.to_address for letter in table.letters(kind="receipt")} == {"ann@example.org"}


def test_but_no_hand_is_shown_to_him(table: Table) -> None:
    with_policy(table, "token")
    mail = sent(table, "hand", EVE)
    assert mail.receipt is not None
    [line] = mail.receipt["answer"]["lines"]
    assert line["status"] == "refused"


def test_under_token_resigning_is_still_confirmed_by_the_person_himself(table: Table) -> None:
    with_policy(table, "token")
    assert sent(table, "resign", EVE).state == "done"
    [letter] = table.letters(kind="confirm")
    bearer = reply_bearer(letter)
    assert bearer is not None
    address = table.installation.site.reply_address(table.installation.keys.token(bearer))
    assert sent(table, "confirm", EVE, to=address).state == "held"


# token and proved known sender


@pytest.mark.parametrize(
    ("signer", "length", "appended", "state"),
    [
        ("example.org", False, "", "done"),
        (None, False, "", "held"),
        ("evil.example", False, "", "held"),
        ("example.org", True, "", "held"),
        ("example.org", True, "pass\n", "held"),
        ("example.org", False, "pass\n", "held"),
    ],
)
def test_under_dmarc_the_sender_has_to_be_proved(
    table: Table, signer: str | None, length: bool, appended: str, state: str
) -> None:
    with_policy(table, "dmarc")
    mail = sent(table, turn(table), signer=signer, length=length, appended=appended)
    assert (mail.state, len(table.moves())) == (state, int(state == "done"))
    if state == "held":
        assert mail.error == "unproved"
        assert len(held_letters(table)) == 1
        assert mail.receipt is not None
        assert mail.receipt["proof"]["dmarc"] != "pass"


def test_a_command_in_the_subject_alone_is_proved_like_any_other(table: Table) -> None:
    with_policy(table, "dmarc")
    subject = {"subject": f"Re: {turn(table)}"}
    assert sent(table, "", **subject).state == "held"
    assert sent(table, "", signer="example.org", **subject).state == "done"
    assert len(table.moves()) == 1


def test_under_dmarc_a_stamp_of_our_own_server_proves_it_too(table: Table) -> None:
    settings = table.installation.settings
    mail = settings.mail.model_copy(update={"authserv_id": "mx.ark.example"})
    stamping = replace(table.installation, settings=settings.model_copy(update={"mail": mail}))
    table = replace(with_policy(table, "dmarc"), installation=stamping)
    stamp = "mx.ark.example; dmarc=pass header.from=example.org"
    other = {"Authentication_Results": stamp.replace("mx.", "mail.")}
    assert sent(table, turn(table), **other).state == "held"
    assert sent(table, turn(table), Authentication_Results=stamp).state == "done"


def test_a_strange_sender_is_held_under_dmarc_however_well_he_signs(table: Table) -> None:
    with_policy(table, "dmarc")
    assert sent(table, turn(table), EVE, signer="evil.example").error == "sender"


def test_the_name_server_s_silence_holds_the_mail(table: Table) -> None:
    quiet = Names({"s1._domainkey.example.org": None})
    table = replace(
        with_policy(table, "dmarc"), installation=replace(table.installation, resolver=quiet)
    )
    mail = sent(table, turn(table), signer="example.org")
    assert (mail.state, mail.receipt and mail.receipt["proof"]["dmarc"]) == ("held", "temperror")


def test_where_one_of_his_tables_asks_for_proof_so_does_the_address_of_the_person(
    table: Table,
) -> None:
    other = with_policy(open_table(table.installation, "Other club", "two"), "dmarc")
    both = [table.reply_address(0), other.reply_address(0)]
    raw = written(turn(table), sender="Ann <ann@example.org>", to=", ".join(both), **RELAYED)
    number = deposit(table.installation, raw, SERVER)
    drain(table.installation)
    assert stored(table.installation, number).error == "unproved"


# the server's own address


def test_a_table_is_opened_by_name_alone_only_with_proof(table: Table) -> None:
    order = "new game Friday with di@example.org, ed@example.org"
    mail = sent(table, order, to=SERVER)
    assert (mail.state, mail.error) == ("held", "unproved")
    assert "new game Friday" in held_letters(table)[0]
    with table.installation.store.read() as session:
        assert len(session.exec(select(Game)).all()) == 1
    assert sent(table, order, to=SERVER, signer="example.org").state == "done"
    with table.installation.store.read() as session:
        assert len(session.exec(select(Game)).all()) == 2


def test_the_letter_that_asks_is_answered_with_the_same_line(table: Table) -> None:
    order = "new game Friday with di@example.org, ed@example.org"
    sent(table, order, to=SERVER)
    [letter] = table.letters(kind="held")
    bearer = reply_bearer(letter)
    assert bearer is not None
    address = table.installation.site.reply_address(table.installation.keys.token(bearer))
    assert sent(table, order, to=address).state == "done"
    with table.installation.store.read() as session:
        assert len(session.exec(select(Game)).all()) == 2


@pytest.mark.parametrize("question", ["help", "games", "rules", "test"])
def test_questions_need_no_proof(table: Table, question: str) -> None:
    asked = table.installation.resolver
    assert isinstance(asked, Names)
    assert sent(table, question, to=SERVER, signer="example.org").state == "done"
    assert asked.asked == []


def test_a_program_of_this_machine_needs_none_either(table: Table) -> None:
    order = "new game Friday with di@example.org, ed@example.org"
    assert receive(table.installation, SERVER, order).state == "done"


@pytest.mark.parametrize("channel", ["imap", "webhook"])
def test_what_came_by_other_ways_was_not_handed_in_here(table: Table, channel: str) -> None:
    order = "new game Friday with di@example.org, ed@example.org"
    number = deposit(table.installation, written(order), SERVER, channel=channel)
    drain(table.installation)
    assert stored(table.installation, number).state == "held"


# letters of other tables, seats and times


def test_another_table_s_address_is_that_table_s(table: Table) -> None:
    other = open_table(table.installation, "Other club", "two")
    line = next(one for one in other.legal(0) if one not in table.legal(0))
    mail = sent(table, line, to=table.reply_address(0))
    assert mail.game_id == table.game_id
    assert (table.moves(), other.moves()) == ([], [])


def test_another_seat_s_address_is_that_seat_s(table: Table) -> None:
    mail = sent(table, turn(table), to=table.reply_address(1))
    assert (mail.state, mail.error, mail.person_id) == ("held", "sender", table.people[1])
    assert table.moves() == []


@pytest.mark.parametrize("change", [str.upper, str.lower, lambda one: one.replace("@", "+x@")])
def test_an_address_may_change_on_the_way(table: Table, change: object) -> None:
    assert callable(change)
    assert sent(table, turn(table), to=change(table.reply_address(0))).state == "done"
    assert len(table.moves()) == 1


def test_an_aged_letter_moves_nothing(table: Table) -> None:
    old = table.reply_address(0)
    assert sent(table, turn(table)).state == "done"
    mail = sent(table, turn(table, 1), to=old)
    assert mail.receipt is not None
    assert mail.receipt["answer"]["outcome"] in ("aged", "repeated")
    assert len(table.moves()) == 1


# what happens to held mails


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


# new reply addresses


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
