"""The conversation with a client, by SMTP (RFC 5321) or LMTP (RFC 2033): who is known
here, what is too much, and storing before answering."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.installation import Installation
from pbem.intake.arrival import Arrival
from pbem.intake.deposit import Deposit
from pbem.intake.guard import Guard
from pbem.intake.recipients import is_known

log = logging.getLogger(__name__)
# Below this aiosmtpd repeats what clients say: whole conversations, reply addresses and mails
# with them (whoever reads a log must not be able to answer a letter), and whatever they send
# instead of a command, control characters too.
logging.getLogger("mail.log").setLevel(logging.ERROR)

OUR_TROUBLE = "451 4.3.0 Not now; please try again later"
UNKNOWN = "550 5.1.1 No such address here"
TOO_MANY = "452 4.5.3 Too many recipients; send the mail again to the others"
IDLE = b"421 4.4.2 You were silent too long; goodbye\r\n"
TAKEN = "250 2.0.0 Taken"


class Reception:
    """aiosmtpd's handler, one for all connections of a listener."""

    def __init__(
        self, installation: Installation, deposit: Deposit, guard: Guard, channel: str
    ) -> None:
        self.guard = guard
        self.connections: set[GuardedSmtp] = set()
        self._installation = installation
        self._deposit = deposit
        self._channel = channel
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="recipients")

    def hang_up(self) -> None:
        """Close every connection, those too whose conversation has not begun."""
        for connection in self.connections.copy():
            if connection.transport is not None:
                connection.transport.abort()  # type: ignore[attr-defined]

    def close(self) -> None:
        self._pool.shutdown()

    async def handle_EHLO(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, name: str, answers: list[str]
    ) -> list[str]:
        session.host_name = name
        return [one for one in answers if not one.startswith("250-AUTH")]  # there are no logins

    async def handle_MAIL(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        refusal = self.guard.sends(client_of(session))
        if refusal is not None:
            return refusal
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 Go on"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= self._installation.settings.mail.max_recipients:
            return TOO_MANY
        if not await self._knows(address):
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Known"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        try:
            content = envelope.content
            assert isinstance(content, bytes)
            sender = "" if envelope.mail_from in (None, "<>") else str(envelope.mail_from)
            arrival = Arrival(content, sender, tuple(envelope.rcpt_tos), self._channel)
            await asyncio.wrap_future(self._deposit.put(arrival))
            status = TAKEN
        except Exception:  # whatever it was, the mail stays with its sender
            log.exception("a mail could not be stored; its sender was told to try again")
            status = OUR_TROUBLE
        # LMTP answers once for every recipient.
        times = len(envelope.rcpt_tos) if isinstance(server, LMTP) else 1
        return "\r\n".join([status] * times)

    async def handle_exception(self, error: Exception) -> str:
        log.error("trouble in an SMTP session", exc_info=error)
        return OUR_TROUBLE

    async def _knows(self, address: str) -> bool:
        """SQLite has answered before a thread would have been woken; another database is
        asked over the network, and nobody else must wait for it."""
        if self._installation.store.is_sqlite:
            return self._is_known(address)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._is_known, address)

    def _is_known(self, address: str) -> bool:
        installation = self._installation
        with installation.store.engine.connect() as connection:
            return is_known(connection, installation.settings, installation.keys, address)


class GuardedSmtp(SMTP):
    """aiosmtpd's SMTP, each connection counted, and told why it is closed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._reception.connections.add(self)

    def eof_received(self) -> bool | None:
        # aiosmtpd keeps a connection open that ends before its conversation begins.
        super().eof_received()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self._reception.connections.discard(self)
        super().connection_lost(error)

    @property
    def _reception(self) -> Reception:
        handler = self.event_handler
        assert isinstance(handler, Reception)
        return handler

    async def _handle_client(self) -> None:
        guard = self._reception.guard
        assert self.session is not None
        client = client_of(self.session)
        refusal = guard.connects(client)
        if refusal is not None:
            await self.push(refusal)
            assert self.transport is not None
            self.transport.close()
            return
        try:
            await super()._handle_client()
        finally:
            guard.leaves(client)

    def _timeout_cb(self) -> None:
        self._writer.write(IDLE)
        super()._timeout_cb()  # type: ignore[no-untyped-call]


class GuardedLmtp(GuardedSmtp, LMTP):
    """The same by LMTP."""


def client_of(session: Session) -> str | None:
    """The IP address of a client; None for one at a Unix socket."""
    return str(session.peer[0]) if isinstance(session.peer, tuple) else None
