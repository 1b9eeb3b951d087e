"""What the tests of the pages look at, and how they look at it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import SQLModel, select

from engine.bots import bot
from engine.shuffle import Generator
from engine.view import view
from pbem.desk import tables, turns
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.post.delivery import deliver_due
from pbem.store import Game, Person
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.store.tokens import Bearer, issue
from pbem.web.play.visitor import PROVED

FINISHED, RUNNING, FILLING = 1, 2, 3
NAMES = ("Ann Archer", "Bo Baker", "Cy Cooper")


def build(installation: Installation) -> None:
    """Three tables of Ann, Bo and Cy: one played to the end, one a few turns old with Ann
    to move, one that waits for Ann's answer."""
    assert begun(installation, "Old salts", "old") == FINISHED
    play_on(installation, FINISHED, 500)
    assert begun(installation, "Sunday club", "sunday") == RUNNING
    play_on(installation, RUNNING, 6)
    now = installation.clock()
    with installation.store.work() as session:
        ann, bo, cy = (person(session, installation, name) for name in NAMES)
        game = tables.open_table(
            session, installation.site, now, installation.entropy, Author("cli"),
            name="Monday club",
            places=[Place(bo.id), Place(ann.id), Place(cy.id)],
            organiser_id=bo.id,
        )  # fmt: skip
        assert game.id == FILLING
    while deliver_due(installation):
        pass


def person(session: Any, installation: Installation, name: str) -> Person:
    address = f"{name.split()[0].lower()}@example.org"
    return find_or_add_person(session, installation.clock(), name, address, confirmed=True)


def begun(installation: Installation, name: str, seed: str) -> int:
    now, author = installation.clock(), Author("cli")
    with installation.store.work() as session:
        people = [person(session, installation, one) for one in NAMES]
        game = tables.open_table(
            session, installation.site, now, installation.entropy, author,
            name=name, places=[Place(one.id) for one in people],
            organiser_id=people[0].id, server_seed=seed, announced=False,
        )  # fmt: skip
        for one in tables.invitations(session, game):
            one.state = "accepted"
            session.add(one)
        tables.begin(session, installation.site, now, author, game, draw_seats=False)
        assert game.id is not None
        return game.id


def play_on(installation: Installation, game_id: int, count: int) -> None:
    """Let a bot choose up to `count` turns, as if the players had."""
    chance = Generator(f"harbour/{game_id}")
    with installation.store.work() as session:
        game = session.get_one(Game, game_id)
        for _ in range(count):
            position = position_now(game)
            if game.status != "running":
                return
            seat = position.to_move[0]
            author = Author("web", holders(session, game)[seat].person_id)
            move = bot("greedy").choose(view(position, seat), chance)
            turns.play(session, installation.site, installation.clock(), author, game, seat, move)


@dataclass(frozen=True)
class Harbour:
    installation: Installation

    def token(self, name: str) -> str:
        """The token of somebody's personal link, as a letter would hold it."""
        with self.installation.store.work() as session:
            row = session.exec(select(Person).where(Person.name.startswith(name))).one()  # type: ignore[attr-defined]
            bearer = Bearer("page", person_id=row.id)
            return issue(session, self.installation.keys, bearer, self.installation.clock())

    def browser(self, app: Flask, name: str) -> FlaskClient:
        """His browser, in which the code of a letter has been typed in, too."""
        client = self.new_browser(app, name)
        with client.session_transaction() as kept:
            kept[PROVED] = self.number(name)
        return client

    def new_browser(self, app: Flask, name: str) -> FlaskClient:
        """A browser in which somebody has opened the link of a letter, and no more."""
        client = app.test_client()
        assert client.get(f"/p/{self.token(name)}").status_code == 303
        return client

    def number(self, name: str) -> int:
        with self.installation.store.read() as session:
            row = session.exec(select(Person.id).where(Person.name.startswith(name))).one()  # type: ignore[attr-defined]
            assert row is not None
            return row

    def trust(self, game_id: int) -> None:
        """At this table the link is enough."""
        with self.installation.store.work() as session:
            game = session.get_one(Game, game_id)
            game.mail_policy = "token"
            session.add(game)

    def game(self, game_id: int) -> Game:
        with self.installation.store.read() as session:
            game = session.get_one(Game, game_id)
            session.expunge(game)
            return game

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that is stored, by table."""
        with self.installation.store.read() as session:
            return {
                table.name: [tuple(row) for row in session.connection().execute(table.select())]
                for table in SQLModel.metadata.sorted_tables
            }


INLINE = frozenset({"a", "abbr", "b", "code", "em", "i", "span", "strong", "time"})


@dataclass
class Tag:
    name: str
    attributes: dict[str, str]


class Page(HTMLParser):
    """The tags of a page in order, and its text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.tags: list[Tag] = []
        self._text: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(Tag(tag, {name: value or "" for name, value in attrs}))
        if tag not in INLINE:
            self._text.append(" ")

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self._text).split())

    def all(self, name: str) -> list[Tag]:
        return [tag for tag in self.tags if tag.name == name]

    @property
    def ids(self) -> list[str]:
        return [tag.attributes["id"] for tag in self.tags if "id" in tag.attributes]

    def field(self, name: str) -> str:
        """The value of the page's first input of that name."""
        return next(
            tag.attributes["value"] for tag in self.all("input") if tag.attributes["name"] == name
        )


def page(client: FlaskClient, address: str, status: int = 200) -> Page:
    response = client.get(address)
    assert response.status_code == status, (address, response.status_code)
    return Page(response.get_data(as_text=True))


def send(
    client: FlaskClient, form: Page, text: str, do: str = "do", game_id: int = RUNNING
) -> Page:
    """Send the command box of a table's page; returns the page that is shown then."""
    response = client.post(
        f"/me/games/{game_id}",
        data={
            "csrf": form.field("csrf"),
            "key": form.field("key"),
            "decision": form.field("decision"),
            "text": text,
            "do": do,
        },
    )
    assert response.status_code == 303
    return page(client, response.location.partition("#")[0])


def answer(shown: Page) -> str:
    """The text of the answer on a page; "" where there is none."""
    found = re.search(r'<section class="sheet answer.*?</section>', shown.source, re.DOTALL)
    return "" if found is None else Page(found[0]).text
