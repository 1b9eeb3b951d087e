"""What is done with a mail, and who hears of it (commands.md 1.6 to 1.9)."""

import pytest
from sqlmodel import col, select

from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.installation import Installation
from pbem.intake.limits import RESEND_EVERY
from pbem.letters.bearers import reply_bearer
from pbem.letters.render import render
from pbem.post.content import content_of
from pbem.store import Letter, Mail
from pbem.store.log import Author
from pbem.store.people import address_of
from pbem.store.tokens import Bearer, issue
from tests.conftest import HandClock
from tests.intake.mails import deposit, drain, receive, stored, written
from tests.quotas import limited
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def answers(table: Table, before: int) -> list[Letter]:
    """The letters since: without those the turn itself caused."""
    news = ("your-turn", "what-happened", "choose-pet")
    return [letter for letter in table.letters()[before:] if letter.kind not in news]


def outcome(mail: Mail) -> str | None:
    answer = (mail.receipt or {}).get("answer")
    return answer and answer["outcome"]


def test_a_turn_is_done_and_answered_under_the_mail(
    installation: Installation, table: Table
) -> None:
    before = len(table.letters())
    mail = receive(installation, table.reply_address(0), table.legal(0)[0], message_id="<1@x>")
    assert outcome(mail) == "done"
    [receipt] = answers(table, before)
    assert (receipt.kind, receipt.to_address) == ("receipt", "ann@example.org")
    assert receipt.in_reply_to == "<1@x>"
    assert receipt.answers_mail_id == mail.id


@pytest.mark.parametrize("sender", ["eve@example.org", "bo@example.org"])
def test_the_right_address_from_a_strange_sender_is_held_and_asked_about(
    installation: Installation, table: Table, sender: str
) -> None:
    before = len(table.letters())
    turn = table.legal(0)[0]
    mail = receive(installation, table.reply_address(0), turn, sender=sender)
    assert (mail.state, outcome(mail)) == ("held", "held")
    assert table.moves() == []
    [asked] = answers(table, before)
    assert (asked.kind, asked.to_address) == ("held", "ann@example.org")
    with installation.store.read() as session:
        text = render(session, installation.site, session.get_one(Letter, asked.id)).text
    assert sender in text
    assert turn in text
    # And she can answer that letter herself.
    assert outcome(receive(installation, table.reply_address(0), turn)) == "done"


def test_a_flood_of_strange_mails_is_no_flood_to_the_player(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    before = len(table.letters())
    most = installation.settings.quotas.held_letters_an_hour
    for _ in range(most + 3):
        mail = receive(installation, table.reply_address(0), "pass", sender="eve@example.org")
        assert mail.state == "held"
    assert len(answers(table, before)) == most
    clock.advance(hours=1.1)
    receive(installation, table.reply_address(0), "pass", sender="eve@example.org")
    assert len(answers(table, before)) == most + 1


@pytest.mark.parametrize("header", [{"List_Id": "<club.example>"}, {"Precedence": "bulk"}])
def test_a_turn_by_way_of_a_list_is_held(
    installation: Installation, table: Table, header: dict[str, str]
) -> None:
    before = len(table.letters())
    mail = receive(installation, table.reply_address(0), table.legal(0)[0], **header)
    assert (mail.state, mail.kind) == ("held", "list")
    assert table.moves() == []
    assert [letter.kind for letter in answers(table, before)] == ["held"]


def test_list_mail_without_a_reply_address_is_left_alone(
    installation: Installation, table: Table
) -> None:
    before = len(table.letters())
    mail = receive(installation, "ark@ark.example", "help", List_Id="<club.example>")
    assert mail.state == "ignored"
    assert len(table.letters()) == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated"},
        {"X_Autoreply": "yes"},
        {"Precedence": "auto_reply"},
    ],
)
@pytest.mark.parametrize("to_seat", [True, False])
def test_automatic_mail_never_acts_and_is_never_answered(
    installation: Installation, table: Table, headers: dict[str, str], to_seat: bool
) -> None:
    before = len(table.letters())
    to = table.reply_address(0) if to_seat else "ark@ark.example"
    mail = receive(installation, to, table.legal(0)[0], **headers)
    assert mail.state == "ignored"
    assert table.moves() == []
    assert len(table.letters()) == before


def test_the_null_return_path_is_never_answered(installation: Installation, table: Table) -> None:
    before = len(table.letters())
    raw = written(table.legal(0)[0], to=table.reply_address(0))
    number = deposit(installation, raw, table.reply_address(0), sender="")
    drain(installation)
    assert stored(installation, number).state in ("ignored", "done")
    assert table.moves() == []
    assert len(table.letters()) == before


def test_our_own_letter_coming_back_is_ignored(installation: Installation, table: Table) -> None:
    before = len(table.letters())
    mail = receive(
        installation, table.reply_address(0), table.legal(0)[0], sender=table.reply_address(0)
    )
    assert (mail.state, mail.kind) == ("ignored", "own")
    assert len(table.letters()) == before


