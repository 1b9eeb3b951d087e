"""What is stored about a person: shown to him, erased, and never used again."""

import email
import email.policy
import json
from pathlib import Path

import pytest
from sqlmodel import col, select

from pbem.archive import profiles
from pbem.clock.erasing import erase_due
from pbem.desk import tables
from pbem.desk.addresses import UNDO_WITHIN
from pbem.desk.tables import Place, TableError
from pbem.installation import Installation
from pbem.letters import announce
from pbem.letters.render import render
from pbem.moderation import Target
from pbem.post.content import keep, mime_of
from pbem.store import (
    Blocked,
    Erasure,
    Event,
    Game,
    Hook,
    Letter,
    Mail,
    Person,
    Token,
    redaction,
)
from pbem.store.log import Author
from pbem.store.people import holders
from tests.conftest import HandClock
from tests.intake.mails import receive
from tests.intake.people import (
    answer_to,
    code,
    letters,
    newest,
    outcome,
    person_address,
    reply_to,
    text_of,
)
from tests.moderation.doing import do
from tests.tables import Table, open_table

NAME, ADDRESS = "Zebedee", "zebedee.q@example.org"
EARLIER, PSEUDONYM, HOOK = "Quillwort", "Xanthippus", "https://hooks.example/mine"


@pytest.fixture
def table(installation: Installation, clock: HandClock) -> Table:
    """Ann, Bo and Cy; Ann has a name and an address that nothing else is like."""
    table = open_table(installation)
    to = person_address(installation, table.people[0])
    receive(installation, to, f"address {ADDRESS}", "ann@example.org")
    answer_to(installation, newest(installation, "address-confirm"), "confirm", ADDRESS)
    clock.now += UNDO_WITHIN
    receive(installation, to, "address remove ann@example.org", ADDRESS)
    rename(table, NAME)
    return table


def deliver_all(installation: Installation) -> None:
    """Every letter goes, and is kept as it went."""
    with installation.store.work() as session:
        for letter in session.exec(select(Letter).where(Letter.state == "queued")):
            keep(installation.site, letter, render(session, installation.site, letter))
            letter.state, letter.sent_at = "sent", installation.clock()
            session.add(letter)


def ask(table: Table, text: str, seat: int = 0, sender: str = ADDRESS) -> Mail:
    to = person_address(table.installation, table.people[seat])
    return receive(table.installation, to, text, sender)


# -- my data


def test_the_data_come_to_the_main_address_as_text_and_file(table: Table) -> None:
    installation = table.installation
    receive(installation, table.reply_address(0), table.legal(0)[0], ADDRESS)
    secret = "a note with bo@example.org and my thoughts"
    receive(installation, table.reply_address(0), f"note {secret}", ADDRESS)
    receive(installation, table.reply_address(1), "say all: hello to all", "bo@example.org")
    assert outcome(ask(table, "my data")) == "information"
    letter = newest(installation, "my-data")
    assert letter.to_address == ADDRESS
    with installation.store.read() as session:
        raw = mime_of(session, installation.site, session.get_one(Letter, letter.id))
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    [file] = list(mail.iter_attachments())
    body = mail.get_body(("plain",))
    assert body is not None
    text = " ".join(body.get_content().replace("│", " ").split())
    data = json.loads(file.get_content())
    assert data["person"]["earlier names"] == "Ann"
    for told in (text, json.dumps(data)):
        assert NAME in told
        assert ADDRESS in told
        assert "my thoughts" in told
        assert "hello to all" not in told  # another's words
        for address in ("bo@example.org", "cy@example.org"):
            assert address not in told
    assert [one["move"] for one in data["turns"]] == [
        {"type": "gather", **data["turns"][0]["move"]}
    ]
    with installation.store.read() as session:
        digests = session.exec(select(Token.digest)).all()
    assert not any(one in json.dumps(data) for one in digests)
    assert reply_to(installation, letter).partition("@")[0] not in json.dumps(data)


def test_the_data_are_not_sent_from_an_unconfirmed_address(table: Table) -> None:
    installation = table.installation
    mail = receive(installation, table.reply_address(0), "my data", "eve@example.org")
    assert mail.state == "held"
    assert letters(installation, "my-data") == []


def test_not_more_often_than_it_helps(table: Table) -> None:
    most = table.installation.settings.quotas.data_letters_a_day
    for _ in range(most):
        ask(table, "my data")
    assert code(ask(table, "my data")) == "too-many-letters"
    assert len(letters(table.installation, "my-data")) == most


# -- forget me


def forget(table: Table) -> Mail:
    ask(table, "forget me")
    letter = newest(table.installation, "confirm")
    return answer_to(table.installation, letter, "confirm", ADDRESS)


def test_nothing_happens_before_the_answer_to_the_letter_that_asks(table: Table) -> None:
    installation = table.installation
    assert outcome(ask(table, "forget me")) == "information"
    letter = newest(installation, "confirm")
    assert letter.to_address == ADDRESS
    assert "a former player" in text_of(installation, letter)
    assert code(ask(table, "confirm")) == "confirm-by-letter"
    assert answer_to(installation, letter, "confirm", "bo@example.org").state == "held"
    with installation.store.read() as session:
        assert session.get_one(Person, table.people[0]).erased_at is None


