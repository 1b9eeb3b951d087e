"""The pages of actions: a form, what would happen, the confirmation, the way back; looking
changes nothing."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient

from pbem.app import create_app
from pbem.moderation import ACTIONS, Target
from pbem.store import Person
from pbem.store.sittings import open_sitting
from tests.moderation.deeds import CARDS, DEEDS
from tests.moderation.doing import REASON, audits, do, dump
from tests.moderation.world import RUNNING, World

PLACES = {"game_id": "game", "seat": "seat", "person_id": "person", "mail_id": "mail",
          "letter_id": "letter"}  # fmt: skip
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@pytest.fixture
def app(world: World) -> Flask:
    return create_app(world.installation)


@pytest.fixture(scope="module")
def looking(untouched: World) -> Flask:
    return create_app(untouched.installation)


def signed_in(app: Flask, world: World, role: str) -> FlaskClient:
    here, client = world.installation, app.test_client()
    with here.store.work() as session:
        open_sitting(session, here.clock(), world.actor(role).person_id or 0, f"secret {role}")
    client.set_cookie("ark-moderator", f"secret {role}")
    return client


def numbers(target: Target) -> dict[str, int]:
    return {PLACES[name]: number for name, number in target.to_json().items()}


def hidden(text: str) -> dict[str, str]:
    """The hidden fields of the page's main form (the last with its name)."""
    return {name: unescape(value) for name, value in _HIDDEN.findall(text)}


def _form(client: FlaskClient, name: str, target: Target) -> str:
    return client.get(f"/moderator/actions/{name}", query_string=numbers(target)).text


def _filled(world: World, name: str) -> dict[str, str]:
    return {f"p-{key}": value for key, value in DEEDS[name].given_in(world).items()}


@pytest.mark.parametrize("role", ["owner", "of this game", "of all, and plays"])
def test_looking_at_any_page_changes_nothing(looking: Flask, untouched: World, role: str) -> None:
    client = signed_in(looking, untouched, role)
    before = dump(untouched.installation)
    reached = 0
    for name, deed in DEEDS.items():
        target = deed.target(untouched)
        response = client.get(f"/moderator/actions/{name}", query_string=numbers(target))
        assert response.status_code in (200, 403, 404, 409), (name, response.status_code)
        reached += response.status_code == 200
        if role == "owner":
            bare = client.get(f"/moderator/actions/{name}")
            assert bare.status_code in (200, 404, 409)
    assert reached > 0
    assert client.get("/moderator/actions/pause/do").status_code == 405
    assert client.get("/moderator/actions/nothing").status_code == 404
    assert client.get("/moderator/actions").status_code == 200
    assert client.get("/moderator/actions/done/1").status_code == 404
    assert dump(untouched.installation) == before


def test_nobody_sees_them_without_signing_in(looking: Flask) -> None:
    client = looking.test_client()
    for path in ("", "/pause?game=1", "/done/1"):
        assert client.get(f"/moderator/actions{path}").status_code == 303
    assert client.post("/moderator/actions/pause", data={"game": "1"}).status_code == 400


@pytest.mark.parametrize("name", ["more-time", "roll-back", "act-for", "write-to-table",
                                  "open-tables", "treat-as", "notice"])  # fmt: skip
def test_an_action_by_its_pages(app: Flask, world: World, name: str) -> None:
    client, target = signed_in(app, world, "owner"), DEEDS[name].target(world)
    form = _form(client, name, target)
    assert ACTIONS[name].title in form
    fields = {**hidden(form), **_filled(world, name)}
    before = dump(world.installation)
    shown = client.post(f"/moderator/actions/{name}", data={**fields, "reason": REASON})
    assert shown.status_code == 200, shown.text
    assert "nothing has been done yet" in shown.text
    assert dump(world.installation) == before
    sent = {**fields, **hidden(shown.text), "reason": REASON}
    done = client.post(f"/moderator/actions/{name}/do", data=sent)
    assert done.status_code == 303
    page = client.get(done.location)
    assert page.status_code == 200
    assert "Done:" in page.text
    assert audits(world.installation)[-1].action == name
    again = client.post(f"/moderator/actions/{name}/do", data=sent)  # pressed twice
    assert again.location == done.location


def test_a_fault_is_shown_at_its_field(app: Flask, world: World) -> None:
    client, target = signed_in(app, world, "owner"), DEEDS["more-time"].target(world)
    form = _form(client, "more-time", target)
    data = {**hidden(form), "p-span": "<soon>", "reason": REASON}
    shown = client.post("/moderator/actions/more-time", data=data)
    assert shown.status_code == 409
    assert 'aria-invalid="true"' in shown.text
    assert "&lt;soon&gt;" in shown.text


def test_the_reason_is_asked_for_on_the_way(app: Flask, world: World) -> None:
    client = signed_in(app, world, "owner")
    form = _form(client, "pause", Target(RUNNING))
    shown = client.post("/moderator/actions/pause", data=hidden(form))
    assert shown.status_code == 200
    done = client.post("/moderator/actions/pause/do", data=hidden(shown.text))
    assert done.status_code == 409
    assert "Say why" in done.text
    assert not audits(world.installation)


