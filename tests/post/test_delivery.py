"""The outbox on its way out: every letter ends in the right state, none is lost, and none
goes twice but under the same Message-ID."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, select

from pbem.installation import Installation
from pbem.post.addresses import letter_of
from pbem.post.claiming import CLAIM
from pbem.post.content import TOKEN_MARKS, content_of, keep
from pbem.post.delivery import deliver_due, mime_of, recover
from pbem.post.journal import NAME
from pbem.post.recording import GIVE_UP_AFTER, pause
from pbem.store import Letter, Person, Role
from pbem.store.tokens import Bearer
from tests.conftest import HandClock
from tests.post.relay import DROP, Relay, Script, running
from tests.post.sending import by, deliver, nobody, read, states
from tests.tables import Table, open_table


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def test_all_due_letters_go_over_one_connection(installation: Installation, table: Table) -> None:
    waiting = table.letters()
    assert len(waiting) >= 4  # everybody's "begins", and whose turn it is
    relay = deliver(installation)
    assert relay.connections == 1
    sent = [read(one.content) for one in relay.taken]
    assert [one["Message-ID"] for one in sent] == [letter.message_id for letter in waiting]
    assert [one.recipient for one in relay.taken] == [letter.to_address for letter in waiting]
    assert set(states(table.letters())) == {"sent"}
    assert {letter.sent_at for letter in table.letters()} == {installation.clock()}
    assert deliver(installation).connections == 0  # and nothing is left to do


def test_each_has_its_own_return_path_and_the_seat_s_reply_address(
    installation: Installation, table: Table
) -> None:
    relay = deliver(installation)
    letters = table.letters()
    for one, letter in zip(relay.taken, letters, strict=True):
        assert letter_of(installation.keys, one.sender.partition("@")[0]) == letter.id
        message = read(one.content)
        assert message["Reply-To"] == table.reply_address(letter.seat or 0)
        assert message["From"].addresses[0].addr_spec == message["Reply-To"]
        assert message["From"].addresses[0].display_name == "Ark by mail · Sunday club"
        assert message["List-Id"].endswith(f"<game-{table.game_id}.ark.example>")


def test_what_is_kept_holds_no_secret_and_can_be_shown_again_exactly(
    installation: Installation, table: Table
) -> None:
    relay = deliver(installation)
    for one, letter in zip(relay.taken, table.letters(), strict=True):
        token = table.reply_address(letter.seat or 0)[2:].partition("@")[0]
        message = read(one.content)
        kept = f"{letter.subject}{letter.text}{letter.html}"
        page = installation.keys.token(Bearer("page", letter.person_id))
        assert token not in kept
        assert page not in kept
        assert "/p/{page-token}" in kept
        plain = message.get_body(("plain",))
        assert plain is not None
        assert f"/p/{page}" in plain.get_content()
        with installation.store.read() as session:
            again = mime_of(session, installation.site, session.get_one(Letter, letter.id))
        assert again == one.content


def test_nobody_s_words_become_the_secrets_of_whoever_reads_them(
    installation: Installation, table: Table
) -> None:
    letter = table.letters()[0]
    words = " ".join(f"https://elsewhere.example/?{mark}" for mark in TOKEN_MARKS)
    with installation.store.work() as session:
        row, site = session.get_one(Letter, letter.id), installation.site
        said = content_of(session, site, row)
        keep(site, row, replace(said, text=said.text + words, html=said.html + words))
    with installation.store.read() as session:
        again = content_of(session, site, session.get_one(Letter, letter.id))
        assert again.text.startswith(said.text)
        assert again.html.startswith(said.html)
        for told in (again.text, again.html):
            for link in told.split("elsewhere.example/?")[1:]:
                assert link.startswith("{ ")


def test_a_letter_that_has_not_gone_is_shown_as_it_will_go(
    installation: Installation, table: Table
) -> None:
    letter = table.letters()[-1]
    with installation.store.read() as session:
        before = mime_of(session, installation.site, session.get_one(Letter, letter.id))
    assert deliver(installation).taken[-1].content == before


def test_who_wants_plain_text_gets_it(installation: Installation, table: Table) -> None:
    with installation.store.work() as session:
        session.get_one(Person, table.people[0]).mail_format = "text"
    kinds = {
        one.recipient: read(one.content).get_content_type() for one in deliver(installation).taken
    }
    assert kinds == {
        "ann@example.org": "text/plain",
        "bo@example.org": "multipart/alternative",
        "cy@example.org": "multipart/alternative",
    }


def test_the_post_room_needs_no_relay(installation: Installation, table: Table) -> None:
    with running(Relay()) as relay:
        assert deliver_due(by(installation, relay, transport="postroom")) == len(table.letters())
    assert relay.connections == 0
    assert set(states(table.letters())) == {"sent"}
    assert all(letter.text for letter in table.letters())


@pytest.mark.parametrize(
    ("script", "state", "taken"),
    [
        ({"RCPT": "451 greylisted"}, "retry", 0),
        ({"RCPT": "550 no such user"}, "failed", 0),
        ({"end": "452 disk full"}, "retry", 1),
        ({"end": "554 spam"}, "failed", 1),
        ({"end": DROP}, "unknown", 1),
    ],
)
def test_the_outcome_becomes_the_state(
    installation: Installation, table: Table, script: Script, state: str, taken: int
) -> None:
    number = len(table.letters())
    relay = deliver(installation, script)
    letters = table.letters()
    assert states(letters) == [state] * number
    assert len(relay.taken) == taken * number
    for letter in letters:
        assert letter.attempts == 1
        assert letter.error
        assert letter.sent_at is None


@pytest.mark.parametrize("script", [{"RCPT": "451 greylisted"}, {"end": DROP}])
def test_it_goes_again_later_under_the_same_id(
    installation: Installation, table: Table, clock: HandClock, script: Script
) -> None:
    number = len(table.letters())
    first = deliver(installation, script)
    assert deliver(installation).taken == []  # not yet
    clock.advance(minutes=3)
    second = deliver(installation)
    ids = [read(one.content)["Message-ID"] for one in second.taken]
    assert len(ids) == len(set(ids)) == number
    assert set(states(table.letters())) == {"sent"}
    if first.taken:
        assert [read(one.content)["Message-ID"] for one in first.taken] == ids


def test_an_unreachable_relay_is_asked_once_a_sweep(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    number = len(table.letters())
    gone = nobody(installation)
    assert deliver_due(gone) == 1  # and all the others wait, too
    assert states(table.letters()) == ["retry"] * number
    assert deliver_due(gone) == 0
    clock.advance(minutes=2)
    assert len(deliver(installation).taken) == number


def test_a_four_day_outage_loses_nothing(
    installation: Installation, table: Table, clock: HandClock
) -> None:
    begun, number = clock(), len(table.letters())
    gone, tries = nobody(installation), 0
    while clock() - begun < timedelta(days=4):
        tries += deliver_due(gone)
        clock.advance(hours=4)
    assert tries == 24
    assert states(table.letters()) == ["retry"] * number
    clock.advance(hours=4)
    assert len(deliver(installation).taken) == number
    assert states(table.letters()) == ["sent"] * number


@pytest.mark.parametrize("script", [{"RCPT": "451 greylisted"}, {"greeting": "421 closed"}])
def test_after_five_days_it_is_given_up(
    installation: Installation, table: Table, clock: HandClock, script: Script
) -> None:
    clock.advance(days=4.9)
    deliver(installation, script)
    assert set(states(table.letters())) == {"retry"}
    clock.advance(days=0.2)
    deliver(installation, script)
    letters = table.letters()
    assert set(states(letters)) == {"failed"}
    assert all("5 days" in (letter.error or "") for letter in letters)
    clock.advance(days=30)
    assert deliver(installation).connections == 0


def test_pauses_grow_to_a_limit_and_never_march_in_step() -> None:
    middle = [pause(attempts, 0.5) for attempts in range(1, 20)]
    assert middle[:4] == [timedelta(minutes=one) for one in (1, 2, 4, 8)]
    assert middle == sorted(middle)
    assert middle[-1] == timedelta(hours=3)
    assert pause(3, 0.0) < pause(3, 1.0) < pause(4, 0.5)
    assert sum(middle, timedelta()) < GIVE_UP_AFTER


def crash(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process dies while the first letter is with the relay."""

    class Died(BaseException):
        pass

    def die(*_: object) -> None:
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr("pbem.post.delivery.Relay.send", die)
        patch.setattr("pbem.post.delivery.TOGETHER", 1)
        with pytest.raises(Died):
            deliver_due(installation)


