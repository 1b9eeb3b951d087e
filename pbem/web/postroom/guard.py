"""The post room opens on this machine only, whatever the web server listens on."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Response, request

from pbem.settings import LOOPBACK
from pbem.web.errors import error_page


def refuse_strangers() -> Response | None:
    """403 for a request that did not come from this machine, or that names another host
    (a page elsewhere may have its name point here)."""
    if _is_loopback(request.remote_addr or "") and _is_loopback(_host_name(request.host)):
        return None
    return error_page(
        403,
        "The post room opens on its own machine only",
        "It shows every mail of the installation. Open it there, under 127.0.0.1 or localhost.",
    )


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
