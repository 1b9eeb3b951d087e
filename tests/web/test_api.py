"""The JSON API: reading the archive, and playing a seat by its token."""

from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlmodel import select

from engine.moves import from_json
from engine.record import read, replay
from engine.view import view
from pbem.archive.filing import file_all
from pbem.store import Event, Game, Person
from pbem.store.positions import position_now
from pbem.store.tokens import Bearer, issue
from pbem.web.api.bearer import FAILURES, REQUESTS
from tests.conftest import HandClock
from tests.web.harbour import FINISHED, RUNNING, Harbour, page

SEAT = "/api/v1/seat"


class Program:
    """A client that plays by a token, never by a cookie."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, what: str) -> Any:
        return self.client.get(f"{SEAT}/{what}", headers=self.headers)

    def post(self, what: str, body: Any, key: str = "key-00000001") -> Any:
        headers = {**self.headers, "Idempotency-Key": key}
        return self.client.post(f"{SEAT}/{what}", json=body, headers=headers)


def own_token(browser: FlaskClient, do: str = "show") -> str:
    """The token as its owner reads it on his page."""
    form = page(browser, "/me/programs")
    answer = browser.post(
        "/me/programs", data={"csrf": form.field("csrf"), "game": RUNNING, "do": do}
    )
    text = answer.get_data(as_text=True)
    return text.partition("<code>")[2].partition("</code>")[0]


@pytest.fixture
def program(client: FlaskClient, ann: FlaskClient) -> Program:
    return Program(client, own_token(ann))


def turns(harbour: Harbour) -> int:
    with harbour.installation.store.read() as session:
        rows = select(Event).where(Event.game_id == RUNNING, Event.kind == "turn")
        return len(session.exec(rows).all())


def test_the_view_is_the_seats_own_and_nothing_more(program: Program, harbour: Harbour) -> None:
    form = program.get("view").get_json()
    seat = form["seat"]
    assert form["view"] == view(position_now(harbour.game(RUNNING)), seat).to_json()
    assert form["view"]["hands"] is None
    assert form["view"]["stack"] is None
    assert form["decision"] == harbour.game(RUNNING).decision


def test_a_move_is_done_once_and_by_the_desk(program: Program, harbour: Harbour) -> None:
    before = turns(harbour)
    legal = program.get("legal").get_json()
    assert legal["count"] >= len(legal["moves"]) > 0
    body = {"decision": legal["decision"], "move": legal["moves"][0]["move"]}
    first = program.post("move", body)
    assert (first.status_code, first.get_json()["outcome"]) == (200, "done")
    assert turns(harbour) == before + 1
    again = program.post("move", body)
    assert (again.status_code, again.get_json()["outcome"]) == (200, "repeated")
    assert turns(harbour) == before + 1
    with harbour.installation.store.read() as session:
        newest = session.exec(
            select(Event).where(Event.game_id == RUNNING, Event.kind == "turn")
        ).all()[-1]
        assert newest.move == body["move"]
        assert newest.channel == "web"


def test_a_move_for_an_earlier_decision_moves_nothing(program: Program, harbour: Harbour) -> None:
    legal = program.get("legal").get_json()
    body = {"decision": legal["decision"] - 1, "move": legal["moves"][0]["move"]}
    before = turns(harbour)
    answer = program.post("move", body)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (409, "aged")
    assert turns(harbour) == before


def test_a_preview_changes_nothing_and_knows_no_more_than_the_seat(
    program: Program, harbour: Harbour
) -> None:
    rows = harbour.rows()
    legal = program.get("legal").get_json()
    gather = next(one["move"] for one in legal["moves"] if one["move"]["type"] == "gather")
    form = program.post("preview", {"move": gather}).get_json()["view"]
    own = program.get("view").get_json()["view"]
    assert form["hand"] == [*own["hand"], gather["take"]], "what was drawn stays unknown"
    assert harbour.rows() == rows
    assert isinstance(from_json(gather), object)


def test_an_illegal_move_is_told_by_its_rules(program: Program, harbour: Harbour) -> None:
    shown = program.get("view").get_json()
    body = {"decision": shown["decision"], "move": {"type": "pass"}}
    before = turns(harbour)
    for what in ("preview", "move"):
        answer = program.post(what, body)
        error = answer.get_json()["error"]
        assert answer.status_code == 422
        assert all(error[part] for part in ("code", "rules", "message", "next"))
    assert turns(harbour) == before


BAD_BODIES: tuple[tuple[Any, str], ...] = (
    (None, "body"), ([], "body"), ({}, "move"), ({"move": {"type": "fly"}}, "move"),
    ({"decision": 0, "move": {"type": "gather", "take": "\ud800"}}, "body"),
    ({"move": {"type": "pass"}}, "decision"),
    ({"move": {"type": "pass"}, "decision": True}, "decision"),
    ({"move": {"type": "pass"}, "decision": 10**30}, "decision"),
)  # fmt: skip


def test_what_cannot_be_read_is_a_value_not_a_page(program: Program) -> None:
    for body, code in BAD_BODIES:
        answer = program.post("move", body)
        assert answer.status_code == 400
        assert answer.get_json()["error"]["code"] == code


def test_a_move_needs_a_key(program: Program) -> None:
    answer = program.post("move", {"decision": 0, "move": {"type": "pass"}}, key="short")
    assert answer.get_json()["error"]["code"] == "key"


def test_without_a_token_there_is_no_seat(client: FlaskClient) -> None:
    for header in ("", "Bearer", "Bearer x", "Basic abc", "Bearer " + "a" * 26):
        answer = client.get(f"{SEAT}/view", headers={"Authorization": header} if header else {})
        assert answer.status_code == 401
        assert answer.get_json()["error"]["code"] == "token"
        assert "WWW-Authenticate" in answer.headers


def test_a_letters_token_opens_only_games_that_ask_for_no_more(
    client: FlaskClient, harbour: Harbour
) -> None:
    here = harbour.installation
    with here.store.work() as session:
        ann = session.exec(select(Person).where(Person.name == "Ann Archer")).one()
        bearer = Bearer("seat", person_id=ann.id, game_id=RUNNING, seat=0, decision=3)
        token = issue(session, here.keys, bearer, here.clock())
    letter = Program(client, token)
    assert letter.get("view").get_json()["error"]["code"] == "policy"
    with here.store.work() as session:
        session.get_one(Game, RUNNING).mail_policy = "token"
    assert letter.get("view").status_code == 200


def test_other_links_of_letters_are_no_tokens_here(client: FlaskClient, harbour: Harbour) -> None:
    assert Program(client, harbour.token("Ann")).get("view").status_code == 401


def test_a_voided_token_is_void_for_ever(
    client: FlaskClient, ann: FlaskClient, program: Program
) -> None:
    first = program.headers["Authorization"]
    assert program.get("view").status_code == 200
    own_token(ann, "void")
    assert program.get("view").status_code == 401
    second = Program(client, own_token(ann))
    assert second.headers["Authorization"] != first
    assert second.get("view").status_code == 200


def test_who_lost_his_seat_lost_its_token(program: Program, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        session.connection().exec_driver_sql("UPDATE tenure SET until_seq = 1, bot = NULL")
    assert program.get("view").get_json()["error"]["code"] == "not-your-seat"


def test_too_many_requests_wait(program: Program, client: FlaskClient, clock: HandClock) -> None:
    answers = [program.get("view").status_code for _ in range(REQUESTS + 1)]
    assert answers == [200] * REQUESTS + [429]
    refused = program.get("view")
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert refused.get_json()["error"]["code"] == "too-many"
    clock.now += timedelta(seconds=60)
    assert program.get("view").status_code == 200
    guesses = [client.get(f"{SEAT}/view").status_code for _ in range(FAILURES + 1)]
    assert guesses == [401] * FAILURES + [429]


def test_a_game_that_is_over_is_not_played(program: Program, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        session.get_one(Game, RUNNING).status = "ended"
    assert program.get("view").get_json()["error"]["code"] == "not-running"


def test_the_archive_is_there_for_programs(client: FlaskClient, harbour: Harbour) -> None:
    file_all(harbour.installation.store)
    [row] = client.get("/api/v1/games").get_json()["games"]
    assert row["game"] == FINISHED
    (record,) = read(client.get(row["record"]).get_data(as_text=True))
    assert replay(record).finished
    game = client.get(f"/api/v1/games/{FINISHED}").get_json()
    assert len(game["moves"]) == len(record.turns)
    assert record.result is not None
    assert game["result"]["totals"] == record.result["totals"]
    step = client.get(f"/api/v1/games/{FINISHED}/turns/5?seat=1").get_json()
    assert (step["turn"], step["seat"]) == (5, 1)
    assert step["hands"] is None
    assert client.get("/api/v1/statistics").get_json()["tables"]["seat"]["rows"]


def test_what_is_not_public_is_not_there(client: FlaskClient) -> None:
    for address in (
        f"games/{RUNNING}", f"games/{RUNNING}/record", f"games/{RUNNING}/turns/1", "players/1",
        f"games/{FINISHED}/turns/999", f"games/{FINISHED}/turns/1/2", "nothing",
    ):  # fmt: skip
        answer = client.get(f"/api/v1/{address}")
        assert answer.status_code == 404
        assert answer.get_json()["error"]["code"] == "not-found"


@pytest.mark.parametrize(
    ("address", "parameter"),
    [
        ("games?limit=0", "limit"), ("games?limit=abc", "limit"), ("games?limit=101", "limit"),
        ("games?since=foo", "since"), ("games?until=9999-12-31", None),
        ("games?before=x", "before"), ("games?after=99999999999999999-1", None),
        ("statistics?players=x", "players"), (f"games/{FINISHED}/turns/1?seat=9", "seat"),
    ],
)  # fmt: skip
def test_a_parameter_that_cannot_be_read_is_named(
    client: FlaskClient, address: str, parameter: str | None
) -> None:
    answer = client.get(f"/api/v1/{address}")
    if parameter is None:  # far in the future, and still a day or a moment
        assert answer.status_code == 200
        return
    assert answer.status_code == 400
    error = answer.get_json()["error"]
    assert (error["code"], error["parameter"]) == ("query", parameter)
    assert parameter in error["message"]


def test_a_method_that_is_not_taken_is_told_as_a_value(client: FlaskClient) -> None:
    answer = client.get("/api/v1/seat/move")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]
    assert answer.get_json()["error"]["code"] == "method"
