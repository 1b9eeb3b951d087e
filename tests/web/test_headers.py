"""What every answer tells the browser, and what no page may hold."""

import gzip
import re

import pytest
from flask.testing import FlaskClient

from tests.web.harbour import FINISHED, RUNNING, Harbour, page

PUBLIC = ("/", "/rules", "/help", "/games", f"/games/{FINISHED}")
PERSONAL = ("/me", f"/me/games/{RUNNING}")
BROKEN = ("/nowhere", f"/games/{RUNNING}", "/p/unknown")
PAGES = (*PUBLIC, *PERSONAL, *BROKEN)
POLICY = {
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
}


@pytest.mark.parametrize("address", [*PAGES, f"/games/{FINISHED}.ark.json", "/health"])
def test_every_answer_is_guarded(ann: FlaskClient, address: str) -> None:
    headers = ann.get(address).headers
    assert set(headers["Content-Security-Policy"].split("; ")) == POLICY
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("address", [*PERSONAL, *BROKEN])
def test_personal_pages_are_not_stored_nor_listed(ann: FlaskClient, address: str) -> None:
    response = ann.get(address)
    assert response.headers["Cache-Control"] == "no-store"
    assert "noindex" in response.headers["X-Robots-Tag"]
    assert '<meta name="robots" content="noindex' in response.get_data(as_text=True)


@pytest.mark.parametrize("address", [one for one in PUBLIC if one != "/games/1"])
def test_public_pages_are_the_same_for_everybody(
    ann: FlaskClient, client: FlaskClient, address: str
) -> None:
    signed_in, stranger = ann.get(address), client.get(address)
    assert signed_in.data == stranger.data
    assert "Set-Cookie" not in signed_in.headers
    assert "no-store" not in stranger.headers["Cache-Control"]


def test_a_game_is_called_otherwise_for_those_who_played_in_it(
    ann: FlaskClient, client: FlaskClient
) -> None:
    """They read the names they knew, so that page is theirs alone."""
    signed_in, stranger = ann.get("/games/1"), client.get("/games/1")
    assert signed_in.data != stranger.data
    assert signed_in.headers["Cache-Control"] == "no-store"
    assert "no-store" not in stranger.headers["Cache-Control"]
    assert "Cookie" in stranger.headers["Vary"]


@pytest.mark.parametrize("address", PAGES)
def test_pages_hold_nothing_that_the_policy_forbids(ann: FlaskClient, address: str) -> None:
    shown = page(ann, address, ann.get(address).status_code)
    assert not shown.all("style")
    assert all(tag.attributes.get("src") for tag in shown.all("script"))
    for tag in shown.tags:
        assert "style" not in tag.attributes, tag
        assert not [name for name in tag.attributes if name.startswith("on")], tag
        for name in ("src", "href", "action"):
            value = tag.attributes.get(name, "/")
            assert value.startswith(("/", "#", "mailto:")), (tag, value)
            assert not value.startswith("//"), tag


@pytest.mark.parametrize("address", PAGES)
def test_pages_can_be_read_by_everybody(ann: FlaskClient, address: str) -> None:
    """Landmarks, one main heading, a language, names for every field."""
    shown = page(ann, address, ann.get(address).status_code)
    assert shown.all("html")[0].attributes["lang"] == "en"
    assert len(shown.all("h1")) == len(shown.all("main")) == 1
    assert shown.all("header")
    assert shown.all("footer")
    assert re.search("<title>[^<]+</title>", shown.source)
    assert len(shown.ids) == len(set(shown.ids))
    labelled = {tag.attributes.get("for") for tag in shown.all("label")}
    for tag in (*shown.all("input"), *shown.all("textarea")):
        if tag.attributes.get("type") not in ("hidden", "checkbox"):
            assert tag.attributes["id"] in labelled, tag
    for tag in shown.tags:
        for name in ("aria-labelledby", "aria-describedby"):
            if name in tag.attributes:
                assert tag.attributes[name] in shown.ids, tag
        if tag.name == "img":
            assert "alt" in tag.attributes, tag


def test_static_files_may_be_kept_for_ever_under_their_own_address(client: FlaskClient) -> None:
    sheet = next(
        tag.attributes["href"]
        for tag in page(client, "/").all("link")
        if tag.attributes["rel"] == "stylesheet"
    )
    kept = client.get(sheet, buffered=True).headers["Cache-Control"]
    assert "immutable" in kept
    other = client.get("/static/ark.css", buffered=True).headers["Cache-Control"]
    assert "immutable" not in other


def test_the_cookie_is_out_of_reach(harbour: Harbour, client: FlaskClient) -> None:
    cookie = client.get(f"/p/{harbour.token('Ann')}").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie  # the harbour is reached by http


def test_style_and_scripts_come_compressed_and_pages_do_not(client: FlaskClient) -> None:
    asked = {"Accept-Encoding": "gzip, br"}
    packed = client.get("/static/ark.css", headers=asked)
    assert packed.headers["Content-Encoding"] == "gzip"
    with client.get("/static/ark.css") as plain:
        assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert "Accept-Encoding" in packed.headers["Vary"]
    again = {**asked, "If-None-Match": packed.headers["ETag"]}
    assert client.get("/static/ark.css", headers=again).status_code in (200, 304)
    assert "Content-Encoding" not in client.get("/rules", headers=asked).headers
