"""Handing one mail to the relay, phase by phase, and knowing how it ended.

Only the server's 250 after the final dot means sent.  Up to the final dot nothing has
happened and the mail may be tried again; between the dot and the answer nobody knows
(`unknown`): the mail is sent again later under the same Message-ID.
"""

import re
import smtplib
import ssl
from dataclasses import dataclass

from pbem.post.connecting import RelayGoneError, answer, connect, said
from pbem.settings import Post

_LINE_END = re.compile(rb"\r\n|\r|\n")
_OURS_TO_MEND = frozenset({530, 534, 535, 538})  # the relay wants another login, not another mail


@dataclass(frozen=True)
class SmtpOutcome:
    """How an attempt ended.  ``state``: sent, retry, failed or unknown (of `Letter`).

    ``relay_down``: nothing was wrong with the mail; no other one would get through now.
    ``phase``: where it was refused (MAIL, RCPT, DATA, end); "" when it was not."""

    state: str
    detail: str = ""
    relay_down: bool = False
    phase: str = ""


class Relay:
    """A connection to the relay, opened at the first mail and used for many."""

    def __init__(self, post: Post, our_name: str, tls: ssl.SSLContext | None = None) -> None:
        self._post = post
        self._our_name = our_name
        self._tls = tls
        self._connection: smtplib.SMTP | None = None
        self._sent = 0  # over this connection

    def send(self, sender: str, recipient: str, message: bytes) -> SmtpOutcome:
        """Hand over one mail with one recipient.  Never raises."""
        try:
            recipient = _ascii_address(recipient)
        except UnicodeError:
            return SmtpOutcome("failed", f"{recipient!r} cannot be written in ASCII", phase="RCPT")
        if self._sent >= self._post.per_connection:
            self.close()
        reused = self._connection is not None
        try:
            return self._deliver(self._connected(), sender, recipient, message)
        except RelayGoneError as error:
            self._drop()
            if not reused:
                return SmtpOutcome("retry", str(error), relay_down=True)
        # The relay closed the idle connection before it heard of this mail.
        try:
            return self._deliver(self._connected(), sender, recipient, message)
        except RelayGoneError as error:
            self._drop()
            return SmtpOutcome("retry", str(error), relay_down=True)

    def close(self) -> None:
        """Say goodbye; whatever goes wrong with that is of no interest."""
        if self._connection is not None:
            try:
                self._connection.quit()
            except (OSError, smtplib.SMTPException):
                self._connection.close()
            self._connection = None

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> smtplib.SMTP:
        if self._connection is None:
            self._connection = connect(self._post, self._our_name, self._tls)
            self._sent = 0
        return self._connection

    def _deliver(
        self, connection: smtplib.SMTP, sender: str, recipient: str, message: bytes
    ) -> SmtpOutcome:
        self._sent += 1
        try:
            code, reply = connection.mail(sender)
        except (OSError, smtplib.SMTPException) as error:
            raise RelayGoneError(f"MAIL: {said(error)}") from None
        if code == 421:
            raise RelayGoneError(f"MAIL: {answer(code, reply)}")
        if code // 100 != 2:
            return self._refused("MAIL", code, reply)
        try:
            code, reply = connection.rcpt(recipient)
            if code // 100 != 2:
                return self._refused("RCPT", code, reply)
            code, reply = connection.docmd("DATA")
            if code != 354:
                return self._refused("DATA", code, reply)
            connection.send(dotted(message))
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            return SmtpOutcome("retry", f"before the end of the mail: {said(error)}")
        return self._finish(connection)

    def _finish(self, connection: smtplib.SMTP) -> SmtpOutcome:
        """The final dot, and the one answer that counts."""
        try:
            connection.send(b".\r\n")
            code, reply = connection.getreply()
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            return SmtpOutcome("unknown", f"after the end of the mail: {said(error)}")
        if code // 100 == 2:
            return SmtpOutcome("sent", answer(code, reply))
        if not 400 <= code <= 599:
            self._drop()
            return SmtpOutcome("unknown", f"after the end of the mail: {answer(code, reply)}")
        return self._refused("end of the mail", code, reply)

    def _refused(self, phase: str, code: int, reply: bytes) -> SmtpOutcome:
        """A refusal of this mail: for now, or for good."""
        detail = f"{phase}: {answer(code, reply)}"
        lost = code == 421 or not 400 <= code <= 599
        try:
            if lost or self._connection is None or self._connection.rset()[0] != 250:
                self._drop()
        except (OSError, smtplib.SMTPException):
            self._drop()
        if code in _OURS_TO_MEND:
            return SmtpOutcome("retry", detail, relay_down=True, phase=phase)
        return SmtpOutcome("failed" if 500 <= code <= 599 else "retry", detail, phase=phase)


def _ascii_address(address: str) -> str:
    """The address with its domain in IDNA; `UnicodeError` where that does not do."""
    local, _, domain = address.rpartition("@")
    if not domain.isascii():
        domain = domain.encode("idna").decode("ascii")
    local.encode("ascii")
    return f"{local}@{domain}"


def dotted(message: bytes) -> bytes:
    """The message for DATA: CRLF at every line's end, dots doubled, no final dot."""
    lines = message
    if not lines.count(b"\r\n") == lines.count(b"\r") == lines.count(b"\n"):
        lines = _LINE_END.sub(b"\r\n", lines)
    if not lines.endswith(b"\r\n"):
        lines += b"\r\n"
    lines = lines.replace(b"\r\n.", b"\r\n..")
    return b"." + lines if lines.startswith(b".") else lines
