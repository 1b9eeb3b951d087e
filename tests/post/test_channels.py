"""Webhooks: where they may lead, how a call is signed, and that each letter is told once,
in order, whatever happens."""

import json
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest

from pbem.desk import Order
from pbem.installation import Installation
from pbem.post.channels import hooks, telling
from pbem.post.channels.calling import call, signature
from pbem.post.channels.guard import RefusedError, addresses, may_be_called, target
from pbem.settings import Channels
from pbem.store import Game, Hook
from pbem.store.log import Author
from tests.conftest import HandClock
from tests.tables import Table, open_table

LOOPBACK = ("127.0.0.0/8",)


# -- where it may lead


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1", "198.18.0.1",
        "::", "::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "fec0::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::",
    ],
)  # fmt: skip
def test_no_address_but_a_public_one(address: str) -> None:
    assert not may_be_called(ip_address(address))
    with pytest.raises(RefusedError):
        addresses("innocent.example", (), lambda _: [address])
    with pytest.raises(RefusedError):  # one bad apple
        addresses("innocent.example", (), lambda _: ["8.8.8.8", address])


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_ones_may_be_called(address: str) -> None:
    assert addresses("example.org", (), lambda _: [address]) == [ip_address(address)]


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost"])
def test_other_spellings_of_loopback_gain_nothing(host: str) -> None:
    with pytest.raises(RefusedError):
        addresses(host, ())


@pytest.mark.parametrize(
    "url",
    [
        "", "ftp://example.org/", "file:///etc/passwd", "https://", "https:///x", "example.org",
        "https://user:pw@example.org/", "https://example.org:8443/", "https://example.org:22/",
        "https://example.org/#x", "https://example.org/a b", "https://example.org/\r\nX: y",
        "https://example.org:99999/", "https://[::1", "https://exämple.org/",
        "https://example.org/" + "x" * 500,
    ],
)  # fmt: skip
def test_no_url_but_a_plain_one(url: str) -> None:
    with pytest.raises(RefusedError):
        target(url, (80, 443))


def test_a_url_is_taken_apart() -> None:
    where = target("https://Example.org/a/b?c=d", (443,))
    assert (where.secure, where.host, where.port, where.path) == (
        True, "example.org", 443, "/a/b?c=d",
    )  # fmt: skip


# -- one call


@dataclass
class Hooked:
    """A web server that answers as a test tells it."""

    answers: list[int] = field(default_factory=list)  # status by status; then 204
    calls: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://hook.example:{self.port}/letters?of=ann"


@pytest.fixture
def hooked() -> Iterator[Hooked]:
    state = Hooked()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.calls.append((self.path, dict(self.headers), body))
            self.send_response(state.answers.pop(0) if state.answers else 204)
            self.send_header("Location", f"http://127.0.0.1:{state.port}/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def channels(port: int, **changes: object) -> Channels:
    values = {"webhooks": True, "ports": (port,), "networks": LOOPBACK, "timeout": 60, **changes}
    return Channels.model_validate(values)


def here(_host: str) -> list[str]:
    return ["127.0.0.1"]


def test_a_call_is_json_with_a_signature(hooked: Hooked) -> None:
    body = b'{"a":1}'
    reply = call(channels(hooked.port), hooked.url, "secret", "17", body, lookup=here)
    assert reply.state == "done"
    [(path, headers, got)] = hooked.calls
    assert (path, got) == ("/letters?of=ann", body)
    assert headers["Content-Type"] == "application/json"
    assert headers["Host"] == f"hook.example:{hooked.port}"
    assert headers["X-Ark-Signature"] == signature("secret", "17", body)
    assert "Authorization" not in headers
    assert "Cookie" not in headers


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirections_are_not_followed(hooked: Hooked, status: int) -> None:
    hooked.answers.append(status)
    reply = call(channels(hooked.port), hooked.url, "s", "17", b"{}", lookup=here)
    assert reply.state == "retry"
    assert len(hooked.calls) == 1


def test_the_address_that_was_checked_is_the_one_that_is_called(hooked: Hooked) -> None:
    """A name that answers otherwise the second time (DNS rebinding) is not asked again."""
    asked: list[str] = []

    def lookup(host: str) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    reply = call(channels(hooked.port), hooked.url, "s", "17", b"{}", lookup=lookup)
    assert (reply.state, asked) == ("done", ["hook.example"])


def test_what_has_become_private_is_not_called(hooked: Hooked) -> None:
    reply = call(channels(hooked.port, networks=()), hooked.url, "s", "17", b"{}", lookup=here)
    assert reply.state == "retry"
    assert "not public" in reply.detail
    assert hooked.calls == []


def test_a_server_that_never_ends_its_answer_is_left() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]

    def drip() -> None:
        connection, _ = listener.accept()
        with connection:
            try:
                while True:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nX-A: b\r\n"[:1])
                    threading.Event().wait(0.05)
            except OSError:
                pass

    thread = threading.Thread(target=drip)
    thread.start()
    url = f"http://hook.example:{port}/"
    assert call(channels(port, timeout=0.3), url, "s", "1", b"{}", lookup=here).state == "retry"
    thread.join(60)
    assert not thread.is_alive()
    listener.close()


def test_the_certificate_is_checked_under_the_name(certificate: Path) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]

    def refuse() -> None:
        connection, _ = listener.accept()
        try:
            tls.wrap_socket(connection, server_side=True).close()
        except OSError:
            connection.close()

    thread = threading.Thread(target=refuse)
    thread.start()
    reply = call(
        channels(port), f"https://hook.example:{port}/", "s", "1", b"{}", lookup=here,
        tls=ssl.create_default_context(cafile=certificate.with_suffix(".crt")),
    )  # fmt: skip
    thread.join(60)
    listener.close()
    assert reply.state == "retry"
    assert "certificate" in reply.detail.lower()


