"""Mail coming in by SMTP and LMTP, as the settings say.

A mail is answered with 250 only when it is committed to the inbox.  Trouble of our own
is always a 451 without detail, so that the sender keeps the mail and tries again; what
can never be taken (unknown recipient, too large) is refused for good at once.
"""

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP

from pbem.installation import Installation
from pbem.intake.deposit import Deposit
from pbem.intake.guard import Guard
from pbem.intake.listening import ListenError, tcp_socket, unix_socket
from pbem.intake.reception import GuardedLmtp, GuardedSmtp, Reception
from pbem.intake.tls import Certificate

__all__ = ["ListenError", "SmtpServer"]

LONGEST = 60.0  # seconds until a socket is opened or closed: much more than it takes


@dataclass(frozen=True)
class _Listener:
    """A socket, and how its connections are spoken with."""

    socket: socket.socket
    factory: Callable[[], SMTP]
    path: Path | None = None  # of a Unix socket


class SmtpServer:
    """Listens in a thread of its own, from `start` to `stop`: for SMTP, for LMTP, for both
    or for neither."""

    def __init__(
        self, installation: Installation, on_mail: Callable[[], None] = lambda: None
    ) -> None:
        """`on_mail` is called (in any thread) after mails were stored.  `SettingsError`
        when the certificate cannot be used."""
        settings = installation.settings
        self._settings = settings
        self._deposit = Deposit(installation.store, installation.clock, on_mail)
        guard = Guard(settings.limits, time.monotonic)
        self._smtp = Reception(installation, self._deposit, guard, "smtp")
        self._lmtp = Reception(installation, self._deposit, guard, "lmtp")
        self._certificate = Certificate(settings) if settings.starttls.certificate else None
        # No line is too long as long as the mail is not: some programs write whole
        # paragraphs, or base64, in one line.
        longest = settings.mail.max_line or settings.mail.max_bytes + 1024
        limit = {"line_length_limit": longest}  # aiosmtpd has it as an attribute of the class
        self._smtp_protocol: type[SMTP] = type("Smtp", (GuardedSmtp,), limit)
        self._lmtp_protocol: type[SMTP] = type("Lmtp", (GuardedLmtp,), limit)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._listeners: list[_Listener] = []
        self._servers: list[asyncio.AbstractServer] = []
        self.port = settings.mail.port
        """The port of SMTP, and below of LMTP, once started (the settings may say 0)."""
        self.lmtp_port = settings.lmtp.port

    def addresses(self) -> list[str]:
        """Where it listens, a line each."""
        mail, lmtp = self._settings.mail, self._settings.lmtp
        lines = [f"SMTP: {mail.host}:{self.port}"] if mail.smtp else []
        if lmtp.enabled:
            where = lmtp.socket and str(self._settings.path(lmtp.socket))
            lines.append(f"LMTP: {where or f'{lmtp.host}:{self.lmtp_port}'}")
        return lines

    def start(self) -> None:
        """Listen; `ListenError` when an address is taken or is not this machine's."""
        try:
            self._take_addresses()
        except ListenError:
            self._leave_addresses()
            raise
        self._deposit.start()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="smtp", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._serve(), self._loop).result(LONGEST)

    def stop(self) -> None:
        """Stop listening; what was stored stays, what was not is sent again."""
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(LONGEST)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LONGEST)
        self._loop.close()
        self._leave_addresses()
        self._deposit.stop()
        self._smtp.close()
        self._lmtp.close()
        self._loop = None

    def _take_addresses(self) -> None:
        mail, lmtp = self._settings.mail, self._settings.lmtp
        if mail.smtp:
            listener = tcp_socket(mail.host, mail.port, "mail.port")
            self.port = listener.getsockname()[1]
            self._listeners.append(_Listener(listener, self._smtp_session))
        if lmtp.enabled and lmtp.socket:
            path = self._settings.path(lmtp.socket)
            listener = unix_socket(path, int(lmtp.mode, 8), lmtp.group)
            self._listeners.append(_Listener(listener, self._lmtp_session, path))
        elif lmtp.enabled:
            listener = tcp_socket(lmtp.host, lmtp.port, "lmtp.port")
            self.lmtp_port = listener.getsockname()[1]
            self._listeners.append(_Listener(listener, self._lmtp_session))

    def _leave_addresses(self) -> None:
        for listener in self._listeners:
            listener.socket.close()
            if listener.path is not None:
                listener.path.unlink(missing_ok=True)
        self._listeners.clear()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        for listener in self._listeners:
            create = loop.create_server if listener.path is None else loop.create_unix_server
            self._servers.append(await create(listener.factory, sock=listener.socket))

    async def _close(self) -> None:
        # asyncio leaks a connection that was let in and not yet attached to its server when
        # that is closed: first let nobody in, then wait a round.
        for listener in self._listeners:
            asyncio.get_running_loop().remove_reader(listener.socket)
        await asyncio.sleep(0)
        for server in self._servers:
            server.close()
        self._servers.clear()
        while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for reception in (self._smtp, self._lmtp):
            reception.hang_up()
        await asyncio.sleep(0)  # a closed connection's socket is let go one round later

    def _smtp_session(self) -> SMTP:
        certificate = self._certificate
        return self._smtp_protocol(
            self._smtp,
            tls_context=None if certificate is None else certificate.context(),
            require_starttls=self._settings.starttls.required,
            **self._common(),
        )

    def _lmtp_session(self) -> SMTP:
        return self._lmtp_protocol(self._lmtp, **self._common())

    def _common(self) -> dict[str, Any]:
        settings = self._settings
        return {
            "data_size_limit": settings.mail.max_bytes,
            "enable_SMTPUTF8": True,
            "hostname": settings.mail.domain,
            "ident": "Ark by mail",
            "timeout": settings.limits.idle_seconds,
            "auth_exclude_mechanism": ("LOGIN", "PLAIN"),  # nobody has a password here
            "loop": self._loop,
        }
