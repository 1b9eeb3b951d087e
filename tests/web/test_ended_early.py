"""Games that ended before their last turn: to be read and replayed so far, and no further."""

import pytest
from flask.testing import FlaskClient

from engine.moves import Pet
from engine.view import view
from pbem.desk import ending, turns
from pbem.store import Game
from pbem.store.log import Author
from pbem.store.positions import position_now
from tests.web.harbour import RUNNING, Harbour, page, play_on

GAME = f"/games/{RUNNING}"
TURNS = 6


def end(harbour: Harbour, by: str = "consent", **values: object) -> tuple[int, ...]:
    """End the running game; the points as they stood."""
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        assert ending.end(session, here.site, here.clock(), Author("cli"), game, by)
        for name, value in values.items():
            setattr(game, name, value)
        return tuple(view(position_now(game), None).points)


def set_pet(harbour: Harbour) -> str:
    """On to the pets, where the first seat sets a card aside: which."""
    here = harbour.installation
    while True:
        with here.store.work() as session:
            game = session.get_one(Game, RUNNING)
            position = position_now(game)
            hand = view(position, 0).hand
            if position.phase == "pets" and hand:
                turns.play(session, here.site, here.clock(), Author("cli"), game, 0, Pet(hand[0]))
                return hand[0].replace("-", " ")
        play_on(here, RUNNING, 1)


def test_a_game_that_runs_is_not_there(client: FlaskClient) -> None:
    for address in (GAME, f"{GAME}/replay", f"{GAME}.csv", f"{GAME}/turn-1.svg"):
        assert client.get(address).status_code == 404
    assert "There is none." in page(client, "/games/ended").text


@pytest.mark.parametrize("by", ["consent", "moderator", "silence"])
def test_it_says_why_and_what_was_kept_and_replays_so_far(
    client: FlaskClient, harbour: Harbour, by: str
) -> None:
    points = end(harbour, by)
    shown = page(client, GAME).text
    why = {"consent": "as all have agreed", "moderator": "The moderator has ended the game",
           "silence": "nobody has said anything for long"}[by]  # fmt: skip
    assert why in shown
    assert "There is no winner." in shown
    assert f"Seat A {points[0]}" in shown
    listed = page(client, "/games/ended").text
    assert why in listed
    assert f"{TURNS} turns" in listed
    last = page(client, f"{GAME}/replay?turn={TURNS}").text
    assert f"Turn {TURNS} of {TURNS}" in last
    assert f"points now {' '.join(map(str, points))}" in last
    assert client.get(f"{GAME}/replay?turn={TURNS + 1}").status_code == 404
    assert client.get(f"{GAME}/turn-{TURNS}.svg").status_code == 200
    rows = client.get(f"{GAME}.csv").text.splitlines()
    assert len(rows) == TURNS + 2
    assert rows[-1].split(",")[2:-1] == [str(one) for one in points]


def test_what_was_secret_stays_so_for_it_may_go_on(
    client: FlaskClient, ann: FlaskClient, harbour: Harbour
) -> None:
    pet = set_pet(harbour)
    end(harbour)
    with harbour.installation.store.read() as session:
        position = position_now(session.get_one(Game, RUNNING))
    last = f"{GAME}/replay?turn={position.turn}"
    for browser, own in ((client, False), (ann, True)):
        for address in (GAME, last):
            assert f"pet {pet}" not in page(browser, address).text
            assert "’s hand" not in page(browser, address).text
        for seat in ("1", "all"):
            assert browser.get(f"{last}&seat={seat}").status_code == 404
        for address in (f"{GAME}.ark.json", f"{GAME}.txt", f"{GAME}.html"):
            assert browser.get(address).status_code == 404
        assert browser.get(f"/api/v1{GAME}").status_code == 404
        assert (browser.get(f"{last}&seat=0").status_code == 200) is own
    seen = page(ann, f"{last}&seat=0").text
    assert f"pet {pet}" in seen
    assert "Ann’s hand" in seen
    assert f"pet: {pet}" in seen


def test_who_played_in_it_finds_it_and_others_only_what_is_open(
    client: FlaskClient, ann: FlaskClient, harbour: Harbour
) -> None:
    end(harbour, archive="members")
    assert client.get(GAME).status_code == client.get(f"{GAME}/replay").status_code == 404
    assert "Sunday club" not in page(client, "/games/ended").text
    assert "The game has ended before its last turn." in page(ann, "/me").text
    assert ann.get(f"/me/games/{RUNNING}").headers["Location"].endswith(GAME)
    assert "There is no winner." in page(ann, GAME).text


def test_a_void_one_is_on_no_list_and_a_page_of_the_list_is_cut(
    client: FlaskClient, harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    end(harbour)
    assert "Sunday club" in page(client, "/games/ended").text
    assert "There is none." in page(client, f"/games/ended?before={RUNNING}").text
    for wrong in ("x", "-1", "²", "9" * 10):
        assert client.get(f"/games/ended?before={wrong}").status_code == 404
    with harbour.installation.store.work() as session:
        session.get_one(Game, RUNNING).voided_at = harbour.installation.clock()
    assert "Sunday club" not in page(client, "/games/ended").text
    assert "declared void" in page(client, GAME).text


def test_one_that_ended_before_its_first_turn(client: FlaskClient, harbour: Harbour) -> None:
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        session.connection().exec_driver_sql(
            f"DELETE FROM event WHERE game_id = {RUNNING} AND kind = 'turn'"
        )
        game.name = "Nobody began"
    end(harbour)
    assert "There is no winner." in page(client, GAME).text
    assert "begins." in page(client, f"{GAME}/replay").text
