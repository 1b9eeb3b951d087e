"""The floor of the mail benchmarks: bare aiosmtpd that commits every mail by itself, synced,
with as many rows as our server writes; and the clients that send to it and to us."""

import multiprocessing
import smtplib
import socket
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

CONNECTIONS = 8
Sent = tuple[str, str, bytes]
"""Sender, recipient and bytes of a mail."""


class Floor:
    """aiosmtpd's handler: one synced commit of `rows` rows a mail."""

    def __init__(self, path: Path, rows: int) -> None:
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._database.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            "CREATE TABLE mail (id INTEGER PRIMARY KEY, sender TEXT, recipients TEXT, raw BLOB)"
        )
        self._rows = rows

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        row = (envelope.mail_from, " ".join(envelope.rcpt_tos), envelope.content)
        self._database.execute("BEGIN IMMEDIATE")
        insert = "INSERT INTO mail (sender, recipients, raw) VALUES (?, ?, ?)"
        self._database.executemany(insert, [row] * self._rows)
        self._database.execute("COMMIT")
        return "250 taken"


def floor_rate(path: Path, mails: Sequence[Sent], rows: int = 1) -> float:
    """Mails a second that the floor takes."""
    with _listening(path, rows) as port:
        return sending(port, mails)


@contextmanager
def _listening(path: Path, rows: int) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
    controller = Controller(Floor(path, rows), hostname="127.0.0.1", port=port)
    controller.start()
    yield port
    controller.stop()


def sending(port: int, mails: Sequence[Sent]) -> float:
    """Mails a second over several connections at once, clients in their own processes."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(CONNECTIONS + 1)
    clients = [
        context.Process(target=_client, args=(port, mails[number::CONNECTIONS], ready))
        for number in range(CONNECTIONS)
    ]
    for client in clients:
        client.start()
    ready.wait()
    started = time.perf_counter()
    for client in clients:
        client.join()
    return len(mails) / (time.perf_counter() - started)


def _client(port: int, mails: Sequence[Sent], ready: Any) -> None:
    """A connection, and one mail after another."""
    with smtplib.SMTP("127.0.0.1", port) as client:
        ready.wait()
        for sender, to, raw in mails:
            client.sendmail(sender, [to], raw)
