"""A finished game, step by step."""

import pytest
from flask.testing import FlaskClient

from engine.view import view
from pbem.store import Game
from pbem.store.positions import replayed
from tests.web.filed import turn_seqs
from tests.web.harbour import FINISHED, Harbour, page

pytestmark = pytest.mark.usefixtures("filed")


def test_a_step_shows_the_table_as_it_was(client: FlaskClient, harbour: Harbour) -> None:
    seqs = [0, *turn_seqs(harbour)]
    for turn in (0, 1, 17, len(seqs) - 1):
        with harbour.installation.store.read() as session:
            then = view(replayed(session, session.get_one(Game, FINISHED), seqs[turn]), None)
        shown = page(client, f"/games/{FINISHED}/replay?turn={turn}")
        assert f"points now {' '.join(map(str, then.points))}" in shown.text
        assert f"rain {then.rain} of 5" in shown.text
        assert len(
            [tag for tag in shown.all("li") if "berth" in tag.attributes.get("class", "")]
        ) == sum(len(cabin) for side in then.ark.values() for cabin in side)


def test_a_seat_sees_its_hand_and_no_other(client: FlaskClient) -> None:
    address = f"/games/{FINISHED}/replay?turn=12"
    assert "’s hand" not in page(client, address).text
    own = page(client, f"{address}&seat=1").text
    assert "Seat B’s hand" in own
    assert "Seat A’s hand" not in own
    every = page(client, f"{address}&seat=all").text
    assert all(f"Seat {letter}’s hand" in every for letter in "ABC")


def test_a_step_or_seat_that_does_not_exist_is_not_found(client: FlaskClient) -> None:
    for query in ("turn=999", "turn=-1", "turn=x", "seat=3", "seat=x", "turn=²"):
        assert client.get(f"/games/{FINISHED}/replay?{query}").status_code == 404


def test_every_step_is_reached_by_plain_links(client: FlaskClient, harbour: Harbour) -> None:
    address, seen = f"/games/{FINISHED}/replay?seat=0", 0
    while True:
        links = [t.attributes for t in page(client, address).all("a")]
        onward = [one["href"] for one in links if one.get("data-step") == "next"]
        if not onward:
            break
        address, seen = onward[0], seen + 1
        assert "seat=0" in address
    assert seen == len(turn_seqs(harbour))


def test_who_has_a_page_already_is_not_sent_it_again(client: FlaskClient) -> None:
    for address in (f"/games/{FINISHED}", f"/games/{FINISHED}/replay?turn=3", "/games.atom"):
        etag = client.get(address).headers["ETag"]
        assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
