"""A server that takes mail in, and the inbox it fills."""

import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from sqlmodel import col, select

from pbem.installation import Installation
from pbem.intake.smtp import SmtpServer
from pbem.store import Mail

PATIENCE = 60.0
"""Seconds until something must have been answered: much more than it takes, as other tests
run beside this one, and on slow machines too."""
RAW = b"From: ann@example.org\r\nSubject: hi\r\n\r\ntake fox\r\n.hidden dot\r\n"


@contextmanager
def serving(installation: Installation, **options: Any) -> Iterator[SmtpServer]:
    server = SmtpServer(installation, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def but(installation: Installation, **groups: dict[str, Any]) -> Installation:
    """The same installation with other settings: ``but(here, mail={"port": 25})``."""
    settings = installation.settings
    changed = {
        name: type(group).model_validate({**group.model_dump(), **groups[name]})
        for name in groups
        if (group := getattr(settings, name))
    }
    return replace(installation, settings=settings.model_copy(update=changed))


def inbox(installation: Installation) -> list[Mail]:
    with installation.store.read() as session:
        mails = list(session.exec(select(Mail).order_by(col(Mail.id))))
        session.expunge_all()
        return mails


@contextmanager
def connected(port: int) -> Iterator[smtplib.SMTP]:
    with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as client:
        yield client


class Lmtp:
    """One LMTP conversation, line by line; answers are their codes."""

    def __init__(self, connection: socket.socket) -> None:
        self._lines = connection.makefile("rwb")
        self._lines.readline()

    def say(self, command: bytes, answers: int = 1) -> list[bytes]:
        self._lines.write(command + b"\r\n")
        self._lines.flush()
        return [self._lines.readline()[:3] for _ in range(answers)]

    def close(self) -> None:
        self._lines.close()


def everything_said(connection: socket.socket) -> bytes:
    """Until the server hangs up, or, as it does with what has come unread, breaks off."""
    said = b""
    with suppress(ConnectionResetError):
        while chunk := connection.recv(4096):
            said += chunk
    return said