def test_it_is_not_confirmed_after_its_time(table: Table, clock: HandClock) -> None:
    ask(table, "forget me")
    clock.advance(days=7.1)
    letter = newest(table.installation, "confirm")
    answer_to(table.installation, letter, "confirm", ADDRESS)
    with table.installation.store.read() as session:
        assert session.get_one(Person, table.people[0]).erased_at is None


def test_a_bot_plays_on_and_the_game_stays_whole(table: Table) -> None:
    installation = table.installation
    turn = table.legal(0)[0]
    receive(installation, table.reply_address(0), turn, ADDRESS)
    forget(table)
    with installation.store.read() as session:
        game = session.get_one(Game, table.game_id)
        held = holders(session, game)
        assert held[0].bot is not None
        assert (held[1].name, held[2].name) == ("Bo", "Cy")
        events = session.exec(select(Event).where(Event.game_id == game.id)).all()
        assert any(one.person_id == table.people[0] and one.kind == "turn" for one in events)
    assert table.moves() == [turn]
    left = table.letters(1, "resigned")[-1]
    assert "A former player" in text_of(installation, left).replace("a former", "A former")


def test_his_reply_addresses_are_void(table: Table) -> None:
    installation = table.installation
    before, person = table.reply_address(0), person_address(installation, table.people[0])
    forget(table)
    for to in (before, person):
        mail = receive(installation, to, "status", ADDRESS)
        assert (mail.person_id, mail.game_id) == (None, None)


def test_a_table_of_his_that_has_not_begun_is_closed(table: Table) -> None:
    installation = table.installation
    ask(table, "new game Zoo with bo@example.org, cy@example.org")
    ask(table, f"new game Farm with {ADDRESS}, cy@example.org", 1, "bo@example.org")
    forget(table)
    with installation.store.read() as session:
        status = {game.name: game.status for game in session.exec(select(Game))}
    assert (status["Zoo"], status["Farm"]) == ("expired", "inviting")
    declined = newest(installation, "declined")
    assert declined.to_address == "bo@example.org"
    assert NAME not in text_of(installation, declined)


def remains(installation: Installation, *words: str) -> list[str]:
    """Where in the database's files any of these words is still to be read."""
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql("VACUUM")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    path = Path(installation.settings.database_url.removeprefix("sqlite:///"))
    files = [path, path.with_name(path.name + "-wal")]
    data = b"".join(file.read_bytes() for file in files if file.exists()).lower()
    return [word for word in words if word.lower().encode() in data]


def test_no_trace_of_him_is_left(table: Table) -> None:
    installation = table.installation
    receive(installation, table.reply_address(0), table.legal(0)[0], ADDRESS)
    receive(installation, table.reply_address(0), f"note {NAME} likes owls\nsay all: hi", ADDRESS)
    receive(installation, table.reply_address(1), f"say {NAME}: hello", "bo@example.org")
    receive(installation, "ark@ark.example", "Hello?", f"Other <{ADDRESS}>")
    ask(table, f"new game Zoo with {ADDRESS.upper()}, cy@example.org", 1, "bo@example.org")
    deliver_all(installation)
    assert remains(installation, NAME, ADDRESS) == [NAME, ADDRESS]
    forget(table)
    assert erase_due(installation) == 0  # the last letter is on its way
    assert newest(installation, "forgotten").to_address == ADDRESS
    deliver_all(installation)
    assert erase_due(installation) == 1
    raw_of_others(installation)
    assert remains(installation, NAME, ADDRESS) == []
    with installation.store.read() as session:
        assert session.exec(select(Erasure)).all() == []
        for letter in session.exec(select(Letter)):  # and what is left can be looked at
            mime_of(session, installation.site, letter)


def test_no_name_he_had_before_is_left(table: Table, clock: HandClock) -> None:
    """Neither in what was said and sent while it was his, nor where it stood of no table."""
    installation, [ann, bo, _cy] = table.installation, table.people
    rename(table, EARLIER)
    receive(installation, table.reply_address(1), f"say {EARLIER}: hello", "bo@example.org")
    ask(table, f"new game {EARLIER}'s zoo with {ADDRESS}, cy@example.org", 1, "bo@example.org")
    with installation.store.work() as session:
        announce.note(
            session, installation.site, clock.now, bo, by=None, text=f"{EARLIER}, you know, left"
        )
        for shown in (PSEUDONYM, f"{PSEUDONYM} II"):
            profiles.choose(session, ann, shown, True, clock.now)
        session.add(
            Hook(person_id=ann, url=HOOK, nonce="n", created_at=clock.now, next_at=clock.now)
        )
    deliver_all(installation)
    ask(table, f"say all: {PSEUDONYM} won", 1, "bo@example.org")
    assert do(installation, "rename-person", Target(person_id=ann), name=NAME).ok
    forget(table)
    deliver_all(installation)
    assert erase_due(installation) == 1
    raw_of_others(installation)
    assert remains(installation, NAME, ADDRESS, EARLIER, PSEUDONYM, HOOK) == []
    with installation.store.read() as session:
        zoo = session.exec(select(Game.name).where(Game.status == "inviting")).one()
    assert zoo.startswith("Table ")


