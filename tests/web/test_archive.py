"""Finished games: what everybody may see of them, and what nobody may of others."""

import json

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.proof import verify
from engine.record import read, replay
from engine.scoring import score
from pbem.store import Game
from pbem.store.log import Author, append
from pbem.store.positions import position_now
from pbem.web.archive.finished import PAGE_SIZE, first_names
from tests.web.harbour import FILLING, FINISHED, NAMES, RUNNING, Harbour, page


@pytest.mark.parametrize("game_id", [RUNNING, FILLING, 999, 99999999999999999999])
@pytest.mark.parametrize("ending", ["", ".ark.json"])
def test_only_finished_games_are_public(ann: FlaskClient, game_id: int, ending: str) -> None:
    """Not even to its own players, and a running one looks as if there were none."""
    shown = page(ann, f"/games/{game_id}{ending}", 404)
    assert "Sunday" not in shown.text


def test_the_result_is_that_of_the_rules(client: FlaskClient, harbour: Harbour) -> None:
    result = score(position_now(harbour.game(FINISHED)))
    shown = page(client, f"/games/{FINISHED}").text
    totals = " ".join(
        f"{total} won" if seat in result.winners else str(total)
        for seat, total in enumerate(result.totals)
    )
    assert f"total {totals}" in shown


def test_all_moves_are_told(client: FlaskClient, harbour: Harbour) -> None:
    shown = page(client, f"/games/{FINISHED}")
    turns = position_now(harbour.game(FINISHED)).turn
    numbers = {int(one.removeprefix("turn-")) for one in shown.ids if one.startswith("turn-")}
    assert max(numbers) == turns
    # Choices of pets are told together, when the last one is made.
    assert set(range(1, turns + 1)) - numbers <= {min_missing(numbers), min_missing(numbers) + 1}
    assert "The game is over." in shown.text


def min_missing(numbers: set[int]) -> int:
    return next(number for number in range(1, max(numbers) + 2) if number not in numbers)


def test_the_record_is_whole_and_proved(client: FlaskClient) -> None:
    response = client.get(f"/games/{FINISHED}.ark.json")
    assert response.mimetype == "application/json"
    assert f'filename="game-{FINISHED}.ark.json"' in response.headers["Content-Disposition"]
    (record,) = read(response.get_data(as_text=True))
    assert replay(record).finished
    assert verify(record) == []
    assert "It holds" in page(client, f"/games/{FINISHED}").text


def test_a_proof_that_does_not_hold_is_said(client: FlaskClient, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, FINISHED)
        game.salt = "another"
        session.add(game)
    shown = page(client, f"/games/{FINISHED}").text
    assert "The proof does not hold: the commitment does not fit" in shown


def test_people_are_known_by_their_first_names_only(client: FlaskClient) -> None:
    record = client.get(f"/games/{FINISHED}.ark.json").get_data(as_text=True)
    assert json.loads(record)["names"] == ["Ann", "Bo", "Cy"]
    for address in ("/games", f"/games/{FINISHED}"):
        shown = client.get(address).get_data(as_text=True)
        for name in NAMES:
            first, last = name.split()
            assert first in shown
            assert last not in shown
            assert last not in record
    assert "noindex" in client.get(f"/games/{FINISHED}").headers["X-Robots-Tag"]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Ann Archer", "Bo"], ["Ann", "Bo"]),
        (["Ann Archer", "Ann Baker", "Ann"], ["Ann", "Ann (2)", "Ann (3)"]),
        (["Bot A", "Ann", "Bot B"], ["Bot A", "Ann", "Bot B"]),
        (["", "王小明"], ["somebody", "王小明"]),
    ],
)
def test_first_names_stay_apart(names: list[str], shown: list[str]) -> None:
    assert first_names(names) == shown


def test_what_was_said_at_the_table_stays_there(client: FlaskClient, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, FINISHED)
        append(
            session, game, "say", harbour.installation.clock(), Author("web", 1),
            seat=0, public={"text": "a confidence", "to": "all"},
        )  # fmt: skip
    assert "a confidence" not in client.get(f"/games/{FINISHED}").get_data(as_text=True)
    assert "a confidence" not in client.get(f"/games/{FINISHED}.ark.json").get_data(as_text=True)


def test_the_list_has_pages(app: Flask, client: FlaskClient, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, FINISHED)
        taken = game.model_dump(exclude={"id"})
        session.add_all(Game(**{**taken, "name": f"Copy {n}"}) for n in range(PAGE_SIZE))
    first, second = page(client, "/games"), page(client, "/games?page=2")
    assert f"{PAGE_SIZE + 1} games have been played" in first.text
    assert len(first.all("li")) > len(second.all("li"))
    assert "Old salts" in second.text, "the oldest comes last"
    for number in ("3", "0", "-1", "x", "²", "9" * 40):
        assert client.get(f"/games?page={number}").status_code == 404


def test_without_games_there_is_still_a_page(app: Flask, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, FINISHED)
        game.status = "ended"
        session.add(game)
    assert "No game has reached its end" in page(app.test_client(), "/games").text
