"""Every page of players, of the archive and of moderators, from rows in PostgreSQL."""

import pytest
from flask import Flask

from pbem.app import create_app
from pbem.archive.filing import file_all
from pbem.installation import Installation
from pbem.settings import Settings
from pbem.store import daily
from tests.web.harbour import Harbour, build
from tests.web.moderators import appoint, held_mail, signed_in
from tests.web.test_dashboard import test_games_are_found as games_are_found
from tests.web.test_dashboard_access import PAGES
from tests.web.test_safety import addresses

KNOWN = {200, 302, 303, 401, 404}
ASKING = (
    "/games?player=ann&deck=house&players=3", "/games?length=short&result=close",
    "/moderator/games?q=ann", "/moderator/games?q=sunday&state=running", "/moderator/games?q=2",
    "/moderator/people?q=bo", "/moderator/people?q=ann%40example.org",
    "/moderator/outbox?state=sent&to=ann%40example.org",
    "/moderator/mail?state=held&sender=cy%40elsewhere.example&day=2026-12-01",
    "/moderator/audit?by=1&game=2", "/moderator/numbers?days=30",
)  # fmt: skip


@pytest.fixture
def settings(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    post = settings.post.model_copy(update={"transport": "postroom"})
    return settings.model_copy(update={"post": post})


@pytest.fixture
def harbour(installation: Installation) -> Harbour:
    build(installation)
    file_all(installation.store)
    daily.keep(installation.store, installation.clock())
    return Harbour(installation)


@pytest.fixture
def app(harbour: Harbour) -> Flask:
    return create_app(harbour.installation)


def test_every_page_can_be_read(app: Flask, harbour: Harbour) -> None:
    appoint(harbour)
    assert held_mail(harbour) == 1
    ann, owner = harbour.browser(app, "Ann"), signed_in(app, harbour, "Olive Owner")
    found = {
        address: ann.get(address, buffered=True).status_code
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
        for address in addresses(harbour, rule)
    }
    assert {address: code for address, code in found.items() if code not in KNOWN} == {}
    found = {address: owner.get(address).status_code for address, *_ in PAGES}
    assert found == {address: code for address, code, *_ in PAGES}
    assert {owner.get(address).status_code for address in ASKING} == {200}
    games_are_found(harbour, owner)