def rename(table: Table, name: str) -> None:
    with table.installation.store.work() as session:
        person = session.get_one(Person, table.people[0])
        person.name = name
        session.add(person)


def test_a_name_of_letters_with_accents_ends_with_them() -> None:
    pattern = redaction.pattern_of([], ["Zo", "王明"])
    assert pattern.sub("-", "Zo, Zoë and Anzo; 問王明好") == "-, Zoë and Anzo; 問-好"


def raw_of_others(installation: Installation) -> None:
    """The documented exception: mails of others, as they came, are kept for their time."""
    with installation.store.work() as session:
        rows = session.exec(select(Mail).where(col(Mail.raw) != b"")).all()
        assert {mail.envelope_from for mail in rows} <= {"bo@example.org", "cy@example.org"}
        for mail in rows:
            mail.raw = b""
            session.add(mail)


def test_another_of_the_same_name_keeps_it(table: Table) -> None:
    installation = table.installation
    with installation.store.work() as session:
        bo = session.get_one(Person, table.people[1])
        bo.name = f"{NAME}son"
        session.add(bo)
    ask(table, f"say all: I am no {NAME}, I am {NAME}son", 1, "bo@example.org")
    forget(table)
    deliver_all(installation)
    erase_due(installation)
    with installation.store.read() as session:
        assert session.get_one(Person, table.people[1]).name == f"{NAME}son"


def test_the_last_letter_speaks_his_language(table: Table) -> None:
    ask(table, "language de")
    forget(table)
    assert "gelöscht" in text_of(table.installation, newest(table.installation, "forgotten"))


def test_who_is_forgotten_can_be_invited_anew(table: Table) -> None:
    forget(table)
    deliver_all(table.installation)
    erase_due(table.installation)
    ask(table, f"new game Zoo with {ADDRESS}, cy@example.org", 1, "bo@example.org")
    invitation = newest(table.installation, "invitation")
    with table.installation.store.read() as session:
        people = session.exec(select(Letter.person_id).where(Letter.to_address == ADDRESS)).all()
    assert invitation is not None
    assert people
    assert table.people[0] not in people


# -- never again, at every door


@pytest.fixture
def unwilling(table: Table) -> Table:
    ask(table, "never again")
    return table


def test_a_new_game_does_not_ask_him(unwilling: Table) -> None:
    mail = ask(unwilling, f"new game Zoo with {ADDRESS}, cy@example.org", 1, "bo@example.org")
    assert code(mail) == "never-again"
    assert letters(unwilling.installation, "invitation") == []


def test_nor_does_any_other_way_to_a_table(unwilling: Table) -> None:
    """Rematch, command line and pages end in these two."""
    installation = unwilling.installation
    places = [Place(one) for one in unwilling.people]
    with installation.store.work() as session, pytest.raises(TableError) as caught:
        tables.open_table(
            session, installation.site, installation.clock(), installation.entropy,
            Author("cli"), name="Zoo", places=places,
        )  # fmt: skip
    assert caught.value.code == "never-again"


def test_nor_does_a_change_of_address(unwilling: Table) -> None:
    ask(unwilling, f"address add {ADDRESS}", 1, "bo@example.org")
    assert not letters(unwilling.installation, "address-taken")


def test_present_invitations_are_declined_and_not_reminded_of(table: Table) -> None:
    installation = table.installation
    ask(table, f"new game Zoo with {ADDRESS}, cy@example.org", 1, "bo@example.org")
    ask(table, f"new game Ark with {ADDRESS}, bo@example.org", 2, "cy@example.org")
    assert (
        len([one for one in letters(installation, "invitation") if one.to_address == ADDRESS]) == 2
    )
    ask(table, "never again")
    with installation.store.work() as session:
        for game in session.exec(select(Game).where(Game.status == "inviting")).all():
            tables.remind_invited(session, installation.site, installation.clock(), game)
    reminded = letters(installation, "invitation-reminder")
    assert reminded
    assert ADDRESS not in {one.to_address for one in reminded}


def test_opening_a_table_oneself_takes_it_back(unwilling: Table) -> None:
    ask(unwilling, "new game Zoo with bo@example.org, cy@example.org")
    mail = ask(unwilling, f"new game Ark with {ADDRESS}, cy@example.org", 1, "bo@example.org")
    assert outcome(mail) == "done"


def test_whoever_writes_is_told_how_to_take_it_back(unwilling: Table) -> None:
    mail = ask(unwilling, "games")
    notes = ((mail.receipt or {}).get("answer") or {})["notes"]
    assert any("take it back" in note for note in notes)


def test_no_address_is_kept_in_clear(unwilling: Table) -> None:
    with unwilling.installation.store.read() as session:
        [row] = session.exec(select(Blocked)).all()
        assert ADDRESS not in repr(row)
        assert len(row.digest) == 64
