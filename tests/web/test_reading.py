"""Start page, rules, commands, errors: pages to read."""

import re
from collections import Counter
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.cards import builtin_deck
from pbem.app import create_app
from pbem.commands.help import SYNTAX
from pbem.desk.handlers import HANDLERS
from pbem.installation import Installation
from pbem.store import Heartbeat
from tests.conftest import HandClock
from tests.web.harbour import FINISHED, RUNNING, Harbour, Page, page
from tests.web.moderators import appoint, signed_in

OF_A_KIND = 3
# How many numbered rules each chapter has, R1 to R10, and where the house rulings are.
CHAPTERS = (5, 3, 4, 5, 7, 10, 2, 4, 4, 3)
RULINGS = [
    "R1.1", "R1.3", "R3.3", "R3.4", "R4.3", "R4.3", "R4.5", "R4.5", "R5.5", "R6.8", "R6.9",
    "R6.10", "R7.1", "R8.2", "R8.3", "R9.2", "R9.4",
]  # fmt: skip


def test_every_rule_has_its_place(client: FlaskClient) -> None:
    anchors = [one for one in page(client, "/rules").ids if re.fullmatch(r"R\d+\.\d+", one)]
    assert anchors == [
        f"R{chapter}.{number}"
        for chapter, count in enumerate(CHAPTERS, 1)
        for number in range(1, count + 1)
    ]


def test_house_rulings_are_marked_and_listed(client: FlaskClient) -> None:
    shown = page(client, "/rules")
    marked = [
        re.search(r'id="(R[\d.]+)"', piece)
        for piece in re.split(r'(?=<div class="rule")', shown.source)
        for _ in re.findall('class="ruling"', piece)
    ]
    assert [found[1] for found in marked if found] == RULINGS
    listed = shown.source.split('class="rulings"')[1]
    assert re.findall(r'<a href="#(R[\d.]+)">', listed) == RULINGS


def test_the_house_deck_is_the_engines(client: FlaskClient) -> None:
    table = page(client, "/rules").source.split('class="deck"')[1].split("</table>")[0]
    rows = [Page(row).text for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)][1:]
    eats = {"herbivore": "plants", "carnivore": "meat", "omnivore": "everything", "none": ""}
    told = {
        " ".join(
            f"{card.name.replace('-', ' ')} {card.weight} {card.climate.replace('none', '')} "
            f"{eats[card.diet]} {card.kind.replace('none', '')} {card.special}".split()
        )
        for card in builtin_deck().cards
    }
    assert len(rows) == 55
    assert set(rows) == told


def test_credits_are_given(client: FlaskClient) -> None:
    shown = page(client, "/rules").text
    for part in ("Frank Nestel", "Doris Matthäus", "Doris & Frank", "Rio Grande Games",
                 "not affiliated", "none of their art or text"):  # fmt: skip
        assert part in shown


def test_every_command_that_is_served_is_listed(client: FlaskClient) -> None:
    ids = page(client, "/help").ids
    for command in SYNTAX:
        served = command in HANDLERS or command in ("take", "play", "pet", "pass", "preview")
        assert (command.replace(" ", "-") in ids) == served, command


def test_the_start_page_counts(client: FlaskClient) -> None:
    shown = page(client, "/").text
    assert "1 game running" in shown
    assert "1 game finished" in shown
    assert "ark@ark.example" in shown


def _kind(app: Flask, address: str) -> tuple[str | None, frozenset[str]]:
    """What a page is a page of: its route, and which choices its address makes."""
    with app.test_request_context(address) as context:
        return context.request.endpoint, frozenset(context.request.args)


@pytest.mark.parametrize("with_postroom", [True])
def test_every_link_leads_somewhere(app: Flask, harbour: Harbour, ann: FlaskClient) -> None:
    """From the start page and Ann's, by every link, to every page and place they name: of
    pages of one kind (steps of a turn, turns of a replay, …) to some."""
    seen: dict[str, Page] = {}
    kinds: Counter[tuple[str | None, frozenset[str]]] = Counter()
    links = ["/", "/me", "/postroom"]
    while links:
        link = links.pop()
        address, _, anchor = link.partition("#")
        if address not in seen:
            kind = _kind(app, address)
            kinds[kind] += 1
            if kinds[kind] > OF_A_KIND:
                continue
            response = ann.get(address, buffered=True, follow_redirects=True)
            assert response.status_code == 200, link
            html = response.mimetype == "text/html"
            seen[address] = shown = Page(response.get_data(as_text=True) if html else "")
            links += [
                target if target.startswith("/") else address + target
                for tag in (*shown.all("a"), *shown.all("link"), *shown.all("iframe"))
                if (target := tag.attributes.get("href", tag.attributes.get("src", "")))
                and target.startswith(("/", "#"))
                and not target.startswith("/p/")
            ]
        if anchor:
            assert anchor in seen[address].ids, link
    assert {"/rules", "/help", "/games", f"/games/{FINISHED}", f"/me/games/{RUNNING}"} <= set(seen)


