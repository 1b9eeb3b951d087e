"""Addresses by mail: confirmed at the new one, told to the old, undone from there
(commands.md 1.8)."""

import pytest
from sqlmodel import col, select

from pbem.desk.addresses import CONFIRM_WITHIN, UNDO_WITHIN
from pbem.desk.undo_time import keeps_person
from pbem.installation import Installation
from pbem.letters.bearers import page_bearer
from pbem.store import Blocked, Letter, Person, Token
from pbem.store.tokens import Bearer, blocked_digest, digest, find
from tests.conftest import HandClock
from tests.intake.mails import receive
from tests.intake.people import (
    addresses,
    answer_to,
    code,
    letters,
    message,
    newest,
    outcome,
    person_address,
    reply_to,
    text_of,
)
from tests.tables import Table, open_table

NEW, OLD = "ann@new.example", "ann@example.org"


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def ask(table: Table, text: str, sender: str = OLD) -> str:
    """Ann writes; returns what she is told."""
    mail = receive(
        table.installation, person_address(table.installation, table.people[0]), text, sender
    )
    return message(mail) or mail.state


def confirm(table: Table, sender: str = NEW, text: str = "confirm") -> str:
    letter = newest(table.installation, "address-confirm")
    return outcome(answer_to(table.installation, letter, text, sender))


def own(table: Table) -> list[tuple[str, bool]]:
    return addresses(table.installation, table.people[0])


def changed(table: Table) -> None:
    ask(table, f"address {NEW}")
    assert confirm(table) == "done"


def test_letters_go_to_the_new_address_only_after_its_own_word(table: Table) -> None:
    told = ask(table, f"address {NEW.upper()}")
    assert "Nothing has changed yet" in told
    assert own(table) == [(OLD, True)]
    asked = newest(table.installation, "address-confirm")
    assert asked.to_address == NEW
    assert confirm(table) == "done"
    assert own(table) == [(NEW, True), (OLD, False)]
    told_old = newest(table.installation, "address-changed")
    assert told_old.to_address == OLD
    assert NEW in text_of(table.installation, told_old)


def test_a_yes_at_the_new_address_is_asked_again_there(table: Table) -> None:
    ask(table, f"address {NEW}")
    for said in ("yes", "Yes, please!", "ok", "yes"):
        confirm(table, text=said)
    assert own(table) == [(OLD, True)]
    asked = letters(table.installation, "address-confirm")
    assert [letter.to_address for letter in asked] == [NEW] * 2  # prose is answered once
    assert confirm(table) == "done"


def test_a_turn_comes_from_either_address_afterwards(table: Table) -> None:
    changed(table)
    turn = table.legal(0)[0]
    assert outcome(receive(table.installation, table.reply_address(0), turn, NEW)) == "done"
    assert table.letters(1, "your-turn")[-1].to_address == "bo@example.org"
    for seat, sender in ((1, "bo@example.org"), (2, "cy@example.org")):
        receive(table.installation, table.reply_address(seat), table.legal(seat)[0], sender)
    assert table.letters(0, "your-turn")[-1].to_address == NEW
    turn = table.legal(0)[0]
    assert outcome(receive(table.installation, table.reply_address(0), turn, OLD)) == "done"


def test_the_letters_to_either_address_open_no_page(table: Table) -> None:
    changed(table)
    for kind in ("address-confirm", "address-changed"):
        letter = newest(table.installation, kind)
        assert page_bearer(letter) is None
        assert "/p/" not in text_of(table.installation, letter)


@pytest.mark.parametrize("sender", [OLD, "bo@example.org", "eve@example.org"])
def test_nobody_else_can_confirm(table: Table, sender: str) -> None:
    ask(table, f"address {NEW}")
    letter = newest(table.installation, "address-confirm")
    mail = answer_to(table.installation, letter, "confirm", sender)
    assert mail.state == "held"
    assert own(table) == [(OLD, True)]


