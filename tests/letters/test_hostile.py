"""Whatever people call themselves, their table, or write: it stays text, in every letter."""

import email
import email.policy
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlmodel import Session, select

from pbem.letters import Site, stage
from pbem.letters.plain import LANGUAGES, clean
from pbem.letters.render import render
from pbem.letters.scenes import NAMES, scenes
from pbem.post.content import message
from pbem.settings import Settings
from pbem.store import Game, Letter, Person
from tests.examples import examples

SENT = datetime(2026, 12, 1, tzinfo=UTC)
SCRAPS = [
    "<b>", "</td>", "<img src=x onerror=alert(1)>", "<script>", "-->", "]]>", '"', "'", "&lt;",
    "{{ 7*7 }}", "{% raw %}", "{site}", "\r\n", "\nBcc: x@y.example", "\r\n\r\n<p>", "\0",
    "\x02", "\x03", "\x1b[31m", "\u202e", "\u2066", "\u200b", "\u2028", "\x85", "\ud800",
    "take fox", "› ", "│ ", "=?utf-8?q?x?=", "Ann", "龜", "🦊", " ", "…", "%s", "\\",
]  # fmt: skip
EVIL = st.lists(st.sampled_from(SCRAPS), min_size=1, max_size=6).map("".join)
SETTLED = {"br", "wbr", "meta", "img", "input", "hr", "link"}  # without an end


STEERING = re.compile("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202e\\u2066]")


class Shape(HTMLParser):
    """The elements of a page with their attributes' names, and all of its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = sorted(name for name, _ in attrs)
        self.tags.append(f"{tag} {' '.join(names)}")
        assert not any(name.startswith("on") or name == "src" for name in names)
        assert all((value or "").startswith(("http://", "mailto:")) for name, value in attrs
                   if name == "href")  # fmt: skip
        if tag not in SETTLED:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")


class World:
    """The letters, behind a name that is short when a test fails."""

    def __init__(self, session: Session, site: Site, letters: dict[str, Letter]) -> None:
        self.session, self.site, self.letters = session, site, letters

    def __repr__(self) -> str:
        return "World()"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One letter of every scene, of people whose names are then changed."""
    folder = tmp_path_factory.mktemp("hostile")
    store = stage.open_store(f"sqlite:///{folder}/letters.sqlite")
    ours = stage.site(Settings(instance=Path(folder) / "instance"))
    with store.work() as session:
        found = dict(scenes(session, ours))
        session.flush()
        yield World(session, ours, found)
    store.close()


def poisoned(context: Any, words: str) -> Any:
    """A letter's own facts with every text that people wrote replaced."""
    if isinstance(context, dict):
        return {
            key: words if key in FROM_PEOPLE and isinstance(value, str) else poisoned(value, words)
            for key, value in context.items()
        }
    if isinstance(context, list):
        return [poisoned(one, words) for one in context]
    return context


FROM_PEOPLE = {"text", "subject", "address", "suggest", "why", "template"}


@settings(
    examples(12, HealthCheck.function_scoped_fixture),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # making a find smaller takes minutes
)
@given(
    scene=st.sampled_from(NAMES), name=EVIL, table=EVIL, words=EVIL,
    language=st.sampled_from(LANGUAGES),
)  # fmt: skip
def test_nobody_breaks_out(
    world: World, scene: str, name: str, table: str, words: str, language: str
) -> None:  # fmt: skip
    session, site, letter = world.session, world.site, world.letters[scene]
    with session.begin_nested() as savepoint, session.no_autoflush:
        keep = (
            [(one, one.name, one.language) for one in session.exec(select(Person))],
            [(game, game.name) for game in session.exec(select(Game))],
            letter.context,
        )
        storable = name.encode("utf-8", "replace").decode().replace("\0", "")
        for person, *_ in keep[0]:
            person.name, person.language = storable, language
        for game, _ in keep[1]:
            game.name = table.encode("utf-8", "replace").decode().replace("\0", "")
        letter.context = poisoned(letter.context, words)
        try:
            rendered = render(session, site, letter)
            mail = message(session, site, letter, rendered, SENT)
        finally:
            savepoint.rollback()
            for person, before, spoken in keep[0]:
                person.name, person.language = before, spoken
            for game, before in keep[1]:
                game.name = before
            letter.context = keep[2]
    assert rendered.subject == clean(rendered.subject)
    for part in (rendered.subject, rendered.text, rendered.html):
        assert STEERING.search(part) is None
    shape = Shape(rendered.html)
    assert "script src" not in " ".join(shape.tags)
    assert not any(tag.startswith(("script", "img", "iframe", "form")) for tag in shape.tags)
    head, _, _ = mail.partition(b"\r\n\r\n")
    assert mail.isascii()
    assert b"\n" not in mail.replace(b"\r\n", b"")
    read = email.message_from_bytes(mail, policy=email.policy.compat32)
    assert read["Bcc"] is None
    assert re.search(rb"^Bcc:", head, re.MULTILINE) is None
    assert len(read.get_all("Subject", [])) == 1
    assert read.defects == []
