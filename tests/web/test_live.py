"""Open pages that look for news, and turns sent from the panel: twice, late, from two tabs."""

import re

import pytest
from flask.testing import FlaskClient

from pbem.desk import Order
from pbem.store import Game
from pbem.store.log import Author
from tests.web.harbour import RUNNING, Harbour, Page, answer, page, play_on

TABLE = f"/me/games/{RUNNING}"
PART = {"HX-Request": "true", "HX-Target": "live"}


def tag_of(shown: Page) -> str:
    """The tag that the open page asks with."""
    return re.findall(r'"If-None-Match": "\\"([^"\\]+)\\""', shown.source)[0]


def ask(client: FlaskClient, address: str, tag: str) -> int:
    return client.get(address, headers={**PART, "If-None-Match": f'"{tag}"'}).status_code


def ready(client: FlaskClient) -> Page:
    """The page on which a turn is chosen: the first display card."""
    first = re.findall(r'href="(/me/games/[0-9]+\?take=[^"#]+)', page(client, TABLE).source)[0]
    return page(client, first.replace("&amp;", "&"))


def make(client: FlaskClient, shown: Page) -> Page:
    """Press the panel's button."""
    form = shown.source.split('id="turn"')[1].split("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    sent = client.post(TABLE, data={**fields, "do": "do"})
    assert sent.status_code == 303
    return page(client, sent.location.partition("#")[0])


# -- looking for news


@pytest.mark.parametrize("address", ["/me", TABLE, f"{TABLE}?try=1"])
def test_an_open_page_is_told_when_nothing_is_new(
    ann: FlaskClient, harbour: Harbour, address: str
) -> None:
    tag = tag_of(page(ann, address))
    assert ask(ann, address, tag) == 304
    play_on(harbour.installation, RUNNING, 1)
    assert ask(ann, address, tag) == 200


def test_whoever_opens_a_page_anew_gets_it_whole(ann: FlaskClient) -> None:
    tag = tag_of(page(ann, TABLE))
    assert ann.get(TABLE, headers={"If-None-Match": f'"{tag}"'}).status_code == 200


def test_a_message_is_news_too(ann: FlaskClient, harbour: Harbour) -> None:
    tag = tag_of(page(ann, TABLE))
    here = harbour.installation
    with here.store.work() as session:
        order = Order("say all: ahoy", Author("web", 2), game_id=RUNNING, seat=1)
        assert here.desk.take_order(session, order).outcome == "done"
    assert ask(ann, TABLE, tag) == 200


def test_an_open_page_follows_a_game_that_has_ended(ann: FlaskClient, harbour: Harbour) -> None:
    tag = tag_of(page(ann, TABLE))
    play_on(harbour.installation, RUNNING, 500)
    response = ann.get(TABLE, headers={**PART, "If-None-Match": f'"{tag}"'})
    assert (response.status_code, response.headers["HX-Redirect"]) == (204, f"/games/{RUNNING}")


def test_a_step_of_a_turn_brings_the_board_alone(ann: FlaskClient) -> None:
    whole = ann.get(TABLE).data
    part = ann.get(TABLE, headers={"HX-Request": "true", "HX-Target": "board"}).get_data(True)
    assert part.lstrip().startswith('<div id="board"')
    assert len(part) < len(whole) * 0.8
    assert "<html" not in part


def test_the_pages_of_a_table_are_kept_by_nobody(ann: FlaskClient) -> None:
    assert ann.get(TABLE).headers["Cache-Control"] == "no-store"
    tag = tag_of(page(ann, TABLE))
    nothing = ann.get(TABLE, headers={**PART, "If-None-Match": f'"{tag}"'})
    assert nothing.headers["Cache-Control"] == "no-store"
    assert nothing.data == b""


# -- a turn from the panel


def test_a_turn_is_sent_as_the_line_a_mail_would_hold(ann: FlaskClient, harbour: Harbour) -> None:
    seq = harbour.game(RUNNING).seq
    shown = ready(ann)
    assert "What comes off the stack shows only when you really do it." in shown.text
    after = make(ann, shown)
    assert "Done. ✓take " in answer(after)
    assert harbour.game(RUNNING).seq == seq + 1


def test_the_same_form_twice_is_one_turn_with_one_answer(
    ann: FlaskClient, harbour: Harbour
) -> None:
    shown = ready(ann)
    first = answer(make(ann, shown))
    seq = harbour.game(RUNNING).seq
    assert answer(make(ann, shown)) == first
    assert harbour.game(RUNNING).seq == seq


def test_the_same_turn_from_a_second_tab_is_told_so(ann: FlaskClient, harbour: Harbour) -> None:
    one, other = ready(ann), ready(ann)
    make(ann, one)
    seq = harbour.game(RUNNING).seq
    assert "done already" in answer(make(ann, other))
    assert harbour.game(RUNNING).seq == seq


def test_a_turn_from_a_tab_that_is_behind_moves_nothing(ann: FlaskClient, harbour: Harbour) -> None:
    behind = ready(ann)
    play_on(harbour.installation, RUNNING, 3)
    seq = harbour.game(RUNNING).seq
    assert "moved on" in answer(make(ann, behind))
    assert harbour.game(RUNNING).seq == seq


def test_an_address_of_a_turn_that_is_over_begins_anew(ann: FlaskClient, harbour: Harbour) -> None:
    """The back button, after others have moved: what is chosen does not hold any more."""
    shown = ready(ann)
    address = re.findall(r'data-choice="([^"]+)"', shown.source)[0].replace("&amp;", "&")
    play_on(harbour.installation, RUNNING, 1)
    back = page(ann, address)
    assert "Make this turn" not in back.text
    assert "Bo Baker is to move." in back.text


def test_a_preview_on_the_way_stores_nothing(ann: FlaskClient, harbour: Harbour) -> None:
    page(ann, TABLE)
    before = harbour.rows()
    ready(ann)
    page(ann, f"{TABLE}?try=1")
    assert harbour.rows() == before


def test_a_halted_table_says_so(ann: FlaskClient, harbour: Harbour) -> None:
    shown = ready(ann)
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, RUNNING)
        game.halted_at = harbour.installation.clock()
        session.add(game)
    assert "halted" in answer(make(ann, shown))
