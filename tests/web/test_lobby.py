"""Opening a table, taking a place, watching, and the link by mail."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select
from werkzeug.test import TestResponse

from engine.cards import builtin_deck, cards_form
from pbem.post.content import content_of
from pbem.store import Game, Invitation, Letter, Person, UploadedDeck
from pbem.store.people import person_by_address
from tests.conftest import HandClock
from tests.web.harbour import RUNNING, Harbour, Page, answer, page, play_on, send


def newest_game(harbour: Harbour) -> Game:
    with harbour.installation.store.read() as session:
        game = session.exec(select(Game).order_by(col(Game.id).desc()).limit(1)).one()
        session.expunge(game)
        return game


def open_table(client: FlaskClient, **fields: str) -> TestResponse:
    form = page(client, "/new")
    usual = {"csrf": form.field("csrf"), "key": form.field("key"), "name": "Tea time",
             "players": "3", "pace": "48h"}  # fmt: skip
    return client.post("/new", data=usual | fields)


def links_to(harbour: Harbour, address: str) -> list[str]:
    """The links that were mailed to an address, the newest last."""
    here = harbour.installation
    with here.store.read() as session:
        query = select(Letter).where(Letter.kind == "visit", Letter.to_address == address)
        rows = session.exec(query.order_by(col(Letter.id))).all()
        texts = [content_of(session, here.site, row).text for row in rows]
    return [re.findall(r"https?://[^/\s]+(/p/\S+)", text)[0] for text in texts]


def ask(client: FlaskClient, address: str, to: str = "") -> str:
    form = page(client, f"/link?to={to}" if to else "/link")
    sent = client.post("/link", data={"csrf": form.field("csrf"), "address": address, "to": to})
    return " ".join(sent.get_data(as_text=True).split())


def test_a_table_in_one_form(ann: FlaskClient, harbour: Harbour) -> None:
    done = open_table(
        ann, addresses="bo@example.org\ndora@example.org", pace="72h", archive="members",
        watch="3", mail_policy="token", language="de", on_miss="bot", grace_hours="12",
        absence_days="5", misses_before_offer="4", on_offer="bot",
    )  # fmt: skip
    assert done.status_code == 303, done.get_data(as_text=True)
    assert (done.status_code, done.location[:11]) == (303, "/me?answer=")
    assert "is open; the invitations" in page(ann, done.location.partition("#")[0]).text
    game = newest_game(harbour)
    assert (game.name, game.players, game.turn_seconds) == ("Tea time", 3, 72 * 3600)
    assert (game.archive, game.watch_turns, game.mail_policy) == ("members", 3, "token")
    assert game.options is not None
    options = {name: game.options[name] for name in ("on_miss", "grace_hours", "absence_days")}
    assert options == {"on_miss": "bot", "grace_hours": 12, "absence_days": 5}
    assert (game.options["misses_before_offer"], game.options["on_offer"]) == (4, "bot")
    assert not game.options["nights_count"]
    with harbour.installation.store.read() as session:
        invited = session.exec(select(Invitation).where(Invitation.game_id == game.id)).all()
        assert [one.state for one in invited] == ["accepted", "invited", "invited"]
        dora, bo = (person_by_address(session, f"{one}@example.org") for one in ("dora", "bo"))
        assert dora is not None and bo is not None  # noqa: PT018
        assert (dora.language, bo.language) == ("de", "en")


def test_a_name_may_hold_any_word(ann: FlaskClient, harbour: Harbour) -> None:
    """“time” ends the name of `new game`, unless it stands in quotation marks."""
    done = open_table(ann, addresses="bo@example.org\ncy@example.org")
    shown = answer(page(ann, done.location.partition("#")[0]))
    assert "new game “Tea time” with" in shown
    assert ", Tea time, is open" in shown
    assert newest_game(harbour).name == "Tea time"


def test_a_deck_that_was_uploaded_may_be_chosen(
    ann: FlaskClient, harbour: Harbour, clock: HandClock
) -> None:
    assert 'name="deck"' not in page(ann, "/new").source  # there is no choice
    cards = cards_form(builtin_deck())
    with harbour.installation.store.work() as session:
        session.add(UploadedDeck(name="flood", cards=cards, at=clock()))
        session.add(UploadedDeck(name="ebb", cards=cards, at=clock(), withdrawn_at=clock()))
    shown = page(ann, "/new").source
    assert '<option value="flood">' in shown
    assert "ebb" not in shown
    assert open_table(ann, bots="2", deck="flood").status_code == 303
    game = newest_game(harbour)
    assert (game.deck, game.cards, game.status) == ("flood", cards, "running")
    refused = open_table(ann, bots="2", deck="ebb")
    assert refused.status_code == 400
    said = answer(Page(refused.get_data(as_text=True)))
    assert "no deck “ebb”" in said
    assert "new game" not in said  # he has written no command


def test_the_same_form_twice_opens_one_table(ann: FlaskClient, harbour: Harbour) -> None:
    form = page(ann, "/new")
    data = {"csrf": form.field("csrf"), "key": form.field("key"), "name": "Once", "players": "3",
            "addresses": "bo@example.org, cy@example.org"}  # fmt: skip
    first, second = ann.post("/new", data=data), ann.post("/new", data=data)
    assert first.location == second.location
    with harbour.installation.store.read() as session:
        assert len(session.exec(select(Game.id).where(Game.name == "Once")).all()) == 1


def test_what_cannot_be_opened_is_said_with_the_form_as_it_was(ann: FlaskClient) -> None:
    refused = open_table(
        ann, addresses="nobody, bo@example.org", name="Broken oar", own_pace="soon"
    )
    assert refused.status_code == 400
    shown = Page(refused.get_data(as_text=True))
    assert 'value="Broken oar"' in shown.source
    assert "Nothing was done." in shown.text
    assert "new game" not in shown.text  # he has written no command
    for field, said in (
        ("addresses", "nobody is not a mail address."), ("own_pace", "“soon” is no time control."),
    ):  # fmt: skip
        beside = re.search(rf'id="fault-{field}".*?</div>', shown.source)
        assert beside is not None
        assert said in Page(beside[0]).text
        assert f' fault-{field}"' in shown.source  # the field names it


def test_more_people_than_places_are_counted(ann: FlaskClient) -> None:
    refused = open_table(ann, addresses="bo@example.org, cy@example.org", bots="1")
    assert refused.status_code == 400
    assert "Beside you there are 2 places" in Page(refused.get_data(as_text=True)).text


def test_who_has_accepted_is_told_from_who_is_asked(
    ann: FlaskClient, harbour: Harbour, app: Flask, client: FlaskClient
) -> None:
    asked = "bo@example.org, cy@example.org"
    assert open_table(ann, addresses=asked, players="4", lobby="1").status_code == 303
    number = newest_game(harbour).id
    with harbour.installation.store.work() as session:
        cy = session.exec(
            select(Invitation)
            .join(Person, col(Person.id) == col(Invitation.person_id))
            .where(Invitation.game_id == number, col(Person.name).startswith("Cy"))
        ).one()
        cy.state = "accepted"
        session.add(cy)
    assert "There so far: Cy Cooper. No answer yet: Bo Baker." in page(ann, "/me").text
    bo = harbour.browser(app, "Bo")
    assert "There so far: Ann Archer and Cy Cooper. It has to fill" in page(bo, "/me").text
    assert "There so far: Ann and Cy. No answer yet: Bo." in page(ann, "/lobby").text
    assert "No answer yet Bo" in page(ann, f"/lobby/{number}").text
    assert "There so far: Ann and Cy. No answer yet: 1." in page(client, "/lobby").text
    assert "No answer yet 1" in page(client, f"/lobby/{number}").text


def test_bots_begin_at_once(ann: FlaskClient, harbour: Harbour) -> None:
    assert open_table(ann, bots="2").status_code == 303
    game = newest_game(harbour)
    assert game.status == "running"
    alone = f"/me/games/{game.id}"
    assert "have to agree" in page(ann, f"/me/games/{RUNNING}").text
    assert "have to agree" not in page(ann, alone).text  # there is nobody else to
    with harbour.installation.store.work() as session:
        session.get_one(Game, game.id).paused_at = harbour.installation.clock()
    shown = page(ann, alone).text
    assert "Let them run" in shown
    assert "Decided together" not in shown


def test_a_stranger_takes_the_last_place_of_an_open_table(
    ann: FlaskClient, app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    assert open_table(ann, addresses="", bots="1", lobby="1").status_code == 303
    number = newest_game(harbour).id
    assert "Tea time" in page(client, "/lobby").text
    shown = page(client, f"/lobby/{number}").text
    assert "There so far Ann, and 1 bot" in shown
    assert "Archer" not in shown
    assert "Look into your mailbox" in ask(client, "Dora@example.org", f"lobby/{number}")
    [link] = links_to(harbour, "dora@example.org")
    assert client.get(link).location == f"/lobby/{number}"
    place = page(client, f"/lobby/{number}")
    assert harbour.game(number or 0).status == "inviting"  # looking takes no place
    data = {"csrf": place.field("csrf"), "key": place.field("key")}
    taken = client.post(f"/lobby/{number}", data=data)
    assert taken.location.startswith(f"/me/games/{number}?answer=")
    assert "the game has begun" in page(client, taken.location.partition("#")[0]).text
    assert harbour.game(number or 0).status == "running"
    assert client.post(f"/lobby/{number}", data=data).status_code == 404
    with harbour.installation.store.read() as session:
        letters = session.exec(
            select(Letter.kind).where(Letter.to_address == "dora@example.org")
        ).all()
    assert "begins" in letters


def test_a_table_that_is_not_open_has_no_place_for_anybody(
    ann: FlaskClient, app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    open_table(ann, addresses="bo@example.org, cy@example.org")
    number = newest_game(harbour).id
    assert client.get(f"/lobby/{number}").status_code == 404
    assert "Tea time" not in page(client, "/lobby").text
    ask(client, "dora@example.org", f"lobby/{number}")
    assert links_to(harbour, "dora@example.org") == []


@pytest.mark.parametrize("number", [0, RUNNING, 99999, 2**40])
def test_there_is_no_place_where_there_is_no_table(client: FlaskClient, number: int) -> None:
    assert client.get(f"/lobby/{number}").status_code == 404
    assert client.get(f"/watch/{number}").status_code == 404


# -- the link by mail


def test_the_link_comes_again_and_the_page_says_the_same_to_all(
    client: FlaskClient, harbour: Harbour
) -> None:
    known, unknown = ask(client, "ann@example.org"), ask(client, "zoe@example.org")
    assert known.replace("ann@", "zoe@") == unknown
    assert links_to(harbour, "zoe@example.org") == []
    [link] = links_to(harbour, "ann@example.org")
    assert client.get(link).location == "/me"
    with harbour.installation.store.read() as session:
        assert session.exec(select(Person).where(Person.name == "zoe")).first() is None


def test_nobodys_mailbox_is_filled(client: FlaskClient, harbour: Harbour, clock: HandClock) -> None:
    for _ in range(8):
        ask(client, "ann@example.org")
    assert len(links_to(harbour, "ann@example.org")) <= 4
    clock.advance(hours=1)
    ask(client, "ann@example.org")
    assert len(links_to(harbour, "ann@example.org")) <= 5


def test_what_is_no_address_is_said_so(client: FlaskClient) -> None:
    assert "is not a mail address" in ask(client, "not an address")


@pytest.mark.parametrize("to", ["//evil.example", "lobby/x", "me", "https://evil.example"])
def test_the_link_leads_on_to_pages_of_ours_only(
    client: FlaskClient, harbour: Harbour, to: str
) -> None:
    ask(client, "ann@example.org", to)
    [link] = links_to(harbour, "ann@example.org")
    assert "to=" not in link
    assert client.get(f"{link}&to={to}").location == "/me"


# -- watching


@pytest.fixture
def watched(harbour: Harbour) -> str:
    """The address of a running game that anybody may watch two turns later."""
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, RUNNING)
        game.watch_turns = 2
        session.add(game)
    return f"/watch/{RUNNING}"


def test_a_game_is_watched_some_turns_later(
    watched: str, client: FlaskClient, harbour: Harbour
) -> None:
    assert "Seat A" in page(client, "/watch").text
    shown = page(client, watched)
    assert "turn 5" in shown.text
    tag = client.get(watched).headers["ETag"]
    assert client.get(watched, headers={"If-None-Match": tag}).status_code == 304
    other = {"If-None-Match": tag, "Accept-Language": "de"}
    assert client.get(watched, headers=other).status_code == 200
    play_on(harbour.installation, RUNNING, 1)
    after = client.get(watched, headers={"If-None-Match": tag})
    assert after.status_code == 200
    assert "turn 6" in after.get_data(as_text=True)


def test_what_people_say_is_not_shown(
    watched: str, client: FlaskClient, ann: FlaskClient, harbour: Harbour
) -> None:
    table = page(ann, f"/me/games/{RUNNING}")
    data = {name: table.field(name) for name in ("csrf", "key", "decision")}
    ann.post(f"/me/games/{RUNNING}", data={**data, "text": "say all: ahoy there", "do": "do"})
    play_on(harbour.installation, RUNNING, 3)
    assert "ahoy" not in page(client, watched).source


def test_nobody_watches_unless_the_table_lets_him(client: FlaskClient) -> None:
    assert client.get(f"/watch/{RUNNING}").status_code == 404
    assert "Sunday" not in page(client, "/watch").text


def test_observe_says_where_to_watch(ann: FlaskClient, harbour: Harbour) -> None:
    """Nothing tells a game that is closed from one that does not exist."""
    table = f"/me/games/{RUNNING}"
    harbour.trust(RUNNING)
    said = answer(send(ann, page(ann, table), f"observe {RUNNING}"))
    unknown = answer(send(ann, page(ann, table), "observe 999"))
    assert f"Game {RUNNING} is not open to watch." in said
    assert said.replace(str(RUNNING), "N") == unknown.replace("999", "N")
    with harbour.installation.store.work() as session:
        session.get_one(Game, RUNNING).watch_turns = 3
    assert f"/watch/{RUNNING}" in answer(send(ann, page(ann, table), f"observe {RUNNING}"))
    assert "observe N" in page(ann, "/help").text


def test_a_stranger_who_wants_a_table_is_led_to_the_link(client: FlaskClient) -> None:
    led = client.get("/new")
    assert (led.status_code, led.location) == (303, "/link?to=new")
    shown = page(client, led.location)
    assert "A table is opened from your own pages" in shown.text
    assert 'href="/learn/table"' in shown.source


def test_the_list_counts_bots_and_free_places_for_all(
    ann: FlaskClient, harbour: Harbour, client: FlaskClient
) -> None:
    assert open_table(ann, addresses="", bots="1", lobby="1", players="4").status_code == 303
    for reader in (ann, client):
        shown = page(reader, "/lobby").text
        assert "2 free places" in shown
        assert "There so far: Ann, and 1 bot." in shown
    assert "you are in" in page(ann, "/lobby").text
