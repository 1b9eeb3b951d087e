"""A connection to the relay: greeting, TLS, login, and an end to every wait."""

import smtplib
import socket
import ssl
import time
from pathlib import Path
from typing import Any

from pbem.settings import Post, SettingsError

MOST_LINES = 200  # of one reply; more is no mail server


class RelayGoneError(Exception):
    """The relay cannot be used now, or was gone before it heard of a mail; the text is
    one line for the operator."""


class _Lines:
    """The lines of a socket, each reply within `seconds` in all: a server that sends a byte
    now and then would keep a time-out a read from ever running out."""

    def __init__(self, sock: socket.socket, seconds: float) -> None:
        self._sock, self._seconds = sock, seconds
        self._buffer = b""
        self.begin_reply()

    def begin_reply(self) -> None:
        self._until = time.monotonic() + self._seconds
        self._lines = 0

    def readline(self, most: int) -> bytes:
        """One line with its end, or the first `most` bytes of a longer one; empty at the end."""
        self._lines += 1
        if self._lines > MOST_LINES:
            raise OSError("the reply has no end")
        while b"\n" not in self._buffer and len(self._buffer) < most:
            left = self._until - time.monotonic()
            if left <= 0:
                raise TimeoutError("timed out")
            self._sock.settimeout(left)
            more = self._sock.recv(65536)
            if not more:
                break
            self._buffer += more
        end = self._buffer.find(b"\n") + 1 or len(self._buffer)
        line, self._buffer = self._buffer[: min(end, most)], self._buffer[min(end, most) :]
        self._sock.settimeout(self._seconds)
        return line

    def close(self) -> None:
        """The socket is the connection's to close."""


class _Bounded:
    """What both kinds of connection do otherwise than the library's."""

    file: Any
    sock: Any
    timeout: float

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None:
            self.file = _Lines(self.sock, self.timeout)
        self.file.begin_reply()
        reply: tuple[int, bytes] = super().getreply()  # type: ignore[misc]
        return reply


class _Plain(_Bounded, smtplib.SMTP):
    pass


class _Encrypted(_Bounded, smtplib.SMTP_SSL):
    pass


def connect(post: Post, our_name: str, tls: ssl.SSLContext | None) -> smtplib.SMTP:
    """Connection, greeting, TLS and login; `RelayGoneError` for anything that goes wrong
    on the way: it says nothing about a mail."""
    where = f"relay {post.host}:{post.port}"
    if tls is None and post.security != "none":
        tls = tls_context(post.security, post.verify)
    try:
        return _connected(post, our_name, tls, encrypt=True)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        # Opportunistic TLS that fails is as good as none (RFC 7435); but not for a password.
        if post.security != "opportunistic" or post.user or not isinstance(error, ssl.SSLError):
            raise RelayGoneError(f"{where}: {said(error)}") from None
    try:
        return _connected(post, our_name, tls, encrypt=False)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        raise RelayGoneError(f"{where}: {said(error)}") from None


def tls_context(security: str, verify: bool, authorities: Path | None = None) -> ssl.SSLContext:
    """How certificates are checked; `SettingsError` when the file of authorities cannot
    be read."""
    try:
        context = ssl.create_default_context(cafile=authorities)
    except OSError as error:  # an SSLError is one
        raise SettingsError(
            f"setting post.authorities: {authorities} cannot be used: {said(error)}"
        ) from None
    if security == "opportunistic" or not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _connected(
    post: Post, our_name: str, tls: ssl.SSLContext | None, *, encrypt: bool
) -> smtplib.SMTP:
    connection: smtplib.SMTP | None = None
    try:
        if post.security == "tls":
            connection = _Encrypted(
                post.host, post.port, our_name, timeout=post.timeout, context=tls
            )
        else:
            connection = _Plain(post.host, post.port, our_name, timeout=post.timeout)
        if connection.sock is not None:
            # The final dot is a packet of its own and must not wait for the mail's ACK.
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.ehlo_or_helo_if_needed()
        if tls is not None and encrypt and _encrypts_now(post, connection):
            _start_tls(post, connection, tls)
        if post.user:
            connection.login(post.user, post.password)
    except BaseException:
        if connection is not None:
            connection.close()
        raise
    return connection


def _encrypts_now(post: Post, connection: smtplib.SMTP) -> bool:
    if post.security == "opportunistic":
        return bool(connection.has_extn("starttls"))
    return post.security == "starttls"


def _start_tls(post: Post, connection: smtplib.SMTP, tls: ssl.SSLContext) -> None:
    try:
        connection.starttls(context=tls)
    except (smtplib.SMTPResponseException, smtplib.SMTPNotSupportedError):
        if post.security != "opportunistic" or post.user:
            raise  # "not now" is no licence to send what was to be encrypted
        return
    connection.ehlo()


def answer(code: int, reply: bytes) -> str:
    """A server's answer, in one line; its enhanced status (RFC 3463) is part of it."""
    text = " ".join(reply.decode("ascii", "replace").split())[:200]
    return f"{code} {text}".strip() if code != -1 else f"no SMTP answer: {text!r}"


def said(error: Exception) -> str:
    """The error in one line, without our login in it."""
    if isinstance(error, smtplib.SMTPResponseException):
        reply = error.smtp_error
        return answer(error.smtp_code, reply if isinstance(reply, bytes) else reply.encode())
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}".rstrip(": ")
