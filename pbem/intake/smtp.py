"""Mail coming in by SMTP (RFC 5321) or LMTP (RFC 2033).

A mail is answered with 250 only when it is committed to the inbox.  Trouble of our own
is always a 451 without detail, so that the sender keeps the mail and tries again; what
can never be taken (unknown recipient, too large) is refused for good at once.
"""

import asyncio
import errno
import logging
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.installation import Installation
from pbem.intake.arrival import Arrival
from pbem.intake.deposit import Deposit
from pbem.intake.recipients import recipient
from pbem.settings import Settings

log = logging.getLogger(__name__)

OUR_TROUBLE = "451 4.3.0 Not now; please try again later"
UNKNOWN = "550 5.1.1 No such address here"
TOO_MANY = "452 4.5.3 Too many recipients; send the mail again to the others"
TAKEN = "250 2.0.0 Taken"


class ListenError(OSError):
    """The address cannot be listened on; the text is one line for the operator."""


class Reception:
    """aiosmtpd's handler: who is known here, and storing before answering."""

    def __init__(self, installation: Installation, deposit: Deposit, channel: str) -> None:
        self._installation = installation
        self._deposit = deposit
        self._channel = channel
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="recipients")

    def close(self) -> None:
        self._pool.shutdown()

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= self._installation.settings.mail.max_recipients:
            return TOO_MANY
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(self._pool, self._is_known, address):
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

    def _is_known(self, address: str) -> bool:
        installation = self._installation
        with installation.store.read() as session:
            found = recipient(session, installation.settings, installation.keys, address)
            return found is not None


class SmtpServer:
    """Listens in a thread of its own, from `start` to `stop`."""

    def __init__(
        self,
        installation: Installation,
        on_mail: Callable[[], None] = lambda: None,
        protocol: type[SMTP] = SMTP,
    ) -> None:
        """`on_mail` is called (in any thread) after mails were stored; `protocol` is
        `SMTP` or `LMTP`."""
        settings = installation.settings
        self._settings = settings
        self._deposit = Deposit(installation.store, installation.clock, on_mail)
        channel = "lmtp" if issubclass(protocol, LMTP) else "smtp"
        self._reception = Reception(installation, self._deposit, channel)
        self._protocol: type[SMTP] = type(
            "Protocol", (protocol,), {"line_length_limit": _longest(settings)}
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.AbstractServer | None = None
        self._port = settings.mail.port

    @property
    def port(self) -> int:
        """The port that is listened on (the setting may be 0: any free one)."""
        return self._port

    def start(self) -> None:
        """Listen; `ListenError` when the address is taken or is not this machine's."""
        listener = listening_socket(self._settings.mail.host, self._settings.mail.port)
        self._port = listener.getsockname()[1]
        self._deposit.start()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="smtp", daemon=True)
        self._thread.start()
        serving = self._loop.create_server(self._session, sock=listener)
        self._server = asyncio.run_coroutine_threadsafe(serving, self._loop).result(10)

    def stop(self) -> None:
        """Stop listening; what was stored stays, what was not is sent again."""
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        self._deposit.stop()
        self._reception.close()
        self._loop = None

    async def _close(self) -> None:
        assert self._server is not None
        self._server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _session(self) -> SMTP:
        return self._protocol(
            self._reception,
            data_size_limit=self._settings.mail.max_bytes,
            enable_SMTPUTF8=True,
            hostname=self._settings.mail.domain,
            ident="Ark by mail",
            loop=self._loop,
        )


def listening_socket(host: str, port: int) -> socket.socket:
    """A bound TCP socket; `ListenError` says in one line why there is none."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ListenError(f"cannot listen for mail on {host}:{port}: {error.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(100)  # so that the port is ours from here on
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ListenError(
                f"port {port} on {host} is in use: stop the other server, "
                f"or choose another port (setting mail.port)"
            ) from None
        raise ListenError(f"cannot listen for mail on {host}:{port}: {error.strerror}") from None
    return listener


def _longest(settings: Settings) -> int:
    """No line is too long as long as the mail is not: some programs write whole
    paragraphs, or base64, in one line."""
    return settings.mail.max_bytes + 1024
