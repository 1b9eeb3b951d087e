"""The doctor sends a mail by every way in that is switched on, and hangs at none."""

from __future__ import annotations

import smtplib
import socket
import threading
from pathlib import Path

import pytest

from pbem.cli import findings, loop_mails
from pbem.cli.findings import Finding, bounded
from pbem.installation import Installation
from tests.certificates import certificate
from tests.e2e.forked import ForkedServer
from tests.e2e.server import LONGEST, Server, server_at
from tests.e2e.sink import Sink
from tests.ports import free_port, refusing_port
from tests.services.dovecot import PASSWORD, Dovecot, dovecot_at_work

ALL = """
[starttls]
certificate = "{pem}"
required = true
[lmtp]
enabled = true
socket = "{folder}/lmtp.sock"
[webhook]
secret = "sixteen characters"
[imap]
host = "127.0.0.1"
port = {imap}
security = "none"
user = "ark"
password = "{password}"
timeout = 30.0
"""


def findings_of(server: Server) -> dict[str, tuple[str, str]]:
    """What the doctor prints: name → (ok or FAIL, the text)."""
    lines = server.call("doctor").stdout.splitlines()
    split = [(line[:4].strip(), *line[5:].split(": ", 1)) for line in lines]
    return {name: (verdict, text) for verdict, name, text in split}


def test_every_way_in_is_tried(tmp_path: Path, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_mails, "ANSWER_SECONDS", LONGEST)
    ports = {"web_port": free_port(), "smtp_port": free_port()}
    with (
        dovecot_at_work() as dovecot,
        server_at(tmp_path / "instance", sink.port, kind=ForkedServer, **ports) as server,
    ):
        # A Unix socket's path is short.
        more = ALL.format(
            pem=certificate(tmp_path), imap=dovecot.port, password=PASSWORD, folder=dovecot.folder
        )
        server.write_settings(sink.port, more)
        server.start()
        assert "LMTP: " in server.output()
        postman = threading.Thread(target=carry_one, args=(sink, dovecot))
        postman.start()
        found = findings_of(server)
        postman.join()
        assert {name for name, (verdict, _) in found.items() if verdict == "ok"} == {
            "settings", "database", "pages", "smtp", "lmtp", "pipe", "webhook", "imap"
        }, found  # fmt: skip
        for name in ("smtp", "lmtp", "pipe", "webhook", "imap"):
            assert "a loop mail was taken in" in found[name][1]
            assert "own mail, ignored" in found[name][1]
        assert "tells of new mail" in found["imap"][1]
        assert server.stop() == 0
        # The mailbox is there and the server is not.
        verdict, text = findings_of(server)["imap"]
        assert verdict == "FAIL"
        assert "Is the server running?" in text


def carry_one(sink: Sink, dovecot: Dovecot) -> None:
    """What the provider of the mailbox does with mail from the relay."""
    letter = sink.wait_for(lambda one: one.subject == "Loop mail", "loop mail")
    dovecot.deliver(letter.raw)


def test_a_silent_mailbox_does_not_hold_the_doctor(tmp_path: Path) -> None:
    with (
        server_at(tmp_path / "instance", refusing_port()) as server,
        socket.create_server(("127.0.0.1", 0)) as silent,
    ):
        port = silent.getsockname()[1]
        server.write_settings(
            1, f'[imap]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
            'user = "ark"\npassword = "x"\ntimeout = 0.5\n'
        )  # fmt: skip
        server.printed("upgrade")
        verdict, text = findings_of(server)["imap"]
        assert verdict == "FAIL"
        assert "timed out" in text  # by itself, before the doctor left it


def test_a_check_that_does_not_end_is_left(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings, "LONGEST_CHECK", 0.2)
    done = threading.Event()

    def hanging(_: Installation) -> Finding:
        done.wait(LONGEST)
        return Finding("smtp", True, "at last")

    found = bounded(hanging, "smtp", installation)
    done.set()
    assert (found.ok, found.what) == (False, "smtp")
    assert "no answer" in found.text


def test_a_check_that_fails_is_a_finding(installation: Installation) -> None:
    def failing(_: Installation) -> Finding:
        raise smtplib.SMTPException("two\nlines")

    found = bounded(failing, "smtp", installation)
    assert (found.ok, found.text) == (False, "SMTPException: two lines")
