"""A person's settings on his page, and the pages behind the letters about an address."""

import json

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select
from werkzeug.test import TestResponse

from pbem.desk.addresses import UNDO_WITHIN
from pbem.letters.bearers import reply_bearer
from pbem.store import Address, Audit, Blocked, Game, Invitation, Letter, Person
from tests.conftest import HandClock
from tests.web.harbour import FILLING, RUNNING, Harbour, Page, answer, page, person

SETTINGS = "/me/settings"
NEW = "ann@new.example"


def press(client: FlaskClient, do: str, **fields: str) -> Page:
    """Send one of the forms; returns the page that is shown then."""
    form = page(client, SETTINGS)
    data = {"csrf": form.field("csrf"), "key": form.field("key"), "do": do, **fields}
    response = client.post(SETTINGS, data=data)
    assert response.status_code == 303
    return page(client, response.location.partition("#")[0])


def newest(harbour: Harbour, kind: str) -> Letter:
    with harbour.installation.store.read() as session:
        query = select(Letter).where(Letter.kind == kind).order_by(col(Letter.id).desc())
        return session.exec(query).first() or pytest.fail(f"no {kind}")


def link(harbour: Harbour, kind: str) -> str:
    bearer = reply_bearer(newest(harbour, kind))
    assert bearer is not None
    return f"/{bearer.purpose}/{harbour.installation.keys.token(bearer)}"


def own(harbour: Harbour) -> list[tuple[str, bool]]:
    with harbour.installation.store.read() as session:
        rows = session.exec(select(Address).where(Address.person_id == 1)).all()
        return sorted((row.address, row.primary) for row in rows)


def act(client: FlaskClient, address: str) -> Page:
    response = client.post(address, data={"csrf": page(client, address).field("csrf")})
    assert response.status_code == 200
    return Page(response.get_data(as_text=True))


OLD_ONLY = [("ann@example.org", True)]
CHANGED = [("ann@example.org", False), (NEW, True)]


def test_an_address_is_changed_and_undone(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient
) -> None:
    shown = press(ann, "main", address=f" {NEW.upper()} ")
    assert "Nothing has changed yet" in answer(shown)
    assert f"{NEW} waits for its confirmation" in shown.text
    assert own(harbour) == OLD_ONLY
    confirming = link(harbour, "address-confirm")
    for _ in range(2):  # a scanner follows links
        assert page(client, confirming).all("button")
    assert client.head(confirming).status_code == 200
    assert own(harbour) == OLD_ONLY
    assert "go to ann@new.example" in act(client, confirming).text
    assert own(harbour) == CHANGED
    assert "confirmed already" in act(client, confirming).text
    undoing = link(harbour, "address-changed")
    assert page(client, undoing).all("button")
    assert own(harbour) == CHANGED
    assert "Undone" in act(client, undoing).text
    assert own(harbour) == OLD_ONLY
    assert "undone already" in act(client, undoing).text
    assert ann.get("/me").status_code == 403  # every open page is closed, whoever has it


def test_without_the_sessions_mark_no_button_acts(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient
) -> None:
    press(ann, "main", address=NEW)
    confirming = link(harbour, "address-confirm")
    for data in ({}, {"csrf": "x"}):
        assert client.post(confirming, data=data).status_code == 400
    assert own(harbour) == OLD_ONLY
    assert ann.post(SETTINGS, data={"do": "never"}).status_code == 400


def test_one_purposes_token_is_no_others(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient
) -> None:
    press(ann, "main", address=NEW)
    token = link(harbour, "address-confirm").rpartition("/")[2]
    for address in (f"/undo/{token}", f"/p/{token}", "/address/x", f"/address/{'a' * 26}"):
        assert client.get(address).status_code == 404
    personal = harbour.token("Ann")
    for purpose in ("address", "undo"):
        assert client.get(f"/{purpose}/{personal}").status_code == 404


def test_adding_choosing_and_removing(
    harbour: Harbour, ann: FlaskClient, client: FlaskClient, clock: HandClock
) -> None:
    press(ann, "add", address=NEW)
    act(client, link(harbour, "address-confirm"))
    assert own(harbour) == [("ann@example.org", True), (NEW, False)]
    assert "go to" in answer(press(ann, "main", address=NEW))
    assert "can be undone" in answer(press(ann, "remove", address="ann@example.org"))
    assert own(harbour) == CHANGED
    clock.now += UNDO_WITHIN
    assert "none of your addresses now" in answer(press(ann, "remove", address="ann@example.org"))
    assert own(harbour) == [(NEW, True)]


def test_a_field_is_one_command(harbour: Harbour, ann: FlaskClient) -> None:
    press(ann, "add", address="x@new.example\nnever again; never again")
    with harbour.installation.store.read() as session:
        assert not session.exec(select(Blocked)).all()


def post_name(client: FlaskClient, name: str) -> TestResponse:
    csrf = page(client, SETTINGS).field("csrf")
    return client.post(SETTINGS, data={"csrf": csrf, "do": "name", "name": name})


def called(harbour: Harbour) -> str:
    with harbour.installation.store.read() as session:
        return session.get_one(Person, 1).name