# -- the outbox told


def hooking(installation: Installation, hooked: Hooked, **changes: object) -> Installation:
    settings = installation.settings.model_copy(
        update={"channels": channels(hooked.port, **changes)}
    )
    return replace(
        installation, settings=settings, site=replace(installation.site, settings=settings)
    )


def add(here_: Installation, table: Table, hooked: Hooked, game_id: int | None = None) -> int:
    with here_.store.work() as session:
        hook = hooks.add_hook(
            session, here_.site, here_.entropy(16), here_.clock(), table.people[1], hooked.url,
            game_id, lookup=here,
        )  # fmt: skip
        assert hook.id is not None
        return hook.id


def say(table: Table, word: str) -> None:
    here_ = table.installation
    with here_.store.work() as session:
        decision = session.get_one(Game, table.game_id).decision
        author = Author("web", person_id=table.people[0])
        order = Order(f"say all: {word}", author, table.game_id, 0, decision)
        assert here_.desk.take_order(session, order).outcome == "done"


def texts(hooked: Hooked) -> list[str]:
    return [json.loads(body)["text"] for _, _, body in hooked.calls]


def test_every_new_letter_is_told_once_and_in_order(
    installation: Installation, hooked: Hooked
) -> None:
    table, own = open_table(installation), hooking(installation, hooked)
    number = add(own, table, hooked)
    assert hooks.call_due(own, lookup=here) == 0  # what was written before is not told
    for word in ("one", "two", "three"):
        say(table, word)
    assert hooks.call_due(own, lookup=here) == 3
    assert hooks.call_due(own, lookup=here) == 0
    for word, text in zip(("one", "two", "three"), texts(hooked), strict=True):
        assert f"│ {word}" in text
    _, headers, body = hooked.calls[0]
    told = json.loads(body)
    assert told["kind"] == "message"
    assert told["game"] == {"number": table.game_id, "name": "Sunday club"}
    with installation.store.read() as session:
        secret = hooks.secret_of(own.site, session.get_one(Hook, number))
    assert headers["X-Ark-Signature"] == signature(secret, headers["X-Ark-Timestamp"], body)
    assert table.reply_address(1).partition("@")[0][2:] not in body.decode()
    assert "/p/" not in body.decode()


def test_a_failure_holds_up_the_next_ones_and_loses_none(
    installation: Installation, hooked: Hooked, clock: HandClock
) -> None:
    table, own = open_table(installation), hooking(installation, hooked)
    number = add(own, table, hooked)
    say(table, "one")
    say(table, "two")
    hooked.answers += [500, 503]
    assert hooks.call_due(own, lookup=here) == 1
    clock.advance(minutes=2)
    assert hooks.call_due(own, lookup=here) == 1
    with installation.store.read() as session:
        hook = session.get_one(Hook, number)
    assert (hook.attempts, hook.error) == (2, "it answered 503")
    clock.advance(minutes=4)
    assert hooks.call_due(own, lookup=here) == 2
    assert ["│ one" in text for text in texts(hooked)] == [True, True, True, False]
    with installation.store.read() as session:
        hook = session.get_one(Hook, number)
    assert (hook.attempts, hook.error, hook.failing_since) == (0, None, None)


@pytest.mark.parametrize(("status", "after"), [(410, 0), (500, 6)])
def test_a_hook_that_is_gone_or_fails_for_days_is_not_called_any_more(
    installation: Installation, hooked: Hooked, clock: HandClock, status: int, after: int
) -> None:
    table, own = open_table(installation), hooking(installation, hooked)
    number = add(own, table, hooked)
    say(table, "one")
    begun = clock()
    hooked.answers += [status] * 100
    while clock() - begun <= timedelta(days=after):
        hooks.call_due(own, lookup=here)
        clock.advance(hours=12)
    with installation.store.read() as session:
        assert session.get_one(Hook, number).ended_at is not None
    count = len(hooked.calls)
    clock.advance(days=1)
    assert hooks.call_due(own, lookup=here) == 0
    assert len(hooked.calls) == count


def test_one_hook_in_trouble_does_not_hold_up_another(
    installation: Installation, hooked: Hooked
) -> None:
    table, own = open_table(installation), hooking(installation, hooked)
    add(own, table, hooked)
    add(own, table, hooked, table.game_id)
    hooked.answers.append(500)
    say(table, "one")
    assert hooks.call_due(own, lookup=here) == 2
    assert len(hooked.calls) == 2


def test_what_cannot_be_called_is_refused_at_once(
    installation: Installation, hooked: Hooked
) -> None:
    table, own = open_table(installation), hooking(installation, hooked, networks=())
    with pytest.raises(hooks.HookError, match="not public"):
        add(own, table, hooked)
    own = hooking(installation, hooked)
    for _ in range(3):
        add(own, table, hooked)
    with pytest.raises(hooks.HookError, match="as many"):
        add(own, table, hooked)
    with pytest.raises(hooks.HookError, match="switched off"):
        add(hooking(installation, hooked, webhooks=False), table, hooked)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("https://ark.example/p/{page-token}/12\n", "https://ark.example/me/games/12\n"),
        ("https://ark.example/p/{page-token}", "https://ark.example/me"),
        ("https://ark.example/p/{page-token}?mail=3", "https://ark.example/me?mail=3"),
    ],
)
def test_a_table_is_linked_without_the_token(written: str, shown: str) -> None:
    assert telling._veiled(written) == shown
