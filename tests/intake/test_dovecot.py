"""Reading a mailbox by IMAP, with a real Dovecot."""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlmodel import col, select

from pbem.installation import Installation
from pbem.intake.imap import Connection, ImapReader, ImapTrouble, reader
from pbem.intake.inbox import drain
from pbem.store import Mailbox, MailboxEntry
from tests.intake.mails import written
from tests.intake.taking import but, inbox
from tests.services.dovecot import PASSWORD, Dovecot, dovecot_at_work, token
from tests.services.folder import START_SECONDS, wait_for
from tests.tables import open_table


@pytest.fixture(scope="module")
def running() -> Iterator[Dovecot]:
    with dovecot_at_work() as server:
        yield server


@pytest.fixture
def dovecot(running: Dovecot, request: pytest.FixtureRequest) -> Dovecot:
    """With an empty mailbox."""
    running.user = hashlib.sha256(request.node.name.encode()).hexdigest()[:16]
    running.start()
    return running


def at(installation: Installation, dovecot: Dovecot, **imap: Any) -> Installation:
    """The installation with this mailbox in its settings."""
    login = {} if "token_file" in imap or "token_command" in imap else {"password": PASSWORD}
    where = {"host": "127.0.0.1", "port": dovecot.port, "security": "none", "user": dovecot.user}
    return but(installation, imap={**where, **login, "timeout": 60.0, **imap})


@contextmanager
def reading(here: Installation) -> Iterator[Event]:
    """A reader at work; the event is set when it has stored mails."""
    told = Event()
    at_work = ImapReader(here, told.set)
    at_work.start()
    try:
        yield told
    finally:
        with pytest.MonkeyPatch.context() as patient:
            patient.setattr(reader, "STOP_SECONDS", START_SECONDS)
            started = time.monotonic()
            at_work.stop()
        assert not at_work._thread.is_alive()
        assert time.monotonic() - started < 30  # woken: it would wait 120, or 60 for an answer


def mailbox(here: Installation) -> Mailbox | None:
    with here.store.read() as session:
        return session.exec(select(Mailbox)).first()


def in_state(here: Installation, state: str) -> bool:
    row = mailbox(here)
    return row is not None and row.state == state


def entries(here: Installation) -> list[MailboxEntry]:
    with here.store.read() as session:
        return list(session.exec(select(MailboxEntry).order_by(col(MailboxEntry.uid))))


def settling(here: Installation) -> bool:
    """Whether a mail is stored, but its flag in the mailbox not yet set."""
    return any(one.verdict == "taken" for one in entries(here))


def raws(here: Installation) -> list[bytes]:
    return [mail.raw for mail in inbox(here)]


def ours(subject: str = "status", to: str = "ark@ark.example") -> bytes:
    return written("status", subject=subject, to=to).replace(b"\n", b"\r\n")


def test_new_mail_wakes_the_reader_and_comes_in_byte_for_byte(
    installation: Installation, dovecot: Dovecot
) -> None:
    here = at(installation, dovecot, poll_seconds=3600)
    raw = ours() + bytes(range(128, 256)) + b"\r\n.dot\r\n\tend without a line end"
    with reading(here) as told:
        wait_for(lambda: in_state(here, "idle"), "the reader to wait")
        time.sleep(reader.SOON + 0.3)  # now only the server's word can wake it
        dovecot.deliver(raw)
        assert told.wait(60)
        wait_for(lambda: not entries(here), "the mail to be settled")
        assert dovecot.flags() == [r"\Seen"]
    [mail] = inbox(here)
    assert (mail.raw, mail.channel, mail.envelope_to) == (raw, "imap", [])
    assert in_state(here, "stopped")