def test_one_chooses_his_name_himself(harbour: Harbour, app: Flask, ann: FlaskClient) -> None:
    old = newest(harbour, "your-turn").context
    assert post_name(ann, "  Anna   Archer ").status_code == 303
    assert post_name(ann, "Anna Archer").status_code == 303  # no change, and nothing noted
    assert called(harbour) == "Anna Archer"
    bo = harbour.browser(app, "Bo")
    assert "Anna Archer" in page(bo, f"/me/games/{RUNNING}").text
    assert newest(harbour, "your-turn").context == old
    with harbour.installation.store.read() as session:
        [noted] = session.exec(select(Audit).where(Audit.action == "rename-person")).all()
        assert (noted.channel, noted.person_id, noted.subject_id) == ("web", 1, 1)
        assert noted.details == {}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "1 to 24 letters"),
        ("A" * 25, "1 to 24 letters"),
        ("Ann\u202ebmA", "1 to 24 letters"),
        ("Ann: Bo", "no colon"),
        ("moderator", "means something else"),
        ("Table", "means something else"),
        ("BO baker", "Somebody else"),
    ],
)
def test_no_name_that_misleads_is_taken(
    harbour: Harbour, ann: FlaskClient, name: str, why: str
) -> None:
    refused = post_name(ann, name)
    assert refused.status_code == 422
    assert why in Page(refused.get_data(as_text=True)).text
    assert called(harbour) == "Ann Archer"


def test_the_name_of_somebody_asked_to_the_same_table_is_not_free(
    harbour: Harbour, ann: FlaskClient
) -> None:
    with harbour.installation.store.work() as session:
        new = person(session, harbour.installation, "Di")
        game = session.get_one(Game, FILLING)
        game.players = 4
        asked = Invitation(
            game_id=FILLING, person_id=new.id, place=3, created_at=harbour.installation.clock()
        )
        session.add(asked)
        session.add(game)
    assert post_name(ann, "Di").status_code == 422
    assert post_name(ann, "Dia").status_code == 303


def test_a_new_browser_needs_a_code_to_change_the_name(harbour: Harbour, app: Flask) -> None:
    stranger = harbour.new_browser(app, "Ann")
    assert "/me/browser" in post_name(stranger, "Anna").location
    assert called(harbour) == "Ann Archer"


def test_language_zone_and_letters(harbour: Harbour, ann: FlaskClient) -> None:
    press(ann, "preferences", language="de", timezone="Berlin", letters="mine", format="text")
    with harbour.installation.store.read() as session:
        person = session.get_one(Person, 1)
        assert (person.language, person.zone) == ("de", "Europe/Berlin")
        assert (person.letters, person.mail_format) == ("mine", "text")


def test_a_zone_that_is_none_is_told(harbour: Harbour, ann: FlaskClient) -> None:
    press(ann, "preferences", language="en", timezone="Mars", letters="every", format="html")
    with harbour.installation.store.read() as session:
        assert session.get_one(Person, 1).zone is None


def test_never_again_and_back(harbour: Harbour, ann: FlaskClient) -> None:
    assert "nobody can invite you" in press(ann, "never").text
    form = page(ann, SETTINGS)
    data = {"csrf": form.field("csrf"), "key": form.field("key"), "do": "welcome"}
    assert ann.post(SETTINGS, data=data).status_code == 303
    assert "nobody can invite you" not in page(ann, SETTINGS).text


def test_the_data_are_his_own(harbour: Harbour, ann: FlaskClient, client: FlaskClient) -> None:
    assert client.get("/me/data.json").status_code == 403
    response = ann.get("/me/data.json")
    assert "attachment" in response.headers["Content-Disposition"]
    told = json.loads(response.get_data(as_text=True))
    assert [one["address"] for one in told["addresses"]] == ["ann@example.org"]
    assert {one["game"] for one in told["games"]} == {1, RUNNING}
    assert told["turns"]
    text = response.get_data(as_text=True)
    for secret in ("bo@example.org", "cy@example.org", harbour.token("Ann"), "t-"):
        assert secret not in text


def test_forgetting_asks_at_the_address(harbour: Harbour, ann: FlaskClient) -> None:
    assert "bots play on for you in 1 running game" in press(ann, "forget").text.replace(
        "a bot plays", "bots play"
    )
    assert newest(harbour, "confirm").to_address == "ann@example.org"
    with harbour.installation.store.read() as session:
        assert session.get_one(Person, 1).erased_at is None


@pytest.mark.parametrize("do", ["", "resign", "take fox"])
def test_no_other_command_comes_from_there(ann: FlaskClient, do: str) -> None:
    form = page(ann, SETTINGS)
    data = {"csrf": form.field("csrf"), "key": form.field("key"), "do": do}
    assert ann.post(SETTINGS, data=data).status_code == 400


def test_nobody_sees_it_without_a_link(client: FlaskClient, app: Flask) -> None:
    assert client.get(SETTINGS).status_code == 403


def test_every_field_has_a_name_for_a_reader(ann: FlaskClient) -> None:
    shown = page(ann, SETTINGS)
    labelled = {tag.attributes["for"] for tag in shown.all("label")}
    fields = [
        tag
        for tag in (*shown.all("input"), *shown.all("select"))
        if tag.attributes.get("type") != "hidden"
    ]
    assert fields
    assert {tag.attributes["id"] for tag in fields} == labelled
    assert len(shown.ids) == len(set(shown.ids))
