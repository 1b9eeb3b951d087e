"""The command box, completed while somebody types."""

import html
import re

from flask.testing import FlaskClient

from tests.web.harbour import FILLING, RUNNING, Harbour, page

TABLE = f"/me/games/{RUNNING}"


def ways(client: FlaskClient, text: str, status: int = 200) -> list[str]:
    csrf = page(client, TABLE).field("csrf")
    given = client.post(f"{TABLE}/complete", data={"csrf": csrf, "text": text})
    assert given.status_code == status
    found = re.findall(r'data-line="([^"]*)"', given.get_data(as_text=True))
    return [html.unescape(one) for one in found]


def test_the_ways_a_line_may_go_on(ann: FlaskClient) -> None:
    found = ways(ann, "say all: hello\r\ntak")
    assert found
    assert all(one.startswith("take ") for one in found)
    assert ways(ann, "say b") == ["say Bo Baker: "]
    assert ways(ann, "x" * 6_000) == []


def test_in_the_players_language(ann: FlaskClient) -> None:
    ann.post(
        "/me/settings",
        data={"csrf": page(ann, "/me/settings").field("csrf"), "key": "k" * 20,
              "do": "preferences", "language": "de"},
    )  # fmt: skip
    assert ways(ann, "Stat") == ["Status"]
    assert all(one.startswith("nimm ") for one in ways(ann, "take "))


def test_nothing_is_stored_and_the_text_is_in_no_address(
    ann: FlaskClient, harbour: Harbour
) -> None:
    before = harbour.rows()
    ways(ann, "take ")
    assert harbour.rows() == before
    assert ann.get(f"{TABLE}/complete?text=ta").status_code == 405


def test_only_at_ones_own_running_table(
    ann: FlaskClient, harbour: Harbour, client: FlaskClient
) -> None:
    csrf = page(ann, TABLE).field("csrf")
    for number in (FILLING, 999):
        given = ann.post(f"/me/games/{number}/complete", data={"csrf": csrf, "text": "ta"})
        assert given.status_code == 404
    assert client.post(f"{TABLE}/complete", data={"text": "ta"}).status_code in (400, 403)


def test_a_new_browser_may_look_before_it_is_known(client: FlaskClient, harbour: Harbour) -> None:
    assert client.get(f"/p/{harbour.token('Ann')}").status_code == 303
    assert ways(client, "stat") == ["status"]
