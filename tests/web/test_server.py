"""The embedded web server."""

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.request import Request, urlopen

import pytest
from flask import Flask, request

from pbem.settings import Web
from pbem.web import server
from pbem.web.loopback import HANDED_ON, asks_from_here
from pbem.web.server import WebServer, WebSocket


@pytest.fixture
def hello() -> Flask:
    app = Flask("hello")
    app.add_url_rule("/", view_func=lambda: "hello")
    return app


def get(port: int, path: str = "/") -> tuple[int, bytes, str | None]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read(), response.getheader("Server")
    finally:
        connection.close()


@contextmanager
def serving(
    app: Flask, proxy: str = "", host: str = "127.0.0.1"
) -> Iterator[tuple[WebServer, int]]:
    web = Web(host=host, port=0, proxy=proxy)
    taken = WebSocket(web)
    server = WebServer(app, web, taken)
    server.start()
    try:
        yield server, taken.port
    finally:
        server.stop()
        taken.close()


def test_it_serves_until_it_is_stopped(hello: Flask) -> None:
    with serving(hello) as (_, port):
        assert get(port) == (200, b"hello", None)
    with pytest.raises(OSError, match="refused"):
        get(port)


@pytest.mark.parametrize(("proxy", "own", "others"), [
    ("", False, 2), ("", True, 5), ("127.0.0.1", False, 5),
])  # fmt: skip
def test_one_client_cannot_take_all_connections(
    hello: Flask, monkeypatch: pytest.MonkeyPatch, proxy: str, own: bool, others: int
) -> None:
    """Whoever has enough is let in again when one of his has ended, and others always."""
    monkeypatch.setattr(server, "A_CLIENT", 2)
    if not own:  # a stranger's addresses, for once
        monkeypatch.setattr(server, "OWN", frozenset())
    with serving(hello, proxy) as (_, port), ExitStack() as stack:
        held = [stack.enter_context(opened(port)) for _ in range(5)]
        assert sum(is_served(one) for one in held) == others
        with opened(port, "127.0.0.2") as another:
            assert is_served(another)
        held[0].close()
        assert any(is_served(stack.enter_context(opened(port))) for _ in range(100))


@pytest.mark.parametrize("proxy", ["", "127.0.0.1"])
def test_a_server_in_front_is_known_by_a_socket_of_both_kinds(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    """Of IPv6 it gets 127.0.0.1 as ::ffff:127.0.0.1."""
    monkeypatch.setattr(server, "A_CLIENT", 1)
    app = Flask("told")
    app.add_url_rule("/", view_func=lambda: f"{request.remote_addr} {asks_from_here()}")
    with serving(app, proxy, "::") as (_, port), opened(port) as first:
        assert is_served(first)
        asked = Request(f"http://127.0.0.1:{port}/", headers={"Host": "localhost"})
        with urlopen(asked, timeout=60) as answer:
            assert answer.read() == b"127.0.0.1 True"
        asked.add_header("X-Forwarded-For", "192.0.2.7")
        with urlopen(asked, timeout=60) as answer:
            assert answer.read() == (b"192.0.2.7" if proxy else b"127.0.0.1") + b" False"


def opened(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))


def is_served(connection: socket.socket) -> bool:
    try:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return connection.recv(12) == b"HTTP/1.1 200"
    except OSError:
        return False


def test_what_a_server_in_front_says_comes_through_and_changes_nothing() -> None:
    app = Flask("told")
    app.add_url_rule(
        "/", view_func=lambda: f"{asks_from_here()} {request.url} {request.remote_addr}"
    )
    with serving(app) as (_server, port):
        asked = Request(f"http://127.0.0.1:{port}/", headers={"Host": "localhost"})
        with urlopen(asked, timeout=60) as answer:
            assert answer.read() == b"True http://localhost/ 127.0.0.1"
        for name in HANDED_ON:
            asked.add_header(name, "192.0.2.7")
            with urlopen(asked, timeout=60) as answer:
                assert answer.read() == b"False http://localhost/ 127.0.0.1"
            asked.remove_header(name.capitalize())


@pytest.mark.parametrize(("proxy", "who"), [("127.0.0.1", b"192.0.2.7"), ("", b"127.0.0.1"),
                                            ("192.0.2.1", b"127.0.0.1")])  # fmt: skip
def test_only_a_server_in_front_that_is_named_says_who_asks(proxy: str, who: bytes) -> None:
    app = Flask("told")
    app.add_url_rule("/", view_func=lambda: f"{request.remote_addr} {asks_from_here()}")
    with serving(app, proxy) as (_server, port):
        asked = Request(f"http://127.0.0.1:{port}/", headers={"Host": "localhost"})
        asked.add_header("X-Forwarded-For", "127.0.0.1, 192.0.2.7")  # the first is his own word
        with urlopen(asked, timeout=60) as answer:
            assert answer.read() == who + b" False"


def test_clients_that_say_nothing_keep_nobody_out(hello: Flask) -> None:
    with serving(hello) as (_server, port), ExitStack() as silent:
        for _ in range(150):
            client = silent.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na")
        assert get(port)[0] == 200


def test_a_request_under_way_is_finished(hello: Flask) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def slow() -> str:
        asked.set()
        go_on.wait(60)
        return "done"

    hello.add_url_rule("/slow", view_func=slow)
    answers: list[bytes] = []
    with serving(hello) as (server, port):
        reader = threading.Thread(target=lambda: answers.append(get(port, "/slow")[1]))
        reader.start()
        assert asked.wait(60)
        stopper = threading.Thread(target=server.stop)
        stopper.start()
        go_on.set()
        reader.join(60)
        stopper.join(60)
        assert not stopper.is_alive()
    assert answers == [b"done"]


def test_it_can_be_stopped_before_it_has_started(hello: Flask) -> None:
    taken = WebSocket(Web(port=0))
    port = taken.port
    WebServer(hello, Web(), taken).stop()
    taken.close()
    WebSocket(Web(port=port)).close()


def test_a_port_in_use_is_one_clear_line() -> None:
    taken = WebSocket(Web(port=0))
    with pytest.raises(OSError, match="is in use; stop what listens there") as caught:
        WebSocket(Web(port=taken.port))
    assert f"127.0.0.1:{taken.port}" in str(caught.value)
    assert "ARK_WEB__PORT" in str(caught.value)
    taken.close()


def test_an_address_of_another_machine_is_one_clear_line() -> None:
    with pytest.raises(OSError, match=r"the web address 192\.0\.2\.7:0 cannot be used"):
        WebSocket(Web(host="192.0.2.7", port=0))