def test_a_turn_out_of_a_mailbox_is_done(installation: Installation, dovecot: Dovecot) -> None:
    """Found by a header that names the recipient, and as an answer to a letter."""
    table = open_table(installation)
    here = at(installation, dovecot)
    move = table.legal(0)[0]
    hidden = written(move, to="list@example.org", Delivered_To=table.reply_address(0))
    letter = table.letters(1)[-1]
    thread = written("status", sender="bo@example.org", to="x@example.org",
                     In_Reply_To=letter.message_id)  # fmt: skip
    dovecot.deliver(hidden.replace(b"\n", b"\r\n"), thread.replace(b"\n", b"\r\n"))
    with reading(here):
        wait_for(lambda: len(inbox(here)) == 2, "both mails")
    drain(here)
    assert table.moves() == [move]
    assert [mail.state for mail in inbox(here)] == ["done", "done"]


def test_mail_of_no_concern_is_left_alone_unread_and_listed(
    installation: Installation, dovecot: Dovecot
) -> None:
    table = open_table(installation)
    here = at(installation, dovecot)
    letter = table.letters(0)[-1]
    private = written("take fox", sender="Mum <mum@example.org>", subject="Sunday", to="me@x.org")
    own = written("", sender="ark@ark.example", to="ann@example.org", References=letter.message_id)
    large = ours("too large").replace(b"\r\n\r\n", b"\r\n\r\n" + b"x" * 20_000)
    small = but(here, mail={"max_bytes": 10_000})
    dovecot.deliver(private, own, large, ours())
    with reading(small):
        wait_for(lambda: inbox(here) and not settling(here), "the mail that is ours")
        assert dovecot.flags() == ["", "", "", r"\Seen"]
    assert [(one.verdict, one.subject) for one in entries(here)] == [
        ("no concern", "Sunday"), ("no concern", "Re: Ark"), ("too large", "too large")
    ]  # fmt: skip
    assert entries(here)[0].sender == "Mum <mum@example.org>"
    assert len(inbox(here)) == 1


def test_a_bounce_is_known_by_the_letter_in_it(
    installation: Installation, dovecot: Dovecot
) -> None:
    """Where a provider has written another return path than ours."""
    table = open_table(installation)
    here = at(installation, dovecot)
    returned = table.letters(0)[-1].message_id
    report = (
        "From: mailer-daemon@example.org\r\nTo: ark@provider.example\r\nSubject: Undelivered\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\n\r\nno such user\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
        "Final-Recipient: rfc822; ann@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {returned}\r\n\r\n--b--\r\n"
    )
    other = report.replace(returned, "<another@example.org>")
    dovecot.deliver(report.encode(), other.encode())
    with reading(here):
        wait_for(lambda: len(entries(here)) == 1 and inbox(here), "the bounce")
    assert raws(here) == [report.encode()]


def test_the_same_mail_twice_is_taken_once(installation: Installation, dovecot: Dovecot) -> None:
    here = at(installation, dovecot)
    raw = ours()
    dovecot.deliver(raw, raw, ours())
    with reading(here):
        wait_for(lambda: dovecot.flags() == [r"\Seen"] * 3, "all to be settled")
    assert len(inbox(here)) == 2


def test_a_new_uidvalidity_is_looked_at_anew_and_stored_no_second_time(
    installation: Installation, dovecot: Dovecot
) -> None:
    here = at(installation, dovecot)
    dovecot.deliver(ours("first"), written("hello", to="me@example.org"))
    with reading(here):
        wait_for(lambda: inbox(here) and not settling(here), "the first look")
    before = mailbox(here)
    dovecot.stop()
    for file in dovecot.maildir.glob("dovecot*"):
        file.unlink()
    time.sleep(1.1)  # Dovecot takes the second as its number
    dovecot.start()
    dovecot.deliver(ours("second"))
    with reading(here):
        wait_for(lambda: len(inbox(here)) == 2 and not settling(here), "the second mail")
    after = mailbox(here)
    assert before is not None
    assert after is not None
    assert before.uid_validity != after.uid_validity
    assert len(entries(here)) == 1
    assert len(inbox(here)) == 2


def test_a_restart_reads_on_where_it_was(installation: Installation, dovecot: Dovecot) -> None:
    here = at(installation, dovecot)
    dovecot.deliver(ours("first"))
    with reading(here):
        wait_for(lambda: inbox(here), "the first mail")
    dovecot.deliver(ours("second"))  # while nobody reads
    with reading(here):
        wait_for(lambda: len(inbox(here)) == 2, "the second mail")