def test_letters_under_way_when_the_process_died_are_unknown_and_go_again(
    installation: Installation, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash(installation, monkeypatch)
    first, second, *others = table.letters()
    assert (first.state, second.state, set(states(others))) == ("sending", "sending", {"queued"})
    assert deliver(installation).taken[0].recipient == others[0].to_address
    assert table.letters()[0].state == "sending"  # it may still be under way elsewhere
    assert recover(installation) == 2
    assert states(table.letters()[:2]) == ["unknown", "unknown"]
    relay = deliver(installation)
    ids = [read(one.content)["Message-ID"] for one in relay.taken]
    assert ids == [first.message_id, second.message_id]
    assert recover(installation) == 0


def test_what_the_relay_had_taken_when_the_process_died_is_sent(
    installation: Installation, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It died after the second letter, before anything of it was recorded."""

    class Died(BaseException):
        pass

    def recorded(_installation: object, _session: object, attempts: list[object]) -> bool:
        if attempts:
            raise Died
        return True

    with running(Relay()) as relay:
        mine = by(installation, relay)
        with monkeypatch.context() as patch:
            patch.setattr("pbem.post.delivery.TOGETHER", 2)
            patch.setattr("pbem.post.delivery.LOTS", 1)
            patch.setattr("pbem.post.delivery.record_all", recorded)
            with pytest.raises(Died):
                deliver_due(mine)
        assert states(table.letters()[:3]) == ["sending", "sending", "queued"]
        journal = mine.settings.instance / NAME
        with journal.open("a") as lines:
            lines.write(table.letters()[2].message_id)  # a line that was begun
        assert recover(mine) == 2
        assert states(table.letters()[:3]) == ["sent", "sent", "queued"]
        assert {one.sent_at for one in table.letters()[:2]} == {installation.clock()}
        deliver_due(mine)
    ids = [read(one.content)["Message-ID"] for one in relay.taken]
    assert len(ids) == len(set(ids)) == len(table.letters())
    assert recover(mine) == 0


def test_letters_go_without_a_journal(installation: Installation, table: Table) -> None:
    (installation.settings.instance / NAME).mkdir()
    deliver(installation)
    assert set(states(table.letters())) == {"sent"}


def test_a_claim_runs_out(
    installation: Installation, table: Table, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash(installation, monkeypatch)
    deliver(installation)
    clock.now += CLAIM
    assert len(deliver(installation).taken) == 2
    assert set(states(table.letters())) == {"sent"}


def test_a_letter_that_cannot_be_written_does_not_hold_up_the_others(
    installation: Installation, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    with installation.store.work() as session:
        bad = session.exec(select(Letter).order_by(col(Letter.id)).limit(1)).one()
        bad.kind = "no-such-letter"
        session.add(bad)
    number = len(table.letters())
    assert len(deliver(installation).taken) == number - 1
    letter = table.letters()[0]
    assert letter.state == "retry"
    assert "could not be written" in (letter.error or "")
    assert f"letter {letter.id}" in caplog.text


def test_the_limit_keeps_a_sweep_short(installation: Installation, table: Table) -> None:
    with running(Relay()) as relay:
        mine, number = by(installation, relay), len(table.letters())
        assert [deliver_due(mine, limit=3), deliver_due(mine, limit=100)] == [3, number - 3]
    assert len(relay.taken) == number
    assert set(states(table.letters())) == {"sent"}


def test_the_oldest_goes_first(installation: Installation, table: Table, clock: HandClock) -> None:
    letters = table.letters()
    with installation.store.work() as session:
        session.get_one(Letter, letters[0].id).next_at = clock() + timedelta(seconds=30)
    clock.advance(minutes=1)
    ids = [read(one.content)["Message-ID"] for one in deliver(installation).taken]
    assert ids == [letter.message_id for letter in letters]


def test_who_delivers_tells_of_a_template_that_fails(
    installation: Installation, table: Table
) -> None:
    folder = installation.settings.instance / "mail_templates" / "begins"
    folder.mkdir(parents=True)
    (folder / "subject.txt").write_text("{{ nothing }}")
    with installation.store.work() as session:
        owner = session.exec(select(Person.id)).first()
        assert owner is not None
        session.add(Role(person_id=owner, kind="owner", granted_at=installation.clock()))
    deliver(installation)
    for letter in table.letters(kind="alert"):
        assert (letter.person_id, letter.context["template"]) == (owner, "begins")
        assert "nothing" in letter.context["why"]
        assert letter.state == "sent"
    assert len(table.letters(kind="alert")) == 1
