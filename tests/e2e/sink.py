"""Where the server's letters arrive: an SMTP server that takes everything for everybody."""

from __future__ import annotations

import asyncio
import email
import email.policy
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cached_property
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

WAIT_SECONDS = 300.0


@dataclass(frozen=True)
class Delivery:
    """One letter as it was delivered, and how its reader's mail program shows it."""

    envelope_from: str
    envelope_to: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        message = email.message_from_bytes(self.raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        return message

    @cached_property
    def message_id(self) -> str:
        return str(self.message["Message-ID"])

    @cached_property
    def in_reply_to(self) -> str:
        return str(self.message.get("In-Reply-To", ""))

    @cached_property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @cached_property
    def sender_name(self) -> str:
        return parseaddr(str(self.message["From"]))[0]

    @cached_property
    def reply_address(self) -> str:
        """What a mail program answers to: From is the reply address."""
        return parseaddr(str(self.message["From"]))[1]

    @cached_property
    def text(self) -> str:
        return self._part("plain")

    @cached_property
    def html(self) -> str:
        return self._part("html")

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return "" if part is None else str(part.get_content()).replace("\r\n", "\n")


class Sink:
    """Collects deliveries.  `wait_for` is woken by each of them."""

    def __init__(self) -> None:
        self.port = 0
        self._deliveries: list[Delivery] = []
        self._arrived = threading.Condition()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        with self._arrived:
            for recipient in envelope.rcpt_tos:
                self._deliveries.append(Delivery(envelope.mail_from or "", recipient, content))
            self._arrived.notify_all()
        return "250 taken"

    def all(self, to: str | None = None) -> list[Delivery]:
        """What was delivered so far (to one address), in order."""
        with self._arrived:
            return [one for one in self._deliveries if to in (None, one.envelope_to)]

    def find(self, wanted: Callable[[Delivery], bool]) -> Delivery | None:
        """The newest delivery of this kind."""
        return next(filter(wanted, reversed(self.all())), None)

    def wait_for(
        self, wanted: Callable[[Delivery], bool], what: str, seconds: float = WAIT_SECONDS
    ) -> Delivery:
        """The newest delivery of this kind, waited for; `AssertionError` names `what`."""
        end = time.monotonic() + seconds
        while True:
            with self._arrived:
                found = next(filter(wanted, reversed(self._deliveries)), None)
                if found is not None:
                    return found
                left = end - time.monotonic()
                if left <= 0:
                    subjects = [f"{d.envelope_to}: {d.subject}" for d in self._deliveries[-8:]]
                    raise AssertionError(f"no {what} came within {seconds:.0f} s; last: {subjects}")
                self._arrived.wait(left)


@contextmanager
def sink_at_work() -> Iterator[Sink]:
    """A sink on a free loopback port."""
    sink = Sink()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="sink")
    thread.start()

    def session() -> SMTP:
        return SMTP(sink, hostname="relay.example", loop=loop, data_size_limit=None)

    async def listen() -> asyncio.AbstractServer:
        return await loop.create_server(session, "127.0.0.1", 0)

    async def close(server: asyncio.AbstractServer) -> None:
        server.close()
        tasks: list[asyncio.Task[Any]] = [
            task for task in asyncio.all_tasks(loop) if task is not asyncio.current_task()
        ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    server = asyncio.run_coroutine_threadsafe(listen(), loop).result(WAIT_SECONDS)
    sink.port = server.sockets[0].getsockname()[1]
    try:
        yield sink
    finally:
        asyncio.run_coroutine_threadsafe(close(server), loop).result(WAIT_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(WAIT_SECONDS)
        loop.close()
