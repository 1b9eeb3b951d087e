"""Mail coming in by SMTP: every byte of it is stored, and 250 means stored."""

import smtplib
import socket
import threading

from sqlmodel import select

from pbem.installation import Installation
from pbem.intake.smtp import SmtpServer
from pbem.store import Letter
from tests.intake.taking import PATIENCE, RAW, inbox, serving


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


def test_very_long_lines_are_no_trouble(installation: Installation, client: smtplib.SMTP) -> None:
    raw = b"Subject: x\r\n\r\n" + b"a" * 3_000_000 + b"\r\n"
    client.sendmail("ann@example.org", ["ark@ark.example"], raw)
    assert inbox(installation)[0].raw == raw


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
        assert told.wait(60)
    assert seen == [1]


def test_many_at_once_are_all_stored(installation: Installation, server: SmtpServer) -> None:
    def send(number: int) -> None:
        with smtplib.SMTP("127.0.0.1", server.port, timeout=PATIENCE) as client:
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


def test_a_sender_who_hangs_up_leaves_nothing(
    installation: Installation, server: SmtpServer
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.recv(1000)
        connection.sendall(
            b"EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<ark@ark.example>\r\nDATA\r\nSubject: half"
        )
        connection.recv(1000)
    with smtplib.SMTP("127.0.0.1", server.port) as client:
        client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    assert [mail.raw for mail in inbox(installation)] == [RAW]


def test_no_letter_is_written_by_taking_mail_in(
    installation: Installation, client: smtplib.SMTP
) -> None:
    client.sendmail("ann@example.org", ["ark@ark.example"], RAW)
    with installation.store.read() as session:
        assert session.exec(select(Letter)).all() == []
