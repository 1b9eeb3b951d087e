"""What one client may take up: connections at once, connections and mails a minute.

Every refusal is for now, never for good (RFC 5321 4.2.1): a mail server that is told 421
or 450 keeps the mail and tries again."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from pbem.settings import Limits

FULL = "421 4.3.2 Too many connections; please try again later"
TOO_BROAD = "421 4.7.0 Too many connections from you at once; please end one first"
TOO_OFTEN = "421 4.7.0 Too many connections from you; please wait a minute"
TOO_MUCH = "450 4.7.1 Too many mails from you; please wait a minute"

MINUTE = 60.0
MOST_CLIENTS = 10_000  # counted at once; beyond it those of past minutes are forgotten


Client = IPv4Address | IPv6Network


@dataclass
class _Count:
    """What a client has done since ``since``."""

    since: float
    connections: int = 0
    mails: int = 0


def client_at(address: str) -> Client:
    """Whoever connects from an IP address: of IPv6 the network of 64 bits, which is one
    customer's."""
    found = unmapped(address)
    return IPv6Network((found, 64), strict=False) if isinstance(found, IPv6Address) else found


def unmapped(client: str) -> IPv4Address | IPv6Address:
    """The IP address of a client; one of IPv4 that comes through a socket of IPv6 is itself."""
    address = ip_address(client.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


class Guard:
    """Counts clients.  `time` gives seconds of any steady clock.

    A client is an IP address (`client_at`), or None for a Unix socket, whose mode is its own
    guard."""

    def __init__(self, limits: Limits, time: Callable[[], float]) -> None:
        self._limits = limits
        self._time = time
        self._trusted = [ip_network(one) for one in limits.trusted]
        self._open = 0
        self._open_of: Counter[Client] = Counter()
        self._counts: dict[Client, _Count] = {}

    def connects(self, client: str | None) -> str | None:
        """Let a client in (None; `leaves` must follow), or the answer that refuses him."""
        if self._open >= self._limits.connections:
            return FULL
        if (key := self._key_of(client)) is not None:
            # Before the minute's count: who waits for his own connections to end tries often.
            if self._open_of[key] >= self._limits.connections_per_client:
                return TOO_BROAD
            count = self._count_of(key)
            if count.connections >= self._limits.connections_per_minute:
                return TOO_OFTEN
            count.connections += 1
            self._open_of[key] += 1
        self._open += 1
        return None

    def leaves(self, client: str | None) -> None:
        """One that was let in has gone."""
        self._open -= 1
        if (key := self._key_of(client)) is not None:
            self._open_of[key] -= 1
            if self._open_of[key] <= 0:
                del self._open_of[key]

    def sends(self, client: str | None) -> str | None:
        """A client begins a mail: None, or the answer that refuses it."""
        if (key := self._key_of(client)) is not None:
            count = self._count_of(key)
            if count.mails >= self._limits.mails_per_minute:
                return TOO_MUCH
            count.mails += 1
        return None

    def _key_of(self, client: str | None) -> Client | None:
        """What a client is counted under; None for one that is trusted."""
        if client is None:
            return None
        address = unmapped(client)
        if any(address in network for network in self._trusted):
            return None
        return client_at(client)

    def _count_of(self, key: Client) -> _Count:
        """This minute's count of a client."""
        now = self._time()
        count = self._counts.get(key)
        if count is None or now - count.since >= MINUTE:
            if len(self._counts) >= MOST_CLIENTS:
                self._forget(now)
            count = self._counts[key] = _Count(now)
        return count

    def _forget(self, now: float) -> None:
        current = {key: one for key, one in self._counts.items() if now - one.since < MINUTE}
        self._counts = current if len(current) < MOST_CLIENTS else {}
