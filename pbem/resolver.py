"""Looking up TXT records."""

import threading
from typing import Protocol

import dns.exception
import dns.rdatatype
import dns.resolver
from dns.rdtypes.ANY.TXT import TXT

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
