"""`make run`: a demo game is waiting, and the first turn is played in the post room."""

from __future__ import annotations

import re
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from sqlmodel import select

from pbem.store import Event, Game, Letter, Mail
from tests.e2e.browser import Browser, Form
from tests.e2e.forked import ForkedServer
from tests.e2e.server import Server, server_at, wait_until

FORM = re.compile(
    r"Web: http://127\.0\.0\.1:(?P<web>\d+)\n"
    r"SMTP: 127\.0\.0\.1:(?P<smtp>\d+)\n"
    r"Post room: http://127\.0\.0\.1:(?P=web)/postroom\n"
    r"Moderator: http://127\.0\.0\.1:(?P=web)/moderator/sign-in/[a-z2-7]{26}\n"
)
FREE_PORTS = {"ARK_WEB__PORT": "0", "ARK_MAIL__PORT": "0"}


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Server]:
    """A server as `make run` starts it on a fresh clone, but for the ports."""
    with server_at(tmp_path / "instance", kind=ForkedServer, variables=FREE_PORTS) as server:
        server.start("--demo")
        yield server


def test_it_tells_where_everything_is(demo: Server) -> None:
    wait_until(lambda: FORM.fullmatch(demo.output()), "all addresses")
    noted = demo.folder / "addresses.txt"
    wait_until(lambda: noted.exists() and noted.read_text("utf-8"), "the addresses to be noted")
    shown = demo.output().partition("Moderator:")[0]
    assert noted.read_text("utf-8") == shown, "the link is on the terminal only"
    browser = Browser()
    for page in ("", "/postroom", "/rules", "/health"):
        browser.get(f"{demo.web}{page}")
    assert_nothing_without_its_mark(demo)
    assert demo.stop() == 0


def assert_nothing_without_its_mark(demo: Server) -> None:
    """A form of another visit does nothing."""
    page, address = Browser().get(f"{demo.web}/postroom")
    form = Form(page, "/answer")
    with pytest.raises(urllib.error.HTTPError) as refused:
        Browser().get(urljoin(address, form.action), {**form.fields, "text": "status"})
    assert refused.value.code in (400, 403)
    refused.value.close()
    with demo.store.read() as session:
        assert session.exec(select(Mail.id)).first() is None


def test_a_turn_in_the_post_room_and_no_second_demo_game(demo: Server) -> None:
    browser = Browser()
    page, address = browser.get(f"{demo.web}/postroom")
    form = Form(page, "/answer")
    example = re.findall(r">(take [a-z -]+)</a>", page)[0]
    sent = {**form.fields, "text": example, "quote": "1"}
    browser.get(urljoin(address, form.action), sent)
    wait_until(lambda: "mail" in channels_of_turns(demo), "the turn")
    wait_until(lambda: your_turns(demo) == 2, "the bots to move and the next letter")
    assert demo.stop() == 0
    demo.start("--demo")
    with demo.store.read() as session:
        assert session.exec(select(Game.id)).all() == [1]
    assert demo.stop() == 0


def channels_of_turns(server: Server) -> list[str]:
    with server.store.read() as session:
        return list(session.exec(select(Event.channel).where(Event.kind == "turn")))


def your_turns(server: Server) -> int:
    with server.store.read() as session:
        return len(session.exec(select(Letter.id).where(Letter.kind == "your-turn")).all())