def test_what_moved_meanwhile_is_shown_anew(app: Flask, world: World) -> None:
    client = signed_in(app, world, "owner")
    form = _form(client, "pause", Target(RUNNING))
    shown = client.post("/moderator/actions/pause", data={**hidden(form), "reason": REASON})
    world.table.order(0, "say all: hello")
    sent = {**hidden(shown.text), "reason": REASON}
    stale = client.post("/moderator/actions/pause/do", data=sent)
    assert stale.status_code == 409
    assert "Something has changed" in stale.text
    fresh = {**hidden(stale.text), "reason": REASON}
    assert client.post("/moderator/actions/pause/do", data=fresh).status_code == 303


def test_the_way_back_is_a_button(app: Flask, world: World) -> None:
    client = signed_in(app, world, "owner")
    form = _form(client, "notice", Target())
    data = {**hidden(form), **_filled(world, "notice")}
    shown = client.post("/moderator/actions/notice", data=data)
    assert "Down on Sunday,\nfor an hour." in shown.text  # line breaks survive the confirmation
    sent = {**data, **hidden(shown.text)}
    page = client.get(client.post("/moderator/actions/notice/do", data=sent).location)
    back = client.post("/moderator/actions/notice", data=hidden(page.text))
    assert back.status_code == 200
    assert "No page shows a notice." in back.text


def test_a_deck_comes_as_a_file(app: Flask, world: World) -> None:
    client = signed_in(app, world, "owner")
    form = _form(client, "upload-deck", Target())
    assert "multipart/form-data" in form
    for cards, said in ((CARDS, "can be opened with the deck"), ("name,weight", "columns")):
        data = {**hidden(form), "p-name": "north",
                "p-cards-file": (BytesIO(cards.encode()), "deck.csv")}  # fmt: skip
        shown = client.post("/moderator/actions/upload-deck", data=data)
        assert said in shown.text


def test_a_hand_is_shown_for_an_hour_to_whoever_opened_it(app: Flask, world: World) -> None:
    here = world.installation
    done = do(here, "open-hand", Target(RUNNING, 2), world.actor("of all games"))
    url = f"/moderator/actions/done/{done.audit_id}"
    client = signed_in(app, world, "of all games")
    assert "What you see now" in client.get(url).text
    assert signed_in(app, world, "owner").get(url).status_code == 404
    here.clock.advance(minutes=61)  # type: ignore[attr-defined]
    assert "What you see now" not in client.get(url).text


def test_notice_and_house_rules_are_for_everybody(app: Flask, world: World) -> None:
    here, olive, anybody = world.installation, world.actor("owner"), app.test_client()
    assert anybody.get("/house-rules").status_code == 404
    assert "site-notice" not in anybody.get("/rules").text
    assert do(here, "notice", Target(), olive, text="Down on Sunday.\n<b>Late.</b>").ok
    assert do(here, "house-rules", Target(), olive, text="Be kind.\n\nAnswer.").ok
    for path in ("/rules", "/nowhere"):
        shown = anybody.get(path).text
        assert "Down on Sunday.<br>&lt;b&gt;Late.&lt;/b&gt;" in shown
        assert 'href="/house-rules"' in shown
    assert "<p>Be kind.</p><p>Answer.</p>" in anybody.get("/house-rules").text


def test_what_happened_is_told_in_words(app: Flask, world: World) -> None:
    here, actor = world.installation, world.actor("owner")
    mover = world.mover()
    done = (("play-once", mover), ("pause", Target(RUNNING)), ("give-to-bot", Target(RUNNING, 2)))
    for name, target in done:
        assert do(here, name, target, actor).ok
    shown = unescape(signed_in(app, world, "owner").get(f"/moderator/games/{RUNNING}").text)
    log = shown[shown.index('id="timeline"') :]
    assert "turn · Bo · by a bot, by Olive, moderator" in log
    assert "Let a bot do this turn · Bo · by Olive, moderator" in log
    assert "Let a bot play from now on · Cy · by Olive, moderator" in log
    assert "letter to Cy: the seat has gone to somebody else" in log  # a bot holds it now
    assert "a pause of the table: no time runs" in log
    assert "the clocks stand still, or run again" in log
    assert not re.search(r"\b(seat|why|due|action|person): |T\d\d:\d\d:\d\d\.\d", log)
    assert "its reply address, from a known sender" in shown
    assert "main phase" in shown
    assert "turns in time in all games" in shown or "no turns counted yet" in shown


def test_a_deadline_is_told_in_the_readers_zone(app: Flask, world: World) -> None:
    here, client = world.installation, signed_in(app, world, "owner")
    with here.store.work() as session:
        olive = session.get_one(Person, world.actor("owner").person_id)
        olive.zone = "Asia/Taipei"
        session.add(olive)
    assert do(here, "more-time", world.mover(), world.actor("owner"), span="24h").ok
    log = client.get(f"/moderator/games/{RUNNING}?show=table").text
    assert re.search(r"more time from a moderator: until \w+ \d+ \w+, \d\d:\d\d your time", log)


def test_a_preview_says_what_the_letters_are(app: Flask, world: World) -> None:
    client = signed_in(app, world, "owner")
    fields = hidden(_form(client, "pause", Target(RUNNING)))
    shown = client.post("/moderator/actions/pause", data={**fields, "reason": REASON}).text
    assert "</bdi>: the clocks stand still, or run again" in shown
    assert "Events: paused, another deadline, what the table reads of it." in shown