def test_the_new_address_can_say_nothing_else(table: Table) -> None:
    ask(table, f"address {NEW}")
    letter = newest(table.installation, "address-confirm")
    for line in ("language de", "my data", f"address add {NEW}", "forget me", "never again"):
        mail = answer_to(table.installation, letter, line, NEW)
        assert code(mail) == "one-thing-only"
    assert [one.to_address for one in letters(table.installation, "my-data")] == []
    assert own(table) == [(OLD, True)]


def test_an_answer_of_the_asking_letters_other_seat_confirms_nothing(table: Table) -> None:
    """`confirm` at Ann's own reply address, from her own address, is no word of the new."""
    ask(table, f"address {NEW}")
    mail = receive(
        table.installation, person_address(table.installation, table.people[0]), "confirm", OLD
    )
    assert code(mail) == "nothing-to-confirm"
    assert own(table) == [(OLD, True)]


def test_it_is_confirmed_once(table: Table) -> None:
    changed(table)
    count = len(letters(table.installation, "address-changed"))
    assert confirm(table) == "information"
    assert own(table) == [(NEW, True), (OLD, False)]
    assert len(letters(table.installation, "address-changed")) == count


def test_too_late_is_told(table: Table, clock: HandClock) -> None:
    ask(table, f"address {NEW}")
    clock.advance(seconds=CONFIRM_WITHIN.total_seconds() + 1)
    assert confirm(table) == "refused"
    assert own(table) == [(OLD, True)]


def test_one_of_several_questions_is_answered(table: Table) -> None:
    other = "ann@other.example"
    ask(table, f"address {NEW}")
    first = newest(table.installation, "address-confirm")
    ask(table, f"address add {other}")
    second = newest(table.installation, "address-confirm")
    assert outcome(answer_to(table.installation, second, "confirm", other)) == "done"
    assert own(table) == [(OLD, True), (other, False)]
    assert outcome(answer_to(table.installation, first, "confirm", NEW)) == "done"
    assert own(table)[0] == (NEW, True)


def test_a_question_asked_again_voids_the_first(table: Table) -> None:
    ask(table, f"address add {NEW}")
    first = newest(table.installation, "address-confirm")
    ask(table, f"address {NEW}")
    assert code(answer_to(table.installation, first, "confirm", NEW)) == "expired"
    assert confirm(table) == "done"
    assert own(table)[0] == (NEW, True)


# -- undo


def undo(table: Table, letter: Letter | None = None, sender: str = OLD) -> str:
    letter = letter or newest(table.installation, "address-changed")
    return outcome(answer_to(table.installation, letter, "undo", sender))


def test_undo_gives_the_old_address_everything_back(table: Table) -> None:
    changed(table)
    stolen = table.reply_address(0)  # what the new address may have got hold of
    page = Bearer("page", person_id=table.people[0])
    assert undo(table) == "done"
    assert own(table) == [(OLD, True)]
    turn = table.legal(0)[0]
    for sender in (NEW, OLD):
        receive(table.installation, stolen, turn, sender)
        assert table.moves() == []
    with table.installation.store.read() as session:
        assert find(session, table.installation.keys.token(page)) is None
    # The present letter came again, and works.
    letter = table.letters(0)[-1]
    assert letter.to_address == OLD
    assert outcome(answer_to(table.installation, letter, turn, OLD)) == "done"
    assert table.moves() == [turn]


def test_undo_takes_later_changes_with_it(table: Table) -> None:
    changed(table)
    first = newest(table.installation, "address-changed")
    evil = "evil@else.example"
    ask(table, f"address {evil}", sender=NEW)
    assert confirm(table, evil) == "done"
    assert own(table) == [(evil, True), (OLD, False), (NEW, False)]
    ask(table, "address add third@else.example", sender=evil)
    third = newest(table.installation, "address-confirm")
    assert undo(table, first) == "done"
    assert own(table) == [(OLD, True)]
    assert code(answer_to(table.installation, third, "confirm", "third@else.example")) == "undone"


