"""Finished games: what everybody may see of them, and what nobody may of others."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select

from engine.proof import verify
from engine.record import read, replay
from engine.scoring import score
from engine.view import view
from pbem.archive import profiles
from pbem.archive.filing import file_all
from pbem.archive.names import first_names
from pbem.archive.search import PAGE_SIZE
from pbem.desk.forgetting import forget
from pbem.store import FinishedSeat, Game, Person, Profile, Rating
from pbem.store.log import Author, append
from pbem.store.positions import position_now, replayed
from pbem.web.archive.figures import TABLES, Counted
from tests.web.harbour import FILLING, FINISHED, NAMES, RUNNING, Harbour, page

PUBLIC = (
    "/games", f"/games/{FINISHED}", f"/games/{FINISHED}/replay?turn=9&seat=all",
    f"/games/{FINISHED}.ark.json", f"/games/{FINISHED}.txt", f"/games/{FINISHED}.html",
    "/games.atom", "/games.csv", "/games.jsonl", "/api/v1/games", f"/api/v1/games/{FINISHED}",
    f"/api/v1/games/{FINISHED}/record",
)  # fmt: skip
OF_A_GAME = ("", "/replay", ".ark.json", ".txt", ".html", "/turn-3.svg", "/turn-3.png")


@pytest.fixture(autouse=True)
def filed(harbour: Harbour) -> None:
    """The archive knows what is over."""
    file_all(harbour.installation.store)


def change(harbour: Harbour, **values: object) -> None:
    """Change the finished game, and let the archive know."""
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, FINISHED)
        for name, value in values.items():
            setattr(game, name, value)
        session.add(game)
    file_all(harbour.installation.store)


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


# ------------------------------------------------------------------------------ who is who


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
        profiles.choose(session, bo.id or 0, "Bosun", public=True, now=here.clock())
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


# ---------------------------------------------------------------------------- list and search


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


# -------------------------------------------------------------------------------- the replay


def test_a_step_shows_the_table_as_it_was(client: FlaskClient, harbour: Harbour) -> None:
    seqs = [0, *_turn_seqs(harbour)]
    for turn in (0, 1, 17, len(seqs) - 1):
        with harbour.installation.store.read() as session:
            then = view(replayed(session, session.get_one(Game, FINISHED), seqs[turn]), None)
        shown = page(client, f"/games/{FINISHED}/replay?turn={turn}")
        assert f"points now {' '.join(map(str, then.points))}" in shown.text
        assert f"rain {then.rain} of 5" in shown.text
        assert len(
            [tag for tag in shown.all("li") if "berth" in tag.attributes.get("class", "")]
        ) == sum(len(cabin) for side in then.ark.values() for cabin in side)


def _turn_seqs(harbour: Harbour) -> list[int]:
    with harbour.installation.store.read() as session:
        rows = session.connection().exec_driver_sql(
            "SELECT seq FROM event WHERE game_id = 1 AND kind = 'turn' ORDER BY seq"
        )
        return list(rows.scalars())


def test_a_seat_sees_its_hand_and_no_other(client: FlaskClient) -> None:
    address = f"/games/{FINISHED}/replay?turn=12"
    assert "’s hand" not in page(client, address).text
    own = page(client, f"{address}&seat=1").text
    assert "Seat B’s hand" in own
    assert "Seat A’s hand" not in own
    every = page(client, f"{address}&seat=all").text
    assert all(f"Seat {letter}’s hand" in every for letter in "ABC")


def test_no_such_step(client: FlaskClient) -> None:
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
    assert seen == len(_turn_seqs(harbour))


def test_who_has_a_page_already_is_not_sent_it_again(client: FlaskClient) -> None:
    for address in (f"/games/{FINISHED}", f"/games/{FINISHED}/replay?turn=3", "/games.atom"):
        etag = client.get(address).headers["ETag"]
        assert client.get(address, headers={"If-None-Match": etag}).status_code == 304


# -------------------------------------------------------------------------------- as data


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
    assert len(rows) == len(_turn_seqs(harbour)) + 2
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


# -------------------------------------------------------------------------------- profiles


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


def test_copies_of_a_provision_are_counted_as_one_card() -> None:
    counts = {"grain-1": Counted(2, 1, 30), "grain-3": Counted(1, 0, 9), "fox": Counted(1, 1, 20)}
    rows = TABLES["card"](counts, None).rows
    assert rows == (("fox", 1, 100.0, 20.0), ("grain", 3, 33.3, 13.0))
