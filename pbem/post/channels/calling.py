"""One call of a webhook: a POST of JSON, signed, to an address that was checked.

X-Ark-Timestamp: seconds since 1970
X-Ark-Signature: hexadecimal HMAC-SHA-256, under the hook's secret, of the time stamp,
                 a line end, and the body
"""

import hashlib
import hmac
import http.client
import socket
import ssl
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pbem.post.channels.guard import Destination, Lookup, RefusedError, addresses, target
from pbem.settings import Channels

MOST_ANSWER = 4096  # bytes of an answer that are read at all


@dataclass(frozen=True)
class Reply:
    """How a call ended: ``done``, ``retry``, or ``gone`` (it is never to be called again)."""

    state: str
    detail: str = ""


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What `X-Ark-Signature` must say."""
    signed = timestamp.encode() + b"\n" + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def call(
    channels: Channels,
    url: str,
    secret: str,
    timestamp: str,
    body: bytes,
    *,
    lookup: Lookup | None = None,
    tls: ssl.SSLContext | None = None,
) -> Reply:
    """Call a webhook once.  Never raises; never follows a redirection."""
    try:
        where = target(url, channels.ports)
        found = addresses(where.host, channels.networks, lookup)
    except RefusedError as error:
        return Reply("retry", f"not called: the address {error}")
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "ark-by-mail",
        "X-Ark-Timestamp": timestamp,
        "X-Ark-Signature": signature(secret, timestamp, body),
        "Connection": "close",
    }
    connection = _Pinned(where, [str(one) for one in found], channels.timeout, tls)
    end = threading.Timer(channels.timeout, connection.cut)
    end.daemon = True
    end.start()
    try:
        connection.request("POST", where.path, body, headers)
        answer = connection.getresponse()
        answer.read(MOST_ANSWER)
        return _judged(answer.status)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Reply("retry", f"{type(error).__name__}: {' '.join(str(error).split())[:150]}")
    finally:
        end.cancel()
        connection.close()


def _judged(status: int) -> Reply:
    if 200 <= status < 300:
        return Reply("done", str(status))
    if status == http.client.GONE:
        return Reply("gone", "it answered 410: gone")
    return Reply("retry", f"it answered {status}")


class _Pinned(http.client.HTTPConnection):
    """A connection to one of the addresses that were checked, under the name that was asked
    for: no second look-up, no way round the check."""

    def __init__(
        self, where: Destination, found: Sequence[str], timeout: float, tls: ssl.SSLContext | None
    ) -> None:
        super().__init__(where.host, where.port, timeout=timeout)
        self.default_port = 443 if where.secure else 80
        self._where, self._found, self._tls = where, found, tls

    def connect(self) -> None:
        trouble: OSError | None = None
        for one in self._found:
            try:
                self.sock = socket.create_connection((one, self.port), self.timeout)
                break
            except OSError as error:
                trouble = error
        else:
            raise trouble or OSError("no address")
        if self._where.secure:
            tls = self._tls or ssl.create_default_context()
            self.sock = tls.wrap_socket(self.sock, server_hostname=self._where.host)

    def cut(self) -> None:
        """End whatever is under way: the time is over."""
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)