@pytest.mark.parametrize(
    ("method", "address", "status", "told"),
    [
        ("GET", "/nowhere", 404, "Nothing is moored here"),
        ("GET", "/me", 403, "This page opens from your mail"),
        ("POST", "/", 405, "That is not how this page is used"),
        ("DELETE", "/rules", 405, "That is not how this page is used"),
        ("POST", "/me/leave", 400, "This form has gone stale"),
    ],
)
def test_errors_are_pages(
    client: FlaskClient, method: str, address: str, status: int, told: str
) -> None:
    response = client.open(address, method=method)
    assert response.status_code == status
    assert told in response.get_data(as_text=True)
    if status == 405:
        assert "GET" in response.headers["Allow"]


def test_trouble_of_ours_shows_nothing_of_the_inside(
    app: Flask, client: FlaskClient, harbour: Harbour
) -> None:
    with harbour.installation.store.work() as session:
        session.connection().exec_driver_sql("ALTER TABLE game RENAME TO lost")
    app.logger.disabled = True
    try:
        response = client.get("/")
    finally:
        app.logger.disabled = False
    assert response.status_code == 500
    shown = response.get_data(as_text=True)
    assert "Something broke on our side" in shown
    assert "Traceback" not in shown
    assert "sqlite" not in shown.lower()


def test_health_tells_of_the_database(
    client: FlaskClient, harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = client.get("/health").json
    assert told is not None
    assert (told["ok"], told["database"], told["clock"]) == (True, True, "running")
    assert "late" not in told
    harbour.installation.store.close()
    folder = harbour.installation.settings.instance
    for file in folder.glob("ark.sqlite*"):
        file.unlink()
    folder.joinpath("ark.sqlite").mkdir()  # a database that cannot be opened
    response = client.get("/health")
    assert (response.status_code, response.json) == (503, {"ok": False, "database": False})


STRANGERS = (
    {"environ_base": {"REMOTE_ADDR": "203.0.113.7"}},
    {"headers": {"Host": "ark.example"}},  # by way of a web server in front
)


@pytest.mark.parametrize("stranger", STRANGERS)
def test_strangers_are_told_that_all_is_well_or_not_and_no_more(
    client: FlaskClient, app: Flask, harbour: Harbour, clock: HandClock, stranger: dict[str, Any]
) -> None:
    appoint(harbour)
    answer = client.get("/health", **stranger)
    assert (answer.status_code, answer.json) == (200, {"status": "ok"})
    with harbour.installation.store.work() as session:
        session.merge(Heartbeat(id=1, at=clock()))
    clock.advance(hours=1)  # and the clock of the server has not looked
    answer = client.get("/health", **stranger)
    assert (answer.status_code, answer.json) == (503, {"status": "late"})
    told = signed_in(app, harbour, "Gil Gamesman").get("/health", **STRANGERS[0]).json
    assert told is not None
    assert told["late"]
    assert told["disk"]


def test_the_application_opens_the_instance_by_itself(
    settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app()
    opened: Installation = app.extensions["ark"]
    assert app.test_client().get("/health").status_code == 200
    opened.close()


@pytest.mark.parametrize("who", ["operator", "invited", "anyone"])
def test_the_start_page_says_who_may_open_games(harbour: Harbour, who: str) -> None:
    settings = harbour.installation.settings
    site = settings.site.model_copy(update={"may_open_games": who, "operator": "Old <Noah>"})
    installation = Installation(
        **{
            **{name: getattr(harbour.installation, name) for name in ("store", "keys", "clock",
               "entropy", "site", "desk")},
            "settings": settings.model_copy(update={"site": site}),
        }
    )  # fmt: skip
    shown = page(create_app(installation).test_client(), "/")
    assert "Old <Noah>" in shown.text
    assert ("new game" in shown.text) == (who != "operator")
