"""A new browser acts only after a code from the mailbox."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select
from werkzeug.test import TestResponse

from pbem.post.content import content_of
from pbem.store import Game, Invitation, Letter
from pbem.web.play.proving import OPEN
from tests.conftest import HandClock
from tests.web.harbour import FILLING, RUNNING, Harbour, answer, page, send

TABLE = f"/me/games/{RUNNING}"
BROWSER = "/me/browser"


@pytest.fixture
def stranger(app: Flask, harbour: Harbour) -> FlaskClient:
    """A browser in which Ann's link was opened, and nothing else."""
    return harbour.new_browser(app, "Ann")


def post(client: FlaskClient, **fields: str) -> TestResponse:
    return client.post(BROWSER, data={"csrf": page(client, BROWSER).field("csrf"), **fields})


def codes(harbour: Harbour) -> list[str]:
    """The codes that were mailed, the newest last."""
    here = harbour.installation
    with here.store.read() as session:
        rows = session.exec(
            select(Letter).where(Letter.kind == "browser-code").order_by(col(Letter.id))
        ).all()
        assert {row.to_address for row in rows} <= {"ann@example.org"}
        texts = [content_of(session, here.site, row).text for row in rows]
    return [re.findall(r"^[0-9]{6}$", text, re.MULTILINE)[0] for text in texts]


def turn(client: FlaskClient) -> TestResponse:
    """Send the first example of the table's page."""
    shown = page(client, TABLE)
    example = re.findall(r'\?text=[^"]*">([^<]+)</a></li>', shown.source)[0]
    fields = {name: shown.field(name) for name in ("csrf", "key", "decision")}
    return client.post(TABLE, data={**fields, "text": example, "do": "do"})


def test_looking_is_free_and_the_first_action_asks(stranger: FlaskClient, harbour: Harbour) -> None:
    assert "This browser is new here" in page(stranger, TABLE).text
    seq = harbour.game(RUNNING).seq
    stopped = turn(stranger)
    assert stopped.status_code == 303
    assert stopped.location.startswith(f"{BROWSER}?back=")
    assert "Nothing has been done yet" in page(stranger, stopped.location).text
    assert harbour.game(RUNNING).seq == seq


def test_the_code_makes_the_browser_known(stranger: FlaskClient, harbour: Harbour) -> None:
    back = page(stranger, turn(stranger).location).field("back")
    assert "a…@example.org" in text_of(post(stranger, do="send", back=back))
    [code] = codes(harbour)
    done = post(stranger, do="check", code=f" {code[:3]} {code[3:]}", back=back)
    assert (done.status_code, done.location) == (303, back)
    assert "take" in page(stranger, back.partition("#")[0]).source.partition("<textarea")[2][:300]
    seq = harbour.game(RUNNING).seq
    assert turn(stranger).location.startswith(f"{TABLE}?answer=")
    assert harbour.game(RUNNING).seq > seq


def test_a_form_beside_the_tables_is_come_back_to(stranger: FlaskClient, harbour: Harbour) -> None:
    csrf = page(stranger, "/me/programs").field("csrf")
    stopped = stranger.post("/me/programs", data={"csrf": csrf})
    assert stopped.location.startswith(f"{BROWSER}?back=/me/programs")
    back = page(stranger, stopped.location).field("back")
    post(stranger, do="send", back=back)
    [code] = codes(harbour)
    assert post(stranger, do="check", code=code, back=back).location == "/me/programs"


@pytest.mark.parametrize("back", ["//evil.example", "/me//evil.example", "/moderator", "/me.evil"])
def test_one_comes_back_to_own_pages_only(stranger: FlaskClient, back: str) -> None:
    assert page(stranger, f"{BROWSER}?back={back}").field("back") == "/me"


def test_a_wrong_code_does_nothing_and_many_have_to_wait(
    stranger: FlaskClient, harbour: Harbour, clock: HandClock
) -> None:
    post(stranger, do="send")
    [code] = codes(harbour)
    wrong = "000000" if code != "000000" else "111111"
    for _ in range(5):
        assert "not the code" in text_of(post(stranger, do="check", code=wrong))
    assert "tried too often" in text_of(post(stranger, do="check", code=code))
    assert turn(stranger).location.startswith(BROWSER)
    clock.advance(minutes=10)
    assert post(stranger, do="check", code=code).status_code == 303


def test_a_code_runs_out(stranger: FlaskClient, harbour: Harbour, clock: HandClock) -> None:
    post(stranger, do="send")
    clock.advance(minutes=16)
    assert "run out" in text_of(post(stranger, do="check", code=codes(harbour)[0]))


def test_a_code_is_of_one_browser_and_person(
    app: Flask, stranger: FlaskClient, harbour: Harbour
) -> None:
    post(stranger, do="send")
    other = harbour.new_browser(app, "Bo")
    post(other, do="check", code=codes(harbour)[0])
    assert "not the code" in text_of(post(other, do="check", code=codes(harbour)[0]))
    third = harbour.new_browser(app, "Ann")
    assert "not the code" in text_of(post(third, do="check", code=codes(harbour)[0]))


