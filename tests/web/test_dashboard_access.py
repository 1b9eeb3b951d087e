"""Each role × each page of the dashboard; looking changes nothing, nobody acts unasked."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from pbem.desk.succession import give_to_bot
from pbem.store import Game
from pbem.store.log import Author
from tests.web.harbour import FILLING, RUNNING, Harbour, page
from tests.web.moderators import appoint, held_mail, signed_in
from tests.web.test_safety import VALUES

ELSEWHERE = "/moderator/actions"  # has tests of its own: each role × each action
OWNER, ALL, ONE, PLAYS = "Olive Owner", "Max Moderator", "Gil Gamesman", "Ann Archer"
NAMES = (OWNER, ALL, ONE, PLAYS)
# Address, then what the owner, a moderator of all games, one of the running game only, and a
# moderator of all games who plays at all of them get.
PAGES = (
    ("/moderator", 200, 200, 200, 200),
    ("/moderator/today", 200, 200, 200, 200),
    ("/moderator/games", 200, 200, 200, 200),
    (f"/moderator/games/{RUNNING}", 200, 200, 200, 200),
    (f"/moderator/games/{FILLING}", 200, 200, 404, 200),
    ("/moderator/games/999", 404, 404, 404, 404),
    ("/moderator/people", 200, 200, 200, 200),
    ("/moderator/people/2", 200, 200, 200, 200),
    ("/moderator/people/4", 200, 200, 404, 200),
    ("/moderator/audit", 200, 200, 200, 200),
    ("/moderator/audit.csv", 200, 200, 200, 200),
    ("/moderator/audit.jsonl", 200, 200, 200, 200),
    ("/moderator/audit.exe", 404, 404, 404, 404),
    ("/moderator/numbers", 200, 200, 404, 200),
    ("/moderator/server", 200, 200, 404, 200),
    ("/moderator/deliveries", 200, 200, 404, 200),
    ("/moderator/mailboxes", 200, 200, 404, 200),
    ("/moderator/staff", 200, 404, 404, 404),
    ("/moderator/me", 200, 200, 200, 200),
    ("/moderator/browsers", 200, 200, 200, 200),
    ("/moderator/mail", 200, 200, 200, 200),
    ("/moderator/mail/1", 200, 200, 200, 403),
    ("/moderator/mail/1/source", 200, 200, 200, 403),
    ("/moderator/mail/1/html", 404, 404, 404, 403),  # the mail has no HTML
    ("/moderator/outbox", 200, 200, 200, 200),
    ("/moderator/outbox/1", 200, 200, 404, 200),
    ("/moderator/sign-in", 303, 303, 303, 303),
    (f"/moderator/sign-in/{'a' * 26}", 200, 200, 200, 200),
    ("/moderator/code", 303, 303, 303, 303),
)


@pytest.fixture(autouse=True)
def roles(harbour: Harbour) -> None:
    appoint(harbour)
    assert held_mail(harbour) == 1


def _rules(app: Flask, method: str) -> list[Rule]:
    return [
        rule
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/moderator")
        and not rule.rule.startswith(ELSEWHERE)
        and method in (rule.methods or ())
    ]


@pytest.mark.parametrize("name", NAMES)
def test_each_role_opens_its_pages_and_no_others(app: Flask, harbour: Harbour, name: str) -> None:
    client, which = signed_in(app, harbour, name), NAMES.index(name)
    found = {address: client.get(address).status_code for address, *_ in PAGES}
    assert found == {address: codes[which] for address, *codes in PAGES}


def test_the_list_of_pages_is_whole(app: Flask) -> None:
    adapter = app.url_map.bind("ark.example")
    listed = {adapter.match(address)[0] for address, *_ in PAGES}
    assert {rule.endpoint for rule in _rules(app, "GET")} == listed


def test_nobody_sees_anything_without_signing_in(
    app: Flask, ann: FlaskClient, client: FlaskClient
) -> None:
    for browser in (client, ann):  # a player's browser opens nothing here either
        for rule in _rules(app, "GET"):
            if "/sign-in" in rule.rule:
                continue
            for address in addresses_of(rule):
                response = browser.get(address)
                assert (response.status_code, response.location) == (303, "/moderator/sign-in")


def test_nothing_is_done_without_signing_in(
    app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    csrf = page(client, "/moderator/sign-in").field("csrf")
    before = harbour.rows()
    for rule in _rules(app, "POST"):
        if "/sign-in" in rule.rule:
            continue
        for address in addresses_of(rule):
            response = client.post(address, data={"csrf": csrf, "reason": "because"})
            assert (response.status_code, response.location) == (303, "/moderator/sign-in")
    assert harbour.rows() == before


@pytest.mark.parametrize("name", [OWNER, ONE, PLAYS])
def test_looking_around_changes_nothing(app: Flask, harbour: Harbour, name: str) -> None:
    """Over the whole map of addresses, as a moderator who is a player, too."""
    client = signed_in(app, harbour, name)
    if name == PLAYS:
        assert client.get(f"/p/{harbour.token('Ann')}").status_code == 303
    before, statuses = harbour.rows(), set()
    for rule in app.url_map.iter_rules():
        for address in addresses(harbour, rule):
            for ending in ("", "?action=discard&reason=x&do=do&kind=owner&games=all&code=1"):
                statuses.add(client.get(address + ending, buffered=True).status_code)
    assert harbour.rows() == before
    assert {200, 405} < statuses <= {200, 302, 303, 401, 403, 404, 405}, "and none of them fails"


@pytest.mark.parametrize("name", [ALL, ONE])
def test_roles_are_the_owners_business(app: Flask, harbour: Harbour, name: str) -> None:
    client = signed_in(app, harbour, name)
    csrf = page(client, "/moderator/me").field("csrf")
    before = harbour.rows()
    form = {"csrf": csrf, "reason": "because", "kind": "owner", "address": "max@example.org"}
    for address in ("grant", "roles/1/revoke", "4/sign-out", "4/device-off"):
        assert client.post(f"/moderator/staff/{address}", data=form).status_code == 404
    assert harbour.rows() == before


def test_a_moderator_of_one_game_lets_no_doctor_look(app: Flask, harbour: Harbour) -> None:
    client = signed_in(app, harbour, ONE)
    form = {"csrf": page(client, "/moderator/me").field("csrf")}
    assert client.post("/moderator/server/examine", data=form).status_code == 404


def addresses(harbour: Harbour, rule: Rule) -> list[str]:
    """The addresses of a rule, with what is there and, for what is unknown here, a number."""
    found = [rule.rule]
    for part in rule.arguments:
        values = (harbour.token("Ann"),) if part == "token" else VALUES.get(part, (1,))
        pattern = re.compile(rf"<(\w+:)?{part}>")
        found = [pattern.sub(str(value), one) for one in found for value in values]
    return found


def addresses_of(rule: Rule) -> list[str]:
    """An address of a rule; any number and any word will do."""
    address = rule.rule
    for part in rule.arguments:
        for form in (f"<int:{part}>", f"<{part}>"):
            address = address.replace(form, "csv" if part == "form" else "1")
    return [address]


def test_whoever_may_come_back_to_a_seat_reads_as_a_player(app: Flask, harbour: Harbour) -> None:
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        give_to_bot(session, here.site, here.clock(), Author("clock"), game, 0, "late")
    client, other = signed_in(app, harbour, PLAYS), signed_in(app, harbour, ALL)
    for kind in ("letter", "mail"):
        address = f"/moderator/games/{RUNNING}?show={kind}"
        assert page(other, address).all("li") != []
        what_happened = page(client, address).text.partition("What happened")[2]
        assert "letter to" not in what_happened
        assert "mail of" not in what_happened
    assert "You play here" in page(client, f"/moderator/games/{RUNNING}").text
    page(client, "/moderator/mail/1", 403)