def test_undo_after_undo_and_confirm_after_undo_are_answered(table: Table) -> None:
    changed(table)
    asked = newest(table.installation, "address-confirm")
    assert undo(table) == "done"
    assert undo(table) == "information"
    assert code(answer_to(table.installation, asked, "confirm", NEW)) == "undone"
    assert own(table) == [(OLD, True)]


@pytest.mark.parametrize("sender", [NEW, "bo@example.org"])
def test_only_the_old_address_can_undo(table: Table, sender: str) -> None:
    changed(table)
    letter = newest(table.installation, "address-changed")
    assert answer_to(table.installation, letter, "undo", sender).state == "held"
    assert own(table)[0] == (NEW, True)


def test_undo_ends_with_its_time(table: Table, clock: HandClock) -> None:
    changed(table)
    clock.advance(seconds=UNDO_WITHIN.total_seconds() + 1)
    assert undo(table) == "refused"
    assert own(table)[0] == (NEW, True)


def test_undo_of_an_added_address(table: Table) -> None:
    ask(table, f"address add {NEW}")
    assert confirm(table) == "done"
    assert own(table) == [(OLD, True), (NEW, False)]
    assert undo(table) == "done"
    assert own(table) == [(OLD, True)]


# -- whose address it is, nobody is told


ASKED = ("bo@example.org", "gone@example.org", NEW)


@pytest.mark.parametrize("verb", ["address", "address add"])
def test_the_same_answer_whoever_has_the_address(table: Table, verb: str) -> None:
    with table.installation.store.work() as session:
        key = blocked_digest(table.installation.keys, "gone@example.org")
        session.add(Blocked(digest=key, created_at=table.installation.clock()))
    told = {ask(table, f"{verb} {one}").replace(one, "X") for one in ASKED}
    assert len(told) == 1
    block = ask_for_list(table)
    assert len({line.partition(": ")[2] for line in block if any(a in line for a in ASKED)}) == 1
    taken = newest(table.installation, "address-taken")
    assert taken.to_address == "bo@example.org"
    assert "Ann" not in text_of(table.installation, taken)
    with table.installation.store.read() as session:
        sent = session.exec(select(Letter).where(Letter.to_address == "gone@example.org")).all()
        assert not sent


def ask_for_list(table: Table) -> list[str]:
    mail = receive(
        table.installation, person_address(table.installation, table.people[0]), "address", OLD
    )
    lines = ((mail.receipt or {}).get("answer") or {})["lines"]
    return [text for line in lines for text in line["block"]]


def test_an_address_that_becomes_anothers_meanwhile(table: Table) -> None:
    ask(table, f"address add {NEW}")
    ours = newest(table.installation, "address-confirm")
    bo = person_address(table.installation, table.people[1])
    receive(table.installation, bo, f"address add {NEW}", "bo@example.org")
    his = newest(table.installation, "address-confirm")
    assert outcome(answer_to(table.installation, his, "confirm", NEW)) == "done"
    mail = answer_to(table.installation, ours, "confirm", NEW)
    assert mail.state == "held" or code(mail) == "taken"
    assert own(table) == [(OLD, True)]


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ("ark@ark.example", "own"),
        ("t-aaaaaaaaaaaaaaaaaaaaaaaaaa@ark.example", "own"),
        ("ann@nowhere", "not a mail address"),
        ("a..b@example.org", "not a mail address"),
    ],
)
def test_an_address_nobody_can_have(table: Table, wanted: str, why: str) -> None:
    assert why in ask(table, f"address {wanted}")
    assert letters(table.installation, "address-confirm") == []


# -- the main one, the others


def test_one_of_ones_own_becomes_the_main_one_at_once(table: Table) -> None:
    ask(table, f"address add {NEW}")
    confirm(table)
    assert "go to" in ask(table, f"address {NEW}")
    assert own(table) == [(NEW, True), (OLD, False)]
    assert undo(table) == "done"
    assert own(table) == [(OLD, True)]


