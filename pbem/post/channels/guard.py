"""Where a webhook may lead: nowhere but to public addresses of the internet.

The name is looked up once, every address it has is checked, and the connection goes to
one of exactly these: a name that answers differently the next time gains nothing.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Lookup = Callable[[str], Iterable[str]]
"""All addresses of a host name; OSError when there is none."""

LONGEST = 500  # characters of a URL
_CARRIERS = tuple(
    ipaddress.ip_network(one)
    for one in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")
)
"""IPv6 networks whose addresses hold an IPv4 address that a gateway would take us to."""


class RefusedError(ValueError):
    """A URL that is not called; the text says why, to whoever gave it."""


@dataclass(frozen=True)
class Destination:
    """Where a URL leads, taken apart and checked."""

    secure: bool
    host: str
    port: int
    path: str  # with its query


def target(url: str, ports: Sequence[int]) -> Destination:
    """A URL as far as it can be judged without a look-up."""
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        raise RefusedError(f"must be at most {LONGEST} plain characters")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise RefusedError("is no web address") from None
    if parts.scheme not in ("http", "https") or not host:
        raise RefusedError("must begin with https:// (or http://)")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise RefusedError("must hold no user name, password or fragment")
    secure = parts.scheme == "https"
    port = port or (443 if secure else 80)
    if port not in ports:
        raise RefusedError(f"must lead to one of the ports {', '.join(map(str, ports))}")
    query = f"?{parts.query}" if parts.query else ""
    return Destination(secure, host, port, (parts.path or "/") + query)


def addresses(host: str, networks: Sequence[str], lookup: Lookup | None = None) -> list[Address]:
    """The addresses of a host, if all of them may be called; those of `networks` may be."""
    allowed = [ipaddress.ip_network(one) for one in networks]
    try:
        found = [ipaddress.ip_address(one.partition("%")[0]) for one in (lookup or _lookup)(host)]
    except (OSError, UnicodeError):
        raise RefusedError("leads to a name that has no address") from None
    if not found:
        raise RefusedError("leads to a name that has no address")
    if not all(may_be_called(one, allowed) for one in found):
        raise RefusedError("leads to an address that is not public")
    return found


def may_be_called(address: Address, allowed: Sequence[Network] = ()) -> bool:
    """Whether an address is public (RFC 6890) or in one of the networks `allowed`."""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return may_be_called(address.ipv4_mapped, allowed)
    if any(address.version == one.version and address in one for one in allowed):
        return True
    if isinstance(address, ipaddress.IPv6Address) and (
        address.is_site_local or any(address in carrier for carrier in _CARRIERS)
    ):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _lookup(host: str) -> list[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]) for one in found))
