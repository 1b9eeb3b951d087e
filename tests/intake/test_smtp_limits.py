"""What is too much: for good (size, lines) or for now (recipients, connections, rates)."""

import smtplib
import socket
import threading
import time
from contextlib import suppress

import pytest

from pbem.installation import Installation
from pbem.intake import guard
from tests.intake.taking import PATIENCE, but, connected, everything_said, inbox, serving
from tests.services.folder import wait_for


def test_a_mail_that_is_too_large_is_refused_for_good(installation: Installation) -> None:
    small = but(installation, mail={"max_bytes": 10_000})
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


def test_recipients_are_limited_for_now_not_for_good(installation: Installation) -> None:
    few = but(installation, mail={"max_recipients": 3})
    with serving(few) as server, smtplib.SMTP("127.0.0.1", server.port) as client:
        client.ehlo()
        client.mail("ann@example.org")
        codes = [client.rcpt("ark@ark.example")[0] for _ in range(4)]
    assert codes == [250, 250, 250, 452]


def test_a_line_may_be_limited(installation: Installation) -> None:
    short = but(installation, mail={"max_line": 2000})
    with serving(short) as server, connected(server.port) as client:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("ann@example.org", ["ark@ark.example"], b"x" * 5000)
        assert refused.value.smtp_code == 500
        client.sendmail("ann@example.org", ["ark@ark.example"], b"x" * 1900)
    assert len(inbox(installation)) == 1


def test_connections_at_once_are_limited(installation: Installation) -> None:
    with serving(but(installation, limits={"connections": 2})) as server:
        with connected(server.port) as first, connected(server.port):
            assert greeting(server.port)[0] == 421
            assert first.noop()[0] == 250
        wait_for(lambda: greeting(server.port)[0] == 220, "a place")


@pytest.fixture
def long_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the test takes, the minute does not end in it."""
    monkeypatch.setattr(guard, "MINUTE", 3600.0)


@pytest.mark.usefixtures("long_minute")
def test_a_client_s_connections_a_minute_are_limited(installation: Installation) -> None:
    few = but(installation, limits={"connections_per_minute": 3, "trusted": ()})
    with serving(few) as server:
        codes = [greeting(server.port)[0] for _ in range(4)]
    assert codes == [220, 220, 220, 421]


@pytest.mark.usefixtures("long_minute")
def test_a_client_s_mails_a_minute_are_limited_for_now(installation: Installation) -> None:
    few = but(installation, limits={"mails_per_minute": 2, "trusted": ()})
    with serving(few) as server, connected(server.port) as client:
        for _ in range(2):
            client.sendmail("ann@example.org", ["ark@ark.example"], b"x")
        with pytest.raises(smtplib.SMTPSenderRefused) as refused:
            client.sendmail("ann@example.org", ["ark@ark.example"], b"x")
        assert refused.value.smtp_code == 450
    assert len(inbox(installation)) == 2


def test_trusted_clients_are_not_counted(installation: Installation) -> None:
    one = but(installation, limits={"mails_per_minute": 1, "connections_per_minute": 1})
    with serving(one) as server:
        for _ in range(2):
            with connected(server.port) as client:
                for _ in range(2):
                    client.sendmail("ann@example.org", ["ark@ark.example"], b"x")


def test_a_silent_client_is_told_and_let_go(installation: Installation) -> None:
    with serving(but(installation, limits={"idle_seconds": 1.0})) as server:
        started = time.monotonic()
        code, rest = greeting(server.port, until_closed=True)
        assert code == 220
        assert rest.startswith(b"421 4.4.2")
        assert 0.5 < time.monotonic() - started < PATIENCE


def test_a_mail_that_drips_is_cut_off(installation: Installation) -> None:
    """A client that never ends its mail does not hold its place for ever."""
    with (
        serving(but(installation, limits={"idle_seconds": 1.0})) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection,
    ):
        connection.sendall(b"EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<ark@ark.example>\r\nDATA\r\n")
        dripping = threading.Thread(target=drip, args=(connection,))
        dripping.start()
        said = everything_said(connection)
        dripping.join()
    assert b"421 4.4.2" in said
    assert inbox(installation) == []


def drip(connection: socket.socket) -> None:
    with suppress(OSError):
        for _ in range(50):
            connection.sendall(b"drip\r\n")
            time.sleep(0.1)


def greeting(port: int, until_closed: bool = False) -> tuple[int, bytes]:
    """The code of the greeting; and what comes after it until the server hangs up."""
    with (
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection,
        connection.makefile("rb") as lines,
    ):
        return int(lines.readline()[:3]), lines.read() if until_closed else b""
