"""Finished games: what everybody may see of them, and what nobody may of others."""

import json
import re

import pytest
from flask.testing import FlaskClient
from sqlmodel import select

from engine.proof import verify
from engine.record import read, replay
from engine.scoring import score
from pbem.archive import profiles
from pbem.archive.names import first_names
from pbem.desk.forgetting import forget
from pbem.store import FinishedSeat, Game, Person, Profile, Rating
from pbem.store.log import Author, append
from pbem.store.positions import position_now
from pbem.store.rows import id_of
from tests.web.filed import change
from tests.web.harbour import FILLING, FINISHED, NAMES, RUNNING, Harbour, page

PUBLIC = (
    "/games", f"/games/{FINISHED}", f"/games/{FINISHED}/replay?turn=9&seat=all",
    f"/games/{FINISHED}.ark.json", f"/games/{FINISHED}.txt", f"/games/{FINISHED}.html",
    "/games.atom", "/games.csv", "/games.jsonl", "/api/v1/games", f"/api/v1/games/{FINISHED}",
    f"/api/v1/games/{FINISHED}/record",
)  # fmt: skip
OF_A_GAME = ("", "/replay", ".ark.json", ".txt", ".html", "/turn-3.svg", "/turn-3.png")


pytestmark = pytest.mark.usefixtures("filed")


def test_only_finished_games_are_public(ann: FlaskClient) -> None:
    """Not even to its own players, and a running one looks as if there were none."""
    for game_id in (RUNNING, FILLING, 999, 99999999999999999999):
        for ending in OF_A_GAME:
            assert "Sunday" not in page(ann, f"/games/{game_id}{ending}", 404).text


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
    change(harbour, salt="another")
    shown = page(client, f"/games/{FINISHED}").text
    assert "The proof does not hold: the commitment does not fit" in shown


def test_the_record_in_a_page_cannot_end_its_script(client: FlaskClient, harbour: Harbour) -> None:
    change(harbour, name="</script><script>alert(1)</script>", archive="open")
    text = client.get(f"/games/{FINISHED}.html").get_data(as_text=True)
    assert text.count("<script") == text.count("</script>") == 2
    inside = text.partition('id="record">')[2].partition("</script>")[0]
    assert json.loads(inside)["x-table"].startswith("</script>")


def test_the_curve_ends_at_the_result(client: FlaskClient, harbour: Harbour) -> None:
    game = client.get(f"/api/v1/games/{FINISHED}").get_json()
    assert game["moves"][-1]["points"] == game["result"]["totals"]
    last = client.get(f"/games/{FINISHED}.csv").get_data(as_text=True).splitlines()[-1]
    assert last.split(",")[2:-1] == [str(total) for total in game["result"]["totals"]]


def test_no_turn_is_left_out_of_the_moves(client: FlaskClient) -> None:
    moves = client.get(f"/api/v1/games/{FINISHED}").get_json()["moves"]
    shown = re.findall(r'<li id="turn-([0-9]+)">', page(client, f"/games/{FINISHED}").source)
    assert [int(number) for number in shown] == [move["turn"] for move in moves]


def test_names_are_hidden_unless_the_table_opened_them(
    client: FlaskClient, harbour: Harbour
) -> None:
    for address in PUBLIC:
        hidden = client.get(address).get_data(as_text=True)
        assert "Seat A" in hidden, address
        for name in NAMES:
            assert not re.search(rf"\b({name.replace(' ', '|')})\b", hidden), (address, name)
    change(harbour, archive="open")
    for address in PUBLIC:
        opened = client.get(address).get_data(as_text=True)
        for name in NAMES:
            first, last = name.split()
            assert first in opened
            assert last not in opened


def test_search_engines_are_let_in_by_open_tables_only(
    client: FlaskClient, harbour: Harbour
) -> None:
    shown = client.get(f"/games/{FINISHED}")
    assert "noindex" in shown.headers["X-Robots-Tag"]
    change(harbour, archive="open")
    shown = client.get(f"/games/{FINISHED}")
    assert "X-Robots-Tag" not in shown.headers
    assert "noindex" not in shown.get_data(as_text=True)


def test_a_game_for_members_is_there_for_them_only(
    client: FlaskClient, ann: FlaskClient, harbour: Harbour
) -> None:
    change(harbour, archive="members")
    for ending in OF_A_GAME:
        assert client.get(f"/games/{FINISHED}{ending}").status_code == 404
        shown = ann.get(f"/games/{FINISHED}{ending}")
        assert shown.status_code == 200
        assert shown.headers["Cache-Control"] == "no-store"


def test_a_game_for_members_is_on_no_list(client: FlaskClient, harbour: Harbour) -> None:
    change(harbour, archive="members")
    for address in ("/games", "/games.atom", "/games.csv", "/games.jsonl", "/api/v1/games"):
        assert "Old salts" not in client.get(address).get_data(as_text=True)


def test_who_played_reads_the_names_he_knew(ann: FlaskClient) -> None:
    assert "Bo" in page(ann, f"/games/{FINISHED}").text


def test_a_table_called_after_somebody_is_called_by_its_number(
    client: FlaskClient, harbour: Harbour
) -> None:
    change(harbour, name="Ann’s table")
    assert f"Table {FINISHED}" in page(client, "/games").text
    change(harbour, archive="open")
    assert "Ann’s table" in page(client, "/games").text


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
    for address in PUBLIC:
        assert "a confidence" not in client.get(address).get_data(as_text=True)


def test_a_void_game_says_so_and_is_on_no_list(client: FlaskClient, harbour: Harbour) -> None:
    change(harbour, voided_at=harbour.installation.clock())
    assert "declared void" in page(client, f"/games/{FINISHED}").text
    assert "No game has reached its end" in page(client, "/games").text


def test_a_forgotten_player_is_forgotten_here(client: FlaskClient, harbour: Harbour) -> None:
    here = harbour.installation
    change(harbour, archive="open")
    with here.store.work() as session:
        bo = session.exec(select(Person).where(Person.name == "Bo Baker")).one()
        profiles.choose(session, id_of(bo), "Bosun", public=True, now=here.clock())
    assert "Bosun" in page(client, f"/games/{FINISHED}").text
    with here.store.work() as session:
        bo = session.get_one(Person, bo.id)
        forget(session, here.site, here.clock(), Author("cli"), bo)
    with here.store.read() as session:
        assert session.exec(select(Profile)).all() == []
        assert session.get(Rating, bo.id) is None
        assert "bo" not in session.exec(select(FinishedSeat.name_key)).all()
    for address in PUBLIC:
        text = client.get(address).get_data(as_text=True)
        assert "Bosun" not in text
        assert ">Bo<" not in text
    (record,) = read(client.get(f"/games/{FINISHED}.ark.json").get_data(as_text=True))
    assert replay(record).finished
    assert verify(record) == []
