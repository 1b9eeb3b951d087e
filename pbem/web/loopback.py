"""Who asks from the machine the server runs on."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import request

from pbem.settings import LOOPBACK

HANDED_ON = frozenset({
    "Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
    "X-Forwarded-Server", "X-Real-IP",
})  # fmt: skip
"""What web servers in front say of themselves; nobody on this machine does."""


def asks_from_here() -> bool:
    """Did the request come from this machine, and name it?  A page elsewhere may have its
    name point here, and a web server in front hands on what strangers ask: both say the
    host that was asked for.  But a stranger may ask for `localhost`, too, and some servers put
    our own address there: so whatever was handed on is a stranger's."""
    if any(name in request.headers for name in HANDED_ON):
        return False
    return _is_loopback(request.remote_addr or "") and _is_loopback(_host_name(request.host))


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(name: str) -> bool:
    if name in LOOPBACK:
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