def test_letters_with_codes_are_few(stranger: FlaskClient, harbour: Harbour) -> None:
    for _ in range(9):
        post(stranger, do="send")
    assert len(codes(harbour)) <= 4


def test_the_code_is_not_among_the_letters_that_the_link_opens(
    stranger: FlaskClient, harbour: Harbour
) -> None:
    post(stranger, do="send")
    assert codes(harbour)
    assert "a code" not in page(stranger, "/me/letters").text


def test_every_action_of_the_own_pages_asks(stranger: FlaskClient, app: Flask) -> None:
    token = page(stranger, BROWSER).field("csrf")
    asked = 0
    for rule in app.url_map.iter_rules():
        own = "POST" in (rule.methods or ()) and rule.rule.startswith("/me/")
        if own and rule.endpoint not in OPEN:
            address = rule.build(dict.fromkeys(rule.arguments, RUNNING))
            assert address is not None
            response = stranger.post(address[1], data={"csrf": token})
            assert (response.location or "").startswith(BROWSER), rule.rule
            asked += 1
    assert asked > 8


def test_where_the_link_is_enough_nothing_is_asked(stranger: FlaskClient, harbour: Harbour) -> None:
    harbour.trust(RUNNING)
    assert "This browser is new" not in page(stranger, TABLE).text
    assert answer(send(stranger, page(stranger, TABLE), "status"))


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/me/games/../../x", "\\\\evil", "/games"]
)
def test_it_leads_back_to_own_pages_only(stranger: FlaskClient, back: str) -> None:
    shown = stranger.get(BROWSER, query_string={"back": back}).get_data(as_text=True)
    assert 'name="back" value="/me"' in shown


def text_of(response: TestResponse) -> str:
    return " ".join(response.get_data(as_text=True).split())


def test_what_reaches_others_always_asks_for_the_code(
    stranger: FlaskClient, harbour: Harbour
) -> None:
    """However little the tables ask for: a link that leaked must not write to anybody."""
    with harbour.installation.store.work() as session:
        for game in session.exec(select(Game)):
            game.mail_policy = "token"
            game.lobby = game.id == FILLING
        asked = select(Invitation).where(Invitation.game_id == FILLING, Invitation.person_id == 1)
        session.exec(asked).one().state = "withdrawn"  # her place is free
        letters = len(session.exec(select(Letter.id)).all())
    csrf = page(stranger, BROWSER).field("csrf")
    form = {"csrf": csrf, "key": "k" * 20, "name": "Mine", "players": "3",
            "addresses": "bo@example.org, victim@example.org"}  # fmt: skip
    before = harbour.rows()
    for address in ("/new", f"/lobby/{FILLING}"):
        shown = page(stranger, address)
        assert "This browser is new here" in shown.text
        main = shown.source.partition("<main")[2].partition("</main>")[0]
        assert '<form method="post"' not in main
        stopped = stranger.post(address, data=form)
        assert stopped.status_code == 303
        assert stopped.location.startswith(f"{BROWSER}?back={address}")
    assert harbour.rows() == before
    back = page(stranger, stranger.post("/new", data=form).location).field("back")
    post(stranger, do="send", back=back)
    [code] = codes(harbour)
    assert post(stranger, do="check", code=code, back=back).location == "/new"
    assert stranger.post("/new", data=form).status_code == 303
    with harbour.installation.store.read() as session:
        assert session.exec(select(Game).where(Game.name == "Mine")).one().organiser_id == 1
        assert len(session.exec(select(Letter.id)).all()) > letters


def mailed(client: FlaskClient, harbour: Harbour, to: str = "new") -> str:
    """The link that a browser asks for, to be sent to Ann."""
    csrf = page(client, "/link").field("csrf")
    client.post("/link", data={"csrf": csrf, "address": "ann@example.org", "to": to})
    here = harbour.installation
    with here.store.read() as session:
        row = session.exec(
            select(Letter).where(Letter.kind == "visit").order_by(col(Letter.id).desc())
        ).first()
        assert row is not None
        assert "asked=" in content_of(session, here.site, row).text
        return re.findall(r"/p/\S+", content_of(session, here.site, row).text)[0]


def is_known(client: FlaskClient) -> bool:
    return "This browser is new here" not in page(client, "/new").text


def test_a_link_makes_the_browser_known_that_asked_for_it(
    client: FlaskClient, app: Flask, harbour: Harbour
) -> None:
    link = mailed(client, harbour)
    other = app.test_client()
    assert other.get(link).location == client.get(link).location == "/new"
    assert is_known(client)
    assert not is_known(other), "a letter that is forwarded makes nobody known"


@pytest.mark.parametrize("asked", ["", "0" * 16, "é"])
def test_no_other_link_does(client: FlaskClient, harbour: Harbour, asked: str) -> None:
    link = mailed(client, harbour).partition("?")[0]
    client.get(f"{link}?to=new&asked={asked}")
    assert not is_known(client)


def test_nor_does_one_that_came_long_ago(
    client: FlaskClient, harbour: Harbour, clock: HandClock
) -> None:
    link = mailed(client, harbour)
    clock.advance(hours=3)
    client.get(link)
    assert not is_known(client)