def test_a_known_sender_without_a_reply_address_gets_the_present_letter(
    installation: Installation, table: Table
) -> None:
    before = len(table.letters())
    mail = receive(installation, "ark@ark.example", table.legal(0)[0])
    assert mail.state == "done"
    assert table.moves() == []
    [again] = table.letters()[before:]
    assert (again.kind, again.seat, again.to_address) == ("your-turn", 0, "ann@example.org")


def test_it_is_not_sent_again_and_again(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    before = len(table.letters())
    assert receive(installation, "ark@ark.example", "where is my letter?").state == "done"
    assert receive(installation, "ark@ark.example", "where is it?").state == "ignored"
    assert len(table.letters()) == before + 1
    clock.now += RESEND_EVERY
    assert receive(installation, "ark@ark.example", "where is it?").state == "done"
    assert len(table.letters()) == before + 2


def test_nothing_but_prose_is_answered_once_a_turn(
    installation: Installation, table: Table
) -> None:
    before = len(table.letters())
    first = receive(installation, table.reply_address(0), "What a lovely ship!")
    assert (first.state, outcome(first)) == ("done", "prose")
    for text in ("I like it.", ""):
        again = receive(installation, table.reply_address(0), text, subject="Re: Ark")
        assert (again.state, outcome(again)) == ("ignored", None)
    assert len(answers(table, before)) == 1
    # What is meant as a command is answered each time, and other seats have their own.
    for _ in range(2):
        assert outcome(receive(installation, table.reply_address(0), "taek hen")) == "refused"
    other = receive(installation, table.reply_address(1), "Hello!", sender="bo@example.org")
    assert outcome(other) == "prose"
    receive(installation, table.reply_address(0), table.legal(0)[0])
    assert outcome(receive(installation, table.reply_address(0), "Well!")) == "prose"


def test_two_programs_that_answer_each_other_are_stopped(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    installation = limited(installation, answers_an_hour=5)
    before = len(table.letters())
    for _ in range(9):
        receive(installation, table.reply_address(0), "take care, I am away")
    assert len(answers(table, before)) == 6  # the last one says that this is the last one
    turn = table.legal(0)[0]
    assert receive(installation, table.reply_address(0), turn).state == "held"
    other = receive(installation, table.reply_address(1), "status", sender="bo@example.org")
    assert other.state == "done"
    clock.advance(hours=1.1)
    assert outcome(receive(installation, table.reply_address(0), turn)) == "done"


def test_the_server_s_address_takes_its_commands(installation: Installation, table: Table) -> None:
    before = len(table.letters())
    mail = receive(installation, "ark@ark.example", "help")
    assert outcome(mail) == "information"
    [answer] = table.letters()[before:]
    assert (answer.kind, answer.to_address) == ("receipt", "ann@example.org")


def test_a_stranger_gets_one_short_answer_a_day(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    before = len(table.letters())
    for text in ("hello", "help", "take fox"):
        receive(installation, "ark@ark.example", text, sender="Eve@Example.org")
    [answer] = table.letters()[before:]
    assert (answer.kind, answer.to_address) == ("stranger", "eve@example.org")
    assert answer.person_id is None
    receive(installation, "ark@ark.example", "hello", sender="mallory@example.org")
    assert len(table.letters()) == before + 2  # each his own
    clock.advance(days=1, minutes=1)
    receive(installation, "ark@ark.example", "hello", sender="eve@example.org")
    assert len(table.letters()) == before + 3


def test_a_stranger_without_an_address_gets_nothing(
    installation: Installation, table: Table
) -> None:
    before = len(table.letters())
    assert receive(installation, "ark@ark.example", "hello", sender="").state == "ignored"
    assert len(table.letters()) == before


def test_mail_to_the_postmaster_waits_for_a_person(
    installation: Installation, table: Table
) -> None:
    before = len(table.letters())
    mail = receive(installation, "postmaster@ark.example", "help")
    assert mail.state == "held"
    assert len(table.letters()) == before


def test_an_aged_letter_moves_nothing(installation: Installation, table: Table) -> None:
    old = table.reply_address(0)
    turn = table.legal(0)[0]
    receive(installation, old, turn)
    before = len(table.letters())
    mail = receive(installation, old, table.legal(1)[0])
    assert outcome(mail) == "aged"
    assert table.moves() == [turn]
    assert [letter.kind for letter in answers(table, before)] == ["aged"]


def test_a_mail_without_text_may_say_it_in_the_subject(
    installation: Installation, table: Table
) -> None:
    turn = table.legal(0)[0]
    assert receive(installation, table.reply_address(0), "", subject=f"Fwd: {turn}").state == "done"
    assert table.moves() == []
    mail = receive(installation, table.reply_address(0), "", subject=f"AW: Re: {turn}")
    assert outcome(mail) == "done"
    assert table.moves() == [turn]


def test_what_our_letters_say_is_not_obeyed_when_it_comes_back_bare(
    installation: Installation, table: Table
) -> None:
    """Quoted without marks or introduction: found because we know what we wrote."""
    with installation.store.read() as session:
        letter = session.get_one(Letter, table.letters(seat=0, kind="your-turn")[0].id)
        quote = content_of(session, installation.site, letter).text
    mail = receive(installation, table.reply_address(0), f"status\n\n{quote}")
    assert (mail.text, outcome(mail)) == ("status", "information")
    assert table.moves() == []


def test_the_subject_is_not_read_beside_a_text(installation: Installation, table: Table) -> None:
    receive(installation, table.reply_address(0), "status", subject=table.legal(0)[0])
    assert table.moves() == []


def test_an_empty_mail_is_answered(installation: Installation, table: Table) -> None:
    before = len(table.letters())
    mail = receive(installation, table.reply_address(0), "", subject="Re: Ark, Sunday club")
    assert (mail.state, mail.kind, outcome(mail)) == ("done", "empty", "prose")
    assert len(answers(table, before)) == 1


def test_an_encrypted_mail_is_answered_with_what_to_do(
    installation: Installation, table: Table
) -> None:
    text = "-----BEGIN PGP MESSAGE-----\n\nhQEMAw\n=abcd\n-----END PGP MESSAGE-----\n"
    mail = receive(installation, table.reply_address(0), text)
    assert (mail.kind, outcome(mail)) == ("encrypted", "refused")
    with installation.store.read() as session:
        letter = session.get_one(Letter, table.letters()[-1].id)
        assert "plain text" in render(session, installation.site, letter).text


def test_an_answer_from_the_invited_address_confirms_it(
    installation: Installation, table: Table
) -> None:
    with installation.store.work() as session:
        own = address_of(session, table.people[0])
        assert own is not None
        own.confirmed_at = None
    receive(installation, table.reply_address(0), "status", sender="eve@example.org")
    with installation.store.read() as session:
        own = address_of(session, table.people[0])
        assert own is not None
        assert own.confirmed_at is None
    receive(installation, table.reply_address(0), "status")
    with installation.store.read() as session:
        own = address_of(session, table.people[0])
        assert own is not None
        assert own.confirmed_at == installation.clock()


@pytest.mark.parametrize("copies", ["the same mail", "the same turn in another mail"])
def test_a_turn_that_came_twice_is_done_once_and_answered_again(
    installation: Installation, table: Table, clock: HandClock, copies: str
) -> None:
    turn, address, before = table.legal(0)[0], table.reply_address(0), len(table.letters())
    for number in range(3):
        message_id = "<1@x>" if copies == "the same mail" else f"<{number}@x>"
        mail = receive(installation, address, turn, message_id=message_id)
        assert mail.state == "done"
        assert outcome(mail) == ("repeated" if number else "done")
    assert table.moves() == [turn]
    assert len(answers(table, before)) == 2  # the copy's answer, at most once an hour
    clock.advance(hours=1.1)
    receive(installation, address, turn, message_id="<1@x>")
    assert len(answers(table, before)) == 3
    assert table.moves() == [turn]


def test_a_mail_without_an_id_is_known_by_its_bytes(
    installation: Installation, table: Table
) -> None:
    text = f"say all: hi\n{table.legal(0)[0]}"
    raw = written(text, message_id="<1@x>").replace(b"Message-ID: <1@x>\n", b"")
    assert b"Message-ID" not in raw
    for _ in range(2):
        deposit(installation, raw, table.reply_address(0))
        drain(installation)
    assert len(table.moves()) == 1
    assert len(table.letters(seat=1, kind="message")) == 1


def test_an_invitation_is_accepted_from_the_invited_address_only(
    installation: Installation,
) -> None:
    with installation.store.work() as session:
        people = [
            find_or_add_person(session, installation.clock(), "", address)
            for address in ("ann@example.org", "bo@example.org")
        ]
        game = tables.open_table(
            session,
            installation.site,
            installation.clock(),
            installation.entropy,
            Author("cli"),
            name="Sunday club",
            places=[*(tables.Place(one.id) for one in people), tables.Place(bot="random")],
        )
        letter = session.exec(select(Letter).order_by(col(Letter.id))).first()
        assert letter is not None
        bearer = reply_bearer(letter)
        assert bearer is not None
        assert bearer.purpose == "invitation"
    address = installation.site.reply_address(installation.keys.token(bearer))
    assert receive(installation, address, "accept", sender="bo@example.org").state == "held"
    assert receive(installation, address, "accept", sender="eve@example.org").state == "held"
    with installation.store.read() as session:
        assert [one.state for one in tables.invitations(session, game)][:2] == ["invited"] * 2
    assert outcome(receive(installation, address, "accept moonlight")) == "done"
    with installation.store.read() as session:
        accepted, open_, _ = tables.invitations(session, game)
        assert (accepted.state, accepted.word, open_.state) == ("accepted", "moonlight", "invited")


def test_an_address_of_the_person_needs_the_table_named(
    installation: Installation, table: Table
) -> None:
    with installation.store.work() as session:
        bearer = Bearer("person", table.people[0])
        token = issue(session, installation.keys, bearer, installation.clock())
    address = installation.site.reply_address(token)
    mail = receive(installation, address, table.legal(0)[0])
    assert (mail.state, outcome(mail)) == ("done", "refused")
    assert table.moves() == []
    assert receive(installation, address, "take fox", sender="eve@example.org").state == "held"
