"""The post room opens on this machine only, whatever the web server listens on."""

from flask import Response

from pbem.web.errors import error_page
from pbem.web.loopback import asks_from_here


def refuse_strangers() -> Response | None:
    """403 for a request that did not come from this machine."""
    if asks_from_here():
        return None
    return error_page(
        403,
        "The post room opens on its own machine only",
        "It shows every mail of the installation. Open it there, under 127.0.0.1 or localhost.",
    )
