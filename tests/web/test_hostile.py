"""Requests that are made to break something, or to reach further than they may."""

from __future__ import annotations

import re
import secrets

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select

from pbem import logs
from pbem.archive import exporting
from pbem.archive.filing import file_all
from pbem.desk.forgetting import forget
from pbem.desk.pausing import may_stop
from pbem.store import Game, Invitation, Person
from pbem.store.log import Author
from pbem.store.options import options_of
from pbem.store.tokens import Bearer, issue
from pbem.web import inert
from tests.web.harbour import FILLING, FINISHED, RUNNING, Harbour, page
from tests.web.moderators import appoint, signed_in

NEVER_ENDING = "9" * 60


def _api_token(harbour: Harbour) -> str:
    here = harbour.installation
    with here.store.work() as session:
        bearer = Bearer("api", harbour.number("Ann"), RUNNING, 0)
        return issue(session, here.keys, bearer, here.clock())


@pytest.mark.parametrize(
    ("body", "status"),
    [("[" * 90_000, 400), ('{"move":' * 9000 + "1" + "}" * 9000, 400), ("x" * 200_000, 413)],
)
def test_no_body_breaks_the_api(
    harbour: Harbour, client: FlaskClient, body: str, status: int
) -> None:
    headers = {"Authorization": f"Bearer {_api_token(harbour)}", "Idempotency-Key": "12345678"}
    for path in ("preview", "move"):
        answer = client.post(f"/api/v1/seat/{path}", data=body, headers=headers)
        assert answer.status_code == status
        assert answer.json is not None
        assert answer.json["error"]["next"]


@pytest.mark.parametrize("limit", ["0001009999", "101", "000101", NEVER_ENDING])
def test_a_page_of_the_api_is_never_larger(client: FlaskClient, limit: str) -> None:
    assert client.get("/api/v1/games", query_string={"limit": limit}).status_code == 400


def test_tokens_that_are_none_do_not_clear_the_counts(
    harbour: Harbour, client: FlaskClient
) -> None:
    token = _api_token(harbour)
    asked = [client.get("/api/v1/seat/view", headers={"Authorization": f"Bearer {one}"})
             for one in [token, *("a" * 26 for _ in range(31)), token]]  # fmt: skip
    assert [asked[0].status_code, asked[-1].status_code] == [200, 200]
    assert {one.status_code for one in asked[1:-1]} == {401, 429}


@pytest.mark.parametrize("number", [NEVER_ENDING, "9223372036854775808", "²", "0" * 70 + "1"])
def test_no_number_breaks_a_search(app: Flask, harbour: Harbour, number: str) -> None:
    appoint(harbour)
    olive = signed_in(app, harbour, "Olive Owner")
    for room in ("games", "people"):
        page(olive, f"/moderator/{room}?q={number}")


def test_addresses_are_not_tried_by_whoever_may_not_read_them(app: Flask, harbour: Harbour) -> None:
    appoint(harbour)
    with harbour.installation.store.work() as session:
        bo = session.get_one(Person, harbour.number("Bo"))
        bo.name = "Somebody"
        session.add(bo)
    gil, max_ = signed_in(app, harbour, "Gil Gamesman"), signed_in(app, harbour, "Max Moderator")
    for room, found in (("people", "Somebody"), ("games", "Sunday club")):
        address = f"/moderator/{room}?q=bo@example.org"
        assert found in page(max_, address).text
        assert found not in page(gil, address).text


@pytest.mark.parametrize("game", ["²", "99999999999", "-1", str(FINISHED)])
def test_no_number_of_a_table_breaks_a_form(ann: FlaskClient, game: str) -> None:
    csrf = page(ann, "/me/ways").field("csrf")
    data = {"csrf": csrf, "url": "https://example.org/", "game": game}
    assert ann.post("/me/ways/hooks", data=data).status_code in (303, 400, 404)


