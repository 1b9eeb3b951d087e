"""Mail coming in by SMTP and LMTP: what is taken, what is refused, and that 250 means
stored."""

import smtplib
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.lmtp import LMTP
from sqlalchemy import event
from sqlmodel import col, select

from pbem.installation import Installation
from pbem.intake.smtp import ListenError, SmtpServer
from pbem.post.addresses import return_path
from pbem.settings import Settings
from pbem.store import Letter, Mail, Store, Token
from pbem.store.tokens import Bearer, digest, issue
from tests.needs import need

RAW = b"From: ann@example.org\r\nSubject: hi\r\n\r\ntake fox\r\n.hidden dot\r\n"


@contextmanager
def serving(installation: Installation, **options: Any) -> Iterator[SmtpServer]:
    server = SmtpServer(installation, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def server(installation: Installation) -> Iterator[SmtpServer]:
    with serving(installation) as running:
        yield running


@pytest.fixture
def client(server: SmtpServer) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", server.port, timeout=10) as connection:
        yield connection


@pytest.fixture
def token(installation: Installation) -> str:
    with installation.store.work() as session:
        return issue(session, installation.keys, Bearer("person"), installation.clock())


def inbox(installation: Installation) -> list[Mail]:
    with installation.store.read() as session:
        mails = list(session.exec(select(Mail).order_by(col(Mail.id))))
        session.expunge_all()
        return mails


def changed(settings: Settings, **mail: object) -> Settings:
    return settings.model_copy(update={"mail": settings.mail.model_copy(update=mail)})


def test_a_mail_is_stored_as_it_came_with_its_envelope(
    installation: Installation, client: smtplib.SMTP
) -> None:
    client.sendmail("Ann@Example.org", ["ark@ark.example"], RAW)
    [mail] = inbox(installation)
    assert mail.raw == RAW
    assert mail.envelope_from == "Ann@Example.org"
    assert mail.envelope_to == ["ark@ark.example"]
    assert (mail.channel, mail.state, mail.attempts) == ("smtp", "new", 0)
    assert mail.received_at == installation.clock()


def test_the_null_return_path_is_kept_as_such(
    installation: Installation, client: smtplib.SMTP
) -> None:
    client.sendmail("", ["ark@ark.example"], RAW)
    assert inbox(installation)[0].envelope_from == ""


def test_every_byte_survives(installation: Installation, client: smtplib.SMTP) -> None:
    every = bytes(byte for byte in range(256) if byte not in b"\r\n")
    raw = b"Subject: x\r\n\r\n" + every + b"\r\n"
    client.sendmail("ann@example.org", ["ark@ark.example"], raw)
    assert inbox(installation)[0].raw == raw


@pytest.mark.parametrize(
    "recipient",
    ["ark@ark.example", "ARK@Ark.Example", "postmaster@ark.example", "PostMaster@ark.example",
     "ark+anything@ark.example"],
)  # fmt: skip
def test_the_server_s_own_addresses_are_known(client: smtplib.SMTP, recipient: str) -> None:
    client.ehlo()
    client.mail("ann@example.org")
    assert client.rcpt(recipient)[0] == 250


def test_reply_addresses_are_known_in_any_case(client: smtplib.SMTP, token: str) -> None:
    client.ehlo()
    client.mail("ann@example.org")
    for local in (f"t-{token}", f"T-{token.upper()}", f"t-{token}+tag"):
        assert client.rcpt(f"{local}@ark.example")[0] == 250, local


def test_a_letter_s_return_path_is_known(installation: Installation, client: smtplib.SMTP) -> None:
    client.ehlo()
    client.mail("")
    path = return_path(installation.keys, "ark.example", 12)
    assert client.rcpt(path)[0] == 250
    assert client.rcpt(path.upper())[0] == 250
    assert client.rcpt(path.replace("b-12-", "b-13-"))[0] == 550


@pytest.mark.parametrize(
    "recipient",
    ["nobody@ark.example", "ark@elsewhere.example", "t-@ark.example", "t-aaaa@ark.example",
     f"t-{'a' * 26}@ark.example", "b-1-aaaaaaaaaaaaaaaa@ark.example", "ark@sub.ark.example",
     '"ark"@elsewhere.example', "'; DROP TABLE mail;--@ark.example"],
)  # fmt: skip
def test_an_unknown_recipient_is_refused_at_once(client: smtplib.SMTP, recipient: str) -> None:
    client.ehlo()
    client.mail("ann@example.org")
    code, _ = client.rcpt(recipient)
    assert code in (550, 553, 501)
    assert client.rcpt("ark@ark.example")[0] == 250  # and the session goes on


def test_a_forged_or_revoked_token_is_unknown(
    installation: Installation, client: smtplib.SMTP, token: str
) -> None:
    forged = ("a" if token[0] != "a" else "b") + token[1:]
    with installation.store.work() as session:
        row = session.get_one(Token, digest(token))
        row.revoked_at = installation.clock()
        session.add(row)
    client.ehlo()
    client.mail("ann@example.org")
    assert client.rcpt(f"t-{forged}@ark.example")[0] == 550
    assert client.rcpt(f"t-{token}@ark.example")[0] == 550


def test_the_key_of_a_page_is_no_reply_address(
    installation: Installation, client: smtplib.SMTP
) -> None:
    with installation.store.work() as session:
        page = issue(session, installation.keys, Bearer("page"), installation.clock())
    client.ehlo()
    client.mail("ann@example.org")
    assert client.rcpt(f"t-{page}@ark.example")[0] == 550


def test_a_mail_that_is_too_large_is_refused_for_good(installation: Installation) -> None:
    small = replace(installation, settings=changed(installation.settings, max_bytes=10_000))
    with serving(small) as server, smtplib.SMTP("127.0.0.1", server.port) as client:
        client.ehlo()
        assert client.esmtp_features["size"] == "10000"
        with pytest.raises(smtplib.SMTPSenderRefused) as announced:  # SIZE=… of MAIL
            client.sendmail("ann@example.org", ["ark@ark.example"], b"x" * 10_001)
        assert announced.value.smtp_code == 552
        del client.esmtp_features["size"]
        with pytest.raises(smtplib.SMTPDataError) as sent:
            client.sendmail("ann@example.org", ["ark@ark.example"], b"x" * 10_001)
        assert sent.value.smtp_code == 552
        client.sendmail("ann@example.org", ["ark@ark.example"], b"x" * 9_000)
    assert len(inbox(installation)) == 1


def test_very_long_lines_are_no_trouble(installation: Installation, client: smtplib.SMTP) -> None:
    raw = b"Subject: x\r\n\r\n" + b"a" * 3_000_000 + b"\r\n"
    client.sendmail("ann@example.org", ["ark@ark.example"], raw)
    assert inbox(installation)[0].raw == raw


def test_recipients_are_limited_for_now_not_for_good(installation: Installation) -> None:
    few = replace(installation, settings=changed(installation.settings, max_recipients=3))
    with serving(few) as server, smtplib.SMTP("127.0.0.1", server.port) as client:
        client.ehlo()
        client.mail("ann@example.org")
        codes = [client.rcpt("ark@ark.example")[0] for _ in range(4)]
    assert codes == [250, 250, 250, 452]


def test_whoever_waits_for_mail_is_told_after_the_commit(installation: Installation) -> None:
    seen: list[int] = []
    told = threading.Event()

    def on_mail() -> None:
        seen.append(len(inbox(installation)))
        told.set()

    with (
        serving(installation, on_mail=on_mail) as server,
        smtplib.SMTP("127.0.0.1", server.port) as client,
    ):
        client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
        assert told.wait(10)
    assert seen == [1]


def test_many_at_once_are_all_stored(installation: Installation, server: SmtpServer) -> None:
    def send(number: int) -> None:
        with smtplib.SMTP("127.0.0.1", server.port, timeout=30) as client:
            for count in range(10):
                raw = f"Subject: {number}/{count}\r\n\r\n".encode()
                client.sendmail("ann@example.org", ["ark@ark.example"], raw)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    subjects = {mail.raw for mail in inbox(installation)}
    assert len(subjects) == 80


def test_lmtp_answers_for_every_recipient(installation: Installation, token: str) -> None:
    to = ["ark@ark.example", f"t-{token}@ark.example"]
    with (
        serving(installation, protocol=LMTP) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection,
        connection.makefile("rwb") as lines,
    ):

        def say(command: bytes, answers: int = 1) -> list[bytes]:
            lines.write(command + b"\r\n")
            lines.flush()
            return [lines.readline()[:3] for _ in range(answers)]

        lines.readline()
        assert say(b"LHLO mta.example", 5)[-1] == b"250"
        for recipients in (to, to[:1]):
            say(b"MAIL FROM:<ann@example.org>")
            for one in (*recipients, "nobody@ark.example"):
                say(f"RCPT TO:<{one}>".encode())
            assert say(b"DATA") == [b"354"]
            assert say(RAW.replace(b"\r\n.", b"\r\n..") + b".", len(recipients)) == [b"250"] * len(
                recipients
            )
        assert say(b"QUIT") == [b"221"]
    stored = inbox(installation)
    assert [mail.envelope_to for mail in stored] == [to, to[:1]]
    assert [mail.raw for mail in stored] == [RAW, RAW]
    assert {mail.channel for mail in stored} == {"lmtp"}


def locked(store: Store) -> None:
    """Let the store give up on a lock at once instead of after half a minute."""

    @event.listens_for(store.engine, "connect")
    def impatient(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA busy_timeout=50")

    store.close()


def test_a_locked_database_means_later(
    installation: Installation, server: SmtpServer, client: smtplib.SMTP,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    locked(installation.store)
    with installation.store.work(), pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    assert_our_trouble(refused.value)
    assert "locked" in caplog.text  # the operator learns why
    client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    assert len(inbox(installation)) == 1


def assert_our_trouble(error: smtplib.SMTPResponseException) -> None:
    assert error.smtp_code == 451
    text = error.smtp_error
    said = text.decode() if isinstance(text, bytes) else text
    for detail in ("rror", "sqlite", "Traceback", "locked", "full", "/"):
        assert detail not in said


@pytest.mark.parametrize("table", ["mail", "token"])
def test_any_trouble_of_our_own_means_later(
    installation: Installation, client: smtplib.SMTP, token: str, table: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """Also one nobody thought of: here a table is missing, for storing or for asking."""
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql(f"ALTER TABLE {table} RENAME TO gone")
    expected = smtplib.SMTPDataError if table == "mail" else smtplib.SMTPRecipientsRefused
    with pytest.raises(expected) as refused:
        client.sendmail("ann@example.org", [f"t-{token}@ark.example"], RAW)
    if isinstance(refused.value, smtplib.SMTPDataError):
        assert_our_trouble(refused.value)
    else:
        [(code, said)] = refused.value.recipients.values()
        assert_our_trouble(smtplib.SMTPDataError(code, said))
    assert "no such table" in caplog.text
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql(f"ALTER TABLE gone RENAME TO {table}")
    client.sendmail("ann@example.org", [f"t-{token}@ark.example"], RAW)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True
    )
    need(mounted.returncode == 0, "mounting a small tmpfs is not permitted")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_means_later_and_nothing_is_lost(
    installation: Installation, empty_database: Path, small_disk: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    database = small_disk / "ark.sqlite"
    database.write_bytes(empty_database.read_bytes())
    full = replace(installation, store=Store(f"sqlite:///{database}"))
    large = b"Subject: large\r\n\r\n" + b"x" * 400_000 + b"\r\n"
    codes = []
    with serving(full) as server:
        for _ in range(6):
            with smtplib.SMTP("127.0.0.1", server.port, timeout=30) as client:
                client.ehlo()
                client.mail("ann@example.org")
                client.rcpt("ark@ark.example")
                codes.append(client.data(large)[0])
        assert set(codes) == {250, 451}, codes
        assert codes[-1] == 451
        assert len(inbox(full)) == codes.count(250)
        # There is room again: the same mail is taken.
        subprocess.run(["mount", "-o", "remount,size=9m", str(small_disk)], check=True)
        with smtplib.SMTP("127.0.0.1", server.port, timeout=30) as client:
            client.sendmail("ann@example.org", ["ark@ark.example"], large)
    assert len(inbox(full)) == codes.count(250) + 1
    full.close()


def test_a_port_in_use_is_one_clear_line(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        busy = replace(installation, settings=changed(installation.settings, port=port))
        server = SmtpServer(busy)
        with pytest.raises(ListenError) as refused:
            server.start()
    text = str(refused.value)
    assert "\n" not in text
    assert str(port) in text
    assert "mail.port" in text
    server.stop()  # does nothing, and does not hang


def test_an_address_that_is_not_ours_is_one_clear_line(installation: Installation) -> None:
    host = "203.0.113.7"
    away = replace(installation, settings=changed(installation.settings, host=host))
    with pytest.raises(ListenError, match=host):
        SmtpServer(away).start()


@pytest.mark.parametrize(
    "garbage", [b"\xff\xfe\r\n", b"GET / HTTP/1.1\r\n", b"MAIL\r\n", b"\r\n" * 50]
)
def test_garbage_never_shows_our_insides(server: SmtpServer, garbage: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.recv(1000)
        connection.sendall(garbage + b"QUIT\r\n")
        said = b""
        while more := connection.recv(4096):
            said += more
    assert b"Traceback" not in said
    assert b"Exception" not in said


def test_a_sender_who_hangs_up_leaves_nothing(
    installation: Installation, server: SmtpServer
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.recv(1000)
        connection.sendall(
            b"EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<ark@ark.example>\r\nDATA\r\nSubject: half"
        )
        connection.recv(1000)
    with smtplib.SMTP("127.0.0.1", server.port) as client:
        client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    assert [mail.raw for mail in inbox(installation)] == [RAW]


def test_stopping_is_quick_even_with_open_connections(installation: Installation) -> None:
    server = SmtpServer(installation)
    server.start()
    client = smtplib.SMTP("127.0.0.1", server.port, timeout=5)
    client.ehlo()
    server.stop()
    with pytest.raises(smtplib.SMTPException):
        client.noop()
    client.close()


def test_no_letter_is_written_by_taking_mail_in(
    installation: Installation, client: smtplib.SMTP
) -> None:
    client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    with installation.store.read() as session:
        assert session.exec(select(Letter)).all() == []
