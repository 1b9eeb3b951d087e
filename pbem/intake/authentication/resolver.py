"""Looking up TXT records, in a bounded time."""

import threading
import time
from collections.abc import Callable
from typing import Protocol

import dns.exception
import dns.rdatatype
import dns.resolver
from dns.rdtypes.ANY.TXT import TXT

QUERY_SECONDS = 3.0
MAIL_SECONDS = 6.0
"""How long one question, and all questions about one mail, may take."""
MOST_QUESTIONS = 10
CACHE_SIZE = 2000


class LookupFailed(Exception):
    """There is no answer now (RFC 8601: temperror); asked later there may be one."""


class Resolver(Protocol):
    """Where TXT records come from; a dict in tests, the DNS otherwise."""

    def txt(self, name: str, timeout: float) -> tuple[bytes, ...]:
        """The TXT records of a name, the pieces of each joined; none where there are none.
        Raises `LookupFailed` when that cannot be told within `timeout` seconds."""


class DnsResolver:
    """Asks the name servers of this machine, and remembers what they said."""

    def __init__(self) -> None:
        self._resolver: dns.resolver.Resolver | None = None
        self._lock = threading.Lock()

    def txt(self, name: str, timeout: float) -> tuple[bytes, ...]:
        try:
            answer = self._asked().resolve(
                name, dns.rdatatype.TXT, lifetime=timeout, raise_on_no_answer=False
            )
        except dns.resolver.NXDOMAIN:
            return ()
        except (dns.exception.DNSException, OSError, ValueError) as error:
            raise LookupFailed(f"{name}: {error}") from None
        rows = answer.rrset or ()
        return tuple(b"".join(row.strings) for row in rows if isinstance(row, TXT))

    def _asked(self) -> dns.resolver.Resolver:
        """Made at the first question: a server that asks none needs no resolv.conf."""
        with self._lock:
            if self._resolver is None:
                resolver = dns.resolver.Resolver()
                resolver.cache = dns.resolver.LRUCache(CACHE_SIZE)
                self._resolver = resolver
            return self._resolver


class Budget:
    """A resolver for one mail: no more questions, and no more time, than are allowed.
    ``failed`` tells whether an answer was missing."""

    def __init__(
        self,
        resolver: Resolver,
        seconds: float = MAIL_SECONDS,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._resolver = resolver
        self._timer = timer
        self._end = timer() + seconds
        self._questions = 0
        self.failed = False

    def txt(self, name: str) -> tuple[bytes, ...]:
        """As `Resolver.txt`."""
        left = self._end - self._timer()
        self._questions += 1
        try:
            if left <= 0 or self._questions > MOST_QUESTIONS:
                raise LookupFailed(f"{name}: no time left for it")
            return self._resolver.txt(name, min(left, QUERY_SECONDS))
        except LookupFailed:
            self.failed = True
            raise
