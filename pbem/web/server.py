"""The embedded web server: Waitress, in a thread of the run command."""

import errno
import socket
import threading
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server

from pbem.intake.guard import client_at, unmapped
from pbem.settings import Web

LOOP_SECONDS = 1.0  # the longest the loop sleeps when nobody asks for anything
CONNECTIONS = 500  # at once; a process may have twice as many files open, as a rule
A_CLIENT = 100  # of them: five strangers together do not shut all others out
OWN = frozenset({ip_network("127.0.0.0/8"), ip_network("::1/128")})
"""Where a web server in front asks from that nobody has named in the settings."""
IDLE_SECONDS = 30  # then a connection on which nothing comes makes room for others


class WebSocket:
    """The web address, taken (`OSError` with one clear line when it is in use) before
    anything else starts, and before its port is known to anybody."""

    def __init__(self, web: Web) -> None:
        family = socket.AF_INET6 if ":" in web.host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        try:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.socket.bind((web.host, web.port))
            self.socket.listen()  # a socket that is only bound can be taken by another server
        except OSError as error:
            self.socket.close()
            raise OSError(_explained(error, web)) from None

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])

    def close(self) -> None:
        self.socket.close()


class WebServer:
    """Serves an application at an address that has been taken."""

    def __init__(self, app: Flask, web: Web, taken: WebSocket) -> None:
        self._sockets: dict[int, Any] = {}
        self._stopping = threading.Event()
        self._server: Any = create_server(
            app,
            map=self._sockets,
            sockets=[taken.socket],
            threads=web.threads,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_SECONDS,
            cleanup_interval=IDLE_SECONDS // 3,
            ident=None,  # what runs here is nobody's business
            clear_untrusted_proxy_headers=False,  # they tell that a request was handed on
            **_believed(web),
        )
        self._proxy = web.proxy
        self._server.channel_class = self._connected  # what Waitress makes of a connection
        self._thread = threading.Thread(target=self._serve, name="ark-web")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Take no more requests, let those under way finish, and end the thread."""
        self._stopping.set()
        if self._thread.is_alive():
            with suppress(OSError):  # the loop may just have woken, and closed, by itself
                self._server.pull_trigger()
            self._thread.join()
        else:
            self._close()

    def _connected(
        self, server: Any, connection: socket.socket, address: Any, *settings: Any, **more: Any
    ) -> None:
        """Serve a connection, unless whoever opens it has enough of them: he waits for those
        to end, others do not wait for him."""
        host = str(unmapped(str(address[0])))
        if self._has_enough(host, server.active_channels.values()):
            connection.close()
        else:
            HTTPChannel(server, connection, (host, address[1]), *settings, **more)

    def _has_enough(self, address: str, channels: Collection[Any]) -> bool:
        """Whether a client has all connections that one may have; one that asks for all others
        has never."""
        if len(channels) < A_CLIENT or address == self._proxy:
            return False
        if any(ip_address(address) in network for network in OWN):
            return False
        client = _client_at(address)
        return sum(_client_at(str(one.addr[0])) == client for one in channels) >= A_CLIENT

    def _serve(self) -> None:
        # Waitress's own `run` has no way to be ended from another thread.
        while not self._stopping.is_set():
            wasyncore.loop(LOOP_SECONDS, use_poll=True, map=self._sockets, count=1)
        self._close()

    def _close(self) -> None:
        self._server.task_dispatcher.shutdown()
        wasyncore.close_all(self._sockets)


_client_at = lru_cache(CONNECTIONS)(client_at)


def _believed(web: Web) -> dict[str, Any]:
    """Whose word is taken for who asks: strangers are told apart by their addresses, and
    behind a web server in front all would have the same."""
    if not web.proxy:
        return {}
    return {"trusted_proxy": web.proxy, "trusted_proxy_headers": {"x-forwarded-for"}}


def _explained(error: OSError, web: Web) -> str:
    where = f"{web.host}:{web.port}"
    if error.errno == errno.EADDRINUSE:
        return (
            f"the web address {where} is in use; stop what listens there, "
            "or set another web.port (ARK_WEB__PORT)"
        )
    return f"the web address {where} cannot be used: {error.strerror or error}"
