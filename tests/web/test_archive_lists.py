"""Finding finished games, and the archive as data."""

import csv
import io
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from engine.record import read
from engine.scoring import score
from engine.view import view
from pbem.archive.filing import file_all
from pbem.archive.search import PAGE_SIZE
from pbem.store import Game
from pbem.store.positions import position_now
from pbem.web.archive.figures import TABLES, Counted
from tests.web.filed import change, turn_seqs
from tests.web.harbour import FINISHED, Harbour, page

pytestmark = pytest.mark.usefixtures("filed")


def test_the_list_goes_on_where_a_page_ends(client: FlaskClient, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, FINISHED)
        taken = game.model_dump(exclude={"id", "filed_as", "seed"})
        for number in range(PAGE_SIZE):
            copy = Game(**{**taken, "name": f"Copy {number}"})
            session.add(copy)
            session.flush()
            session.connection().exec_driver_sql(
                "INSERT INTO event (game_id, seq, kind, at, seat, channel, decision, move,"
                " happenings, public, private) SELECT ?, seq, kind, at, seat, channel, decision,"
                " move, happenings, public, private FROM event WHERE game_id = ?",
                (copy.id, FINISHED),
            )
            for seat in range(3):
                session.connection().exec_driver_sql(
                    "INSERT INTO seat (game_id, number) VALUES (?, ?)", (copy.id, seat)
                )
                session.connection().exec_driver_sql(
                    "INSERT INTO tenure (seat_id, bot, from_seq)"
                    " VALUES (last_insert_rowid(), 'random', 1)"
                )
    file_all(harbour.installation.store)
    first = page(client, "/games")
    assert f"{PAGE_SIZE + 1} games have been played" in first.text
    [older] = [tag for tag in first.all("a") if tag.attributes.get("rel") == "next"]
    second = page(client, older.attributes["href"])
    assert "Old salts" in second.text, "the oldest comes last"
    [newer] = [tag for tag in second.all("a") if tag.attributes.get("rel") == "prev"]
    assert page(client, newer.attributes["href"]).text == first.text


BAD_QUERIES = (
    "before=x", "before=9-9-9", "after=1", "players=9", "since=yesterday",
    "deck=%3Cb%3E", "length=endless", "result=won", "driver=%00",
)  # fmt: skip


def test_a_search_that_cannot_be_read_is_not_found(client: FlaskClient) -> None:
    for query in BAD_QUERIES:
        for address, status in (("/games", 404), ("/games.csv", 404), ("/api/v1/games", 400)):
            assert client.get(f"{address}?{query}").status_code == status, query


def test_the_form_finds_who_drove_out_whom(client: FlaskClient, harbour: Harbour) -> None:
    (record,) = read(client.get(f"/games/{FINISHED}.ark.json").get_data(as_text=True))
    card, out = next(
        (one.card, one.out)
        for turn in record.turns
        for one in getattr(turn.move, "plays", ())
        if one.out
    )
    assert "Old salts" in page(client, f"/games?driver={card}&victim={out}").text
    assert "Old salts" not in page(client, f"/games?driver={card}&victim=walrus").text


def test_without_games_there_is_still_a_page(client: FlaskClient, harbour: Harbour) -> None:
    change(harbour, voided_at=harbour.installation.clock())
    assert "No game has reached its end" in page(client, "/games").text
    assert "No game of this sort" in page(client, "/games/statistics").text
    ElementTree.fromstring(client.get("/games.atom").data)


def test_the_notation_can_be_read_again(client: FlaskClient) -> None:
    (record,) = read(client.get(f"/games/{FINISHED}.ark.json").get_data(as_text=True))
    text = client.get(f"/games/{FINISHED}.txt").get_data(as_text=True)
    lines = [line for line in text.splitlines() if line[:1].isdigit()]
    assert len(lines) == len(record.turns)
    assert "stack: " in text


def test_the_list_as_a_table(client: FlaskClient, harbour: Harbour) -> None:
    change(harbour, name="=HYPERLINK(1)")
    [head, row] = csv.reader(io.StringIO(client.get("/games.csv").get_data(as_text=True)))
    facts = dict(zip(head, row, strict=False))
    assert facts["game"] == str(FINISHED)
    assert facts["table"] == "'=HYPERLINK(1)", "no spreadsheet takes it for a formula"
    assert int(facts["best"]) == max(score(position_now(harbour.game(FINISHED))).totals)


def test_the_points_of_a_game_as_a_table(client: FlaskClient, harbour: Harbour) -> None:
    rows = list(csv.reader(io.StringIO(client.get(f"/games/{FINISHED}.csv").text)))
    assert rows[0] == ["turn", "player", "Seat A", "Seat B", "Seat C", "balance"]
    assert len(rows) == len(turn_seqs(harbour)) + 2
    end = view(position_now(harbour.game(FINISHED)), None)
    totals = score(position_now(harbour.game(FINISHED))).totals
    assert rows[-1][2:] == [*map(str, totals), str(end.balance)]


def test_statistics_say_the_same_in_every_form(client: FlaskClient) -> None:
    shown = page(client, "/games/statistics?players=3").text
    found = client.get("/games/statistics/seat.json?players=3").get_json()
    rows = list(csv.reader(io.StringIO(client.get("/games/statistics/seat.csv").text)))
    assert [found["columns"], *(list(map(str, row)) for row in found["rows"])] == rows
    assert all(" ".join(row) in shown for row in rows[1:])
    assert client.get("/games/statistics/none.csv").status_code == 404
    assert client.get("/games/statistics?players=7").status_code == 404


def test_the_feed_is_atom(client: FlaskClient) -> None:
    root = ElementTree.fromstring(client.get("/games.atom").data)
    name = "{http://www.w3.org/2005/Atom}"
    [entry] = root.findall(f"{name}entry")
    assert entry.findtext(f"{name}id", "").endswith(f"/games/{FINISHED}")
    assert root.findtext(f"{name}updated") == entry.findtext(f"{name}updated")


def test_copies_of_a_provision_are_counted_as_one_card() -> None:
    counts = {"grain-1": Counted(2, 1, 30), "grain-3": Counted(1, 0, 9), "fox": Counted(1, 1, 20)}
    rows = TABLES["card"](counts, None).rows
    assert rows == (("fox", 1, 100.0, 20.0), ("grain", 3, 33.3, 13.0))
