"""Learning pages: examples by the engine, the guided game, all cards."""

import re

import pytest
from flask.testing import FlaskClient

from engine.cards import builtin_deck
from pbem.letters import ark_svg
from pbem.store import Game
from pbem.translation import speaking
from pbem.web.learn import tutorial
from pbem.web.play.turn import Choice
from pbem.web.rules.examples import LESSONS, example, examples
from tests.web.harbour import Harbour, Page, page


def test_each_rule_of_placing_and_of_powers_has_an_example() -> None:
    assert set(LESSONS) == {f"R5.{n}" for n in range(1, 8)} | {f"R6.{n}" for n in range(1, 11)}


@pytest.mark.parametrize("rule", LESSONS)
def test_an_example_shows_what_goes_and_what_does_not(rule: str) -> None:
    with speaking("en"):
        shown = example(rule)
    refused = [one for one in shown.targets.values() if one.reasons]
    allowed = [one for one in shown.targets.values() if not one.reasons]
    assert allowed
    assert abs(shown.ark.balance) <= 2
    if rule in ("R5.1", "R5.2", "R5.3", "R5.4", "R5.5", "R5.6"):
        assert rule in {reason.rule for one in refused for reason in one.reasons}
    if rule in ("R6.4", "R6.5", "R6.6", "R6.9"):
        assert "only by driving out" in {one.words for one in allowed}
    if rule in ("R6.2", "R6.3"):  # the power makes the difference between two alike cabins
        assert not shown.targets["L1"].reasons
        assert {reason.rule for reason in shown.targets["R1"].reasons} == {"R5.5"}


def test_the_rules_page_shows_the_examples(client: FlaskClient) -> None:
    rules = page(client, "/rules")
    assert rules.source.count('class="lesson"') == len(examples())
    assert len(set(rules.ids)) == len(rules.ids)
    shown = page(client, "/learn/examples").text
    assert "The lemming is cold, and the camel in L1 is hot." in shown


def test_the_gallery_shows_every_card(client: FlaskClient) -> None:
    shown = page(client, "/learn/cards")
    assert shown.source.count('class="card"') == len(builtin_deck().cards)
    assert "May drive out any one animal (R6.6)." in shown.text


def test_special_cards_bear_a_star_everywhere_in_one_colour(client: FlaskClient) -> None:
    """On the pages as in letters and in the picture, and readable on what it stands on."""
    specials = sum(bool(card.special) for card in builtin_deck().cards)
    stars = re.findall(r'<b class="power"[^>]*>([^<]*)</b>', page(client, "/learn/cards").source)
    assert stars == ["★"] * specials
    with client.get("/static/ark.css") as sheet:
        paper, star = (
            re.findall(rf"--{name}: (#[0-9a-f]{{6}})", sheet.text) for name in ("paper", "power")
        )
    assert [re.findall(r"\.star\{fill:(#\w+)\}", ark_svg._STYLE)] == [star]
    assert len(star) == len(paper) == 2  # light and dark
    for front, ground in zip(star, paper, strict=True):
        assert _contrast(front, ground) >= 4.5


def _contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def follow(client: FlaskClient, shown: Page) -> Page:
    """One step on: the last thing that may be chosen, until the turn can be made."""
    board = shown.source.split('id="turn"')[1].split("<figure")[0]
    done = re.search(r'class="button" href="([^"]+)"', board)
    if done is not None:
        return page(client, done[1].replace("&amp;", "&"))
    links = re.findall(r'href="(/learn/game[^"]*(?:play|take|pet|passing)=[^"]*)"', board)
    fresh = [link for link in links if "try=" not in link]
    assert fresh, board
    return page(client, fresh[-1].replace("&amp;", "&").partition("#")[0])


def test_the_guided_game_is_played_by_links_alone(client: FlaskClient, harbour: Harbour) -> None:
    before = harbour.rows()
    shown = page(client, "/learn/game")
    assert "You hold two cards." in shown.text
    for _ in range(60):
        if "The game is over." in shown.text or "You have won." in shown.text:
            break
        shown = follow(client, shown)
    assert "Deal 2" in shown.text  # by its number: the first one was just played
    assert "Deal 1 " not in shown.text
    assert "Where the points came from" in shown.text
    assert harbour.rows() == before, "nothing is stored"


def test_the_guided_game_comes_to_its_end() -> None:
    played: list[int] = []
    for _ in range(tutorial.MOST_TURNS):
        stand = tutorial.stand_after(2, tuple(played))
        if stand.position.phase == "over":
            break
        played.append(stand.choices - 1)
    shown = tutorial.lesson(2, played, Choice(), str)
    assert shown.view.phase == "over"
    assert shown.view.result is not None


@pytest.mark.parametrize("odd", ["deal=0", "deal=x", "done=99999", "done=....", "done=0.0.99999.1",
                                 "deal=999&done=" + "7." * 400, "play=x~y&done=-1"])  # fmt: skip
def test_an_address_written_by_hand_is_never_an_error(client: FlaskClient, odd: str) -> None:
    assert client.get(f"/learn/game?{odd}").status_code == 200


def test_a_table_with_bots_begins_by_one_button(ann: FlaskClient, harbour: Harbour) -> None:
    form = page(ann, "/learn/table")
    data = {"csrf": form.field("csrf"), "key": form.field("key")}
    done = ann.post("/learn/table", data=data)
    assert done.location.startswith("/me/games/")  # at the table, not above a list of them
    assert "has begun" in page(ann, done.location.partition("#")[0]).text
    with harbour.installation.store.read() as session:
        game = session.get_one(Game, 4)
        assert (game.name, game.status, game.players) == ("First voyage", "running", 3)


def test_a_stranger_gives_his_address_first(client: FlaskClient) -> None:
    shown = page(client, "/learn/table")
    assert "Your mail address" in shown.text
    assert 'value="learn/table"' in shown.source
