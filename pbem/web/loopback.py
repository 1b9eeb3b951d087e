"""Who asks from the machine the server runs on."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import request

from pbem.settings import LOOPBACK


def asks_from_here() -> bool:
    """Did the request come from this machine, and name it?  A page elsewhere may have its
    name point here, and a web server in front hands on what strangers ask: both say the
    host that was asked for."""
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
