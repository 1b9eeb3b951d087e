"""Whose mail moves a seat: the policies of a table, and forgeries."""

import re
from dataclasses import replace

import pytest
from sqlmodel import select

from pbem.installation import Installation
from pbem.intake.inbox import drain
from pbem.letters.bearers import reply_bearer
from pbem.store import Address, Game
from tests.intake.mails import deposit, receive, stored, written
from tests.intake.policies import (
    EVE,
    RELAYED,
    SERVER,
    held_letters,
    sent,
    table_that_proves,
    turn,
    with_policy,
)
from tests.intake.signing import Names
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return table_that_proves(installation)


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
