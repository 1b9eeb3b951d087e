"""Players who show themselves in the archive."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select

from pbem.store import Profile
from tests.web.filed import change
from tests.web.harbour import FINISHED, Harbour, page

pytestmark = pytest.mark.usefixtures("filed")


def _choose(client: FlaskClient, **fields: str) -> int:
    form = page(client, "/me/profile")
    return client.post("/me/profile", data={"csrf": form.field("csrf"), **fields}).status_code


def test_nobody_is_shown_who_has_not_chosen_so(client: FlaskClient, ann: FlaskClient) -> None:
    assert "Nobody shows himself" in page(client, "/players").text
    assert client.get("/me/profile").status_code == 403
    assert _choose(ann, name="Nemo") == 303
    assert "Nemo" not in page(client, "/players").text
    assert client.get("/players/1").status_code == 404


def test_a_pseudonym_is_shown_in_all_games_and_taken_back(
    client: FlaskClient, ann: FlaskClient
) -> None:
    assert _choose(ann, name="Nemo", public="yes") == 303
    for address in ("/players", "/players.csv", "/api/v1/players", "/players/1", "/games"):
        shown = page(client, address).text
        assert "Nemo" in shown
        assert "Ann" not in shown
    assert "Old salts" in page(client, "/games?player=nemo").text
    assert _choose(ann, name="Nemo") == 303
    assert "Nemo" not in page(client, f"/games/{FINISHED}").text


def test_nobody_goes_by_what_means_something_else(ann: FlaskClient, harbour: Harbour) -> None:
    for name in ("take", "all", "a:b", "x" * 25, "Seat A", "Bot B", "seat", "\u202egnp.exe"):
        assert _choose(ann, name=name, public="yes") == 422, name
    with harbour.installation.store.read() as session:
        assert session.exec(select(Profile)).all() == []


def test_a_name_is_taken_once(app: Flask, ann: FlaskClient, harbour: Harbour) -> None:
    assert _choose(ann, name="Nemo") == 303
    assert _choose(harbour.browser(app, "Bo"), name="NEMO") == 422


def test_nobody_finds_out_by_searching_whose_a_pseudonym_is(
    client: FlaskClient, ann: FlaskClient, harbour: Harbour
) -> None:
    change(harbour, archive="open")
    assert "Old salts" in page(client, "/games?player=ann").text
    assert _choose(ann, name="Nemo", public="yes") == 303
    assert "Old salts" not in page(client, "/games?player=ann").text
    assert "Old salts" in page(client, "/games?player=nemo").text
    assert "Old salts" in page(client, "/games?player=bo").text
    assert _choose(ann, name="Ann", public="yes") == 303
    assert "Old salts" in page(client, "/games?player=ann").text