def test_whoever_is_blocked_comes_to_no_table_by_a_page(app: Flask, harbour: Harbour) -> None:
    here = harbour.installation
    bo = harbour.browser(app, "Bo")
    with here.store.work() as session:
        person = session.get_one(Person, harbour.number("Bo"))
        person.blocked_at = here.clock()
        games = {one.id: one for one in session.exec(select(Game))}
        games[FILLING].lobby, games[FILLING].organiser_id = True, harbour.number("Ann")
        invitation = session.exec(
            select(Invitation).where(
                Invitation.game_id == FILLING, Invitation.person_id == person.id
            )
        ).one()
        invitation.state = "invited"
        session.add_all([person, invitation, games[FILLING]])
        number = invitation.id
    csrf = page(bo, "/me/settings").field("csrf")
    for path, data in (
        ("/new", {"name": "Mine", "players": "3"}),
        (f"/lobby/{FILLING}", {}),
        (f"/me/invitations/{number}", {"do": "accept"}),
        ("/me/seats", {"do": "join", "game": str(RUNNING)}),
        ("/me/seats", {"do": "ready"}),
        ("/me/seats", {"do": "bot", "game": str(RUNNING), "seat": "0"}),
    ):
        key = secrets.token_urlsafe(18)
        assert bo.post(path, data={"csrf": csrf, "key": key, **data}).status_code < 500
    with here.store.read() as session:
        assert session.get_one(Invitation, number).state == "invited"
        assert session.get_one(Person, harbour.number("Bo")).substitute_since is None
        assert {one.id for one in session.exec(select(Game))} == set(games)


def test_the_own_pause_is_offered_where_the_table_has_one(
    harbour: Harbour, ann: FlaskClient
) -> None:
    address, button = f"/me/games/{RUNNING}", "pause now"
    assert button in page(ann, address).source
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, RUNNING)
        options = options_of(game).model_copy(update={"emergency_pause_hours": 0})
        game.options = options.to_json()
        session.add(game)
        session.flush()
        assert not may_stop(session, game, harbour.number("Ann"))
    assert button not in page(ann, address).source


def test_no_secret_of_an_address_gets_into_the_log_or_a_quoted_mail(app: Flask) -> None:
    secret = "a2" * 13
    rules = [one.rule for one in app.url_map.iter_rules() if one.arguments & {"token", "link"}]
    assert len(rules) >= 8
    for rule in rules:
        address = re.sub(r"<(token|link)>", secret, rule)
        for masked in (logs.masked, inert.masked):
            assert secret not in masked(f"Exception on {address} [GET]"), rule
    assert secret not in logs.masked(f"Authorization: Bearer {secret}")


@pytest.mark.parametrize(("archive", "query"), [("names-hidden", "?player=Ann"), ("members", "")])
def test_what_is_closed_is_closed_at_once(
    harbour: Harbour, client: FlaskClient, archive: str, query: str
) -> None:
    """Not only when the archive has filed the game anew."""
    store, paths = harbour.installation.store, ("/games", "/games.csv", "/games.jsonl",
                                                "/games.atom", "/api/v1/games")  # fmt: skip
    _set_archive(harbour, "open")
    file_all(store)
    assert all("Old salts" in client.get(path + query).text for path in paths)
    assert [game.id for _session, game in exporting.listed_games(store)] == [FINISHED]
    _set_archive(harbour, archive)
    assert not any("Old salts" in client.get(path + query).text for path in paths)
    assert not list(exporting.listed_games(store))


def _set_archive(harbour: Harbour, archive: str) -> None:
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, FINISHED)
        game.archive = archive
        session.add(game)


def test_a_table_is_not_called_after_somebody_who_was_forgotten(
    harbour: Harbour, client: FlaskClient
) -> None:
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, FINISHED)
        game.name, game.archive = "Bo's harbour", "names-hidden"
        session.add(game)
    file_all(here.store)
    assert "Bo's harbour" not in page(client, f"/games/{FINISHED}").text
    with here.store.work() as session:
        bo = session.get_one(Person, harbour.number("Bo"))
        forget(session, here.site, here.clock(), Author("web", bo.id), bo)
    for path in ("/games", f"/games/{FINISHED}", f"/games/{FINISHED}.ark.json"):
        assert "harbour" not in client.get(path).text
    assert harbour.game(RUNNING).name == "Sunday club"