def test_a_removed_address_is_a_strangers(table: Table, clock: HandClock) -> None:
    changed(table)
    clock.now += UNDO_WITHIN
    assert "let them go to another one first" in ask(table, f"address remove {NEW}")
    assert "none of your addresses" in ask(table, "address remove bo@example.org")
    ask(table, f"address remove {OLD}")
    assert own(table) == [(NEW, True)]
    assert addresses(table.installation, table.people[1]) == [("bo@example.org", True)]
    # What was the old one is a stranger now.
    mail = receive(table.installation, table.reply_address(0), "pass", OLD)
    assert mail.state == "held"


def test_nobody_makes_an_undo_impossible(table: Table, clock: HandClock) -> None:
    """Eve had a letter of Ann's, and forged her sender; she gets no further than that."""
    eve = "eve@evil.example"
    ask(table, f"address {eve}")
    assert confirm(table, eve) == "done"
    assert "can be undone until" in ask(table, f"address remove {OLD}", eve)
    assert "can be undone from the old one" in ask(table, "forget me", eve)
    ask(table, f"new game Trap with {OLD}, cy@example.org", "bo@example.org")
    assert undo(table) == "done"
    assert own(table) == [(OLD, True)]
    with table.installation.store.read() as session:  # what was undone keeps nobody
        assert keeps_person(session, clock(), session.get_one(Person, table.people[0])) is None


def test_forgetting_that_was_asked_before_a_change_waits_too(
    table: Table, clock: HandClock
) -> None:
    ask(table, "forget me")
    asking = newest(table.installation, "confirm")
    changed(table)
    assert code(answer_to(table.installation, asking, "confirm", NEW)) == "can-be-undone"
    clock.now += CONFIRM_WITHIN  # the question is over, the undo is not
    assert code(receive(table.installation, table.reply_address(0), "forget me", NEW))
    clock.now += UNDO_WITHIN
    assert "Nothing has changed yet" in ask(table, "forget me", NEW)


def test_a_question_can_be_taken_back(table: Table) -> None:
    ask(table, f"address {NEW}")
    assert "not waited for" in ask(table, f"address remove {NEW}")
    assert confirm(table) == "refused"


def test_only_so_many_letters_a_day(table: Table, clock: HandClock) -> None:
    most = table.installation.settings.quotas.address_letters_a_day
    for number in range(most):
        ask(table, f"address add a{number}@new.example")
    assert "today" in ask(table, "address add more@new.example")
    assert len(letters(table.installation, "address-confirm")) == most
    clock.advance(days=1.1)
    ask(table, "address add more@new.example")
    assert len(letters(table.installation, "address-confirm")) == most + 1


def test_a_stranger_cannot_be_flooded_through_many_accounts(table: Table) -> None:
    for person, sender in zip(
        table.people, ("ann@example.org", "bo@example.org", "cy@example.org"), strict=True
    ):
        for _ in range(2):
            to = person_address(table.installation, person)
            receive(table.installation, to, "address add victim@else.example", sender)
    assert len(letters(table.installation, "address-confirm")) == 3


def test_a_forged_sender_at_the_servers_own_address_changes_nothing(table: Table) -> None:
    receive(table.installation, "ark@ark.example", f"address {NEW}", OLD)
    assert letters(table.installation, "address-confirm") == []


def test_a_strange_sender_at_a_reply_address_changes_nothing(table: Table) -> None:
    receive(table.installation, table.reply_address(0), f"address {NEW}", "eve@example.org")
    assert letters(table.installation, "address-confirm") == []


def test_no_token_is_stored(table: Table) -> None:
    changed(table)
    letter = newest(table.installation, "address-confirm")
    token = reply_to(table.installation, letter).partition("@")[0].removeprefix("t-")
    with table.installation.store.read() as session:
        assert session.get(Token, digest(token)) is not None
        rows = session.exec(select(Letter.context).where(col(Letter.id) == letter.id)).all()
        assert token not in repr(rows)