def test_the_reader_comes_back_after_the_server_was_gone(
    installation: Installation, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr(reader, "FIRST_PAUSE", 0.2)
    here = at(installation, dovecot)
    with reading(here):
        wait_for(lambda: in_state(here, "idle"), "the reader to wait")
        dovecot.stop()
        wait_for(lambda: in_state(here, "broken"), "the loss to be noticed")
        row = mailbox(here)
        assert row is not None
        assert row.error
        assert row.name in caplog.text
        dovecot.start()
        dovecot.deliver(ours())
        wait_for(lambda: inbox(here), "the mail after the restart")
        wait_for(lambda: in_state(here, "idle"), "the reader to wait again")


@pytest.mark.parametrize("taken", ["move", "delete"])
def test_what_is_taken_is_moved_or_deleted_and_nothing_else(
    installation: Installation, dovecot: Dovecot, taken: str
) -> None:
    here = at(installation, dovecot, taken=taken, move_to="Spiele Ärk")
    dovecot.deliver(ours(), written("", to="me@example.org"))
    with dovecot.client() as client:
        client.store("2", "+FLAGS", r"(\Deleted)")  # somebody's own decision, not yet carried out
        with reading(here):
            wait_for(lambda: len(inbox(here)) == 1 and not settling(here), "the mail")
    assert [one.replace(r"\Recent", "").strip() for one in dovecot.flags()] == [r"\Deleted"]
    if taken == "move":
        assert len(dovecot.flags('"Spiele &AMQ-rk"')) == 1


def test_a_crash_before_settling_is_mended(
    installation: Installation, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = at(installation, dovecot)
    dovecot.deliver(ours())

    def crash(*_: object) -> None:
        raise ImapTrouble("the power is gone")

    with monkeypatch.context() as power:
        power.setattr(Connection, "settle", crash)
        with reading(here):
            wait_for(lambda: inbox(here) and in_state(here, "broken"), "the mail and the crash")
    assert dovecot.flags() == [""]
    with reading(here):
        wait_for(lambda: dovecot.flags() == [r"\Seen"], "the flag")
    assert len(inbox(here)) == 1


def test_without_idle_the_reader_asks(installation: Installation) -> None:
    with dovecot_at_work("imap_capability = IMAP4rev1 UIDPLUS MOVE") as dovecot:
        here = at(installation, dovecot, poll_seconds=1.0)
        with reading(here):
            wait_for(lambda: in_state(here, "polling"), "the first look")
            dovecot.deliver(ours())
            wait_for(lambda: inbox(here), "the mail")


def test_a_login_by_xoauth2(installation: Installation, tmp_path: Path) -> None:
    with dovecot_at_work(oauth=True) as dovecot:
        (tmp_path / "token").write_text(token() + "\n")
        for way in ({"token_file": str(tmp_path / "token")},
                    {"token_command": ("cat", str(tmp_path / "token"))}):  # fmt: skip
            with Connection(at(installation, dovecot, **way).settings) as connection:
                assert connection.tells


@pytest.mark.parametrize(
    ("imap", "said"),
    [
        ({"password": "wrong"}, "AUTHENTICATIONFAILED"),
        ({"folder": "Nowhere"}, "Nowhere"),
        ({"security": "starttls"}, "TLS"),
        ({"security": "tls"}, "SSL"),
        ({"token_file": "nowhere"}, "token file"),
        ({"token_command": ("sh", "-c", "echo tokens are out >&2; exit 3")}, "3: tokens are out"),
        ({"token_command": ("true",)}, "empty"),
    ],
)
def test_a_mailbox_that_cannot_be_opened_is_one_line(
    installation: Installation, dovecot: Dovecot, imap: dict[str, Any], said: str
) -> None:
    here = at(installation, dovecot, **imap)
    with pytest.raises(ImapTrouble, match=said) as trouble:
        Connection(here.settings)
    assert "\n" not in str(trouble.value)
    assert PASSWORD not in str(trouble.value)
