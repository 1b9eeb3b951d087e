"""Whole games and many turns through the pages, in a real browser."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest
from jinja2 import BytecodeCache
from playwright.sync_api import Browser, Page, Route, expect
from sqlmodel import select

from engine.bots import bot
from engine.moves import Board, Gather, Move, Pass, to_json
from engine.shuffle import Generator
from engine.view import View
from pbem.commands import print_turn
from pbem.desk import tables
from pbem.desk.tables import Place
from pbem.store import Game, Letter
from pbem.store.log import Author, events_of
from pbem.store.people import person_by_address
from tests.browsers import DESK, PHONE, Eye, new_context, too_wide
from tests.e2e.server import wait_until
from tests.web.harbour import FILLING, FINISHED, RUNNING, Harbour, play_on
from tests.web.running import at_work
from tests.web.seats import (
    Player,
    by_keyboard,
    click,
    mail_turn,
    seq_of,
    view_of,
)

TURNS = 8


@pytest.fixture
def base(harbour: Harbour, compiled: BytecodeCache) -> Iterator[str]:
    with at_work(harbour, compiled) as address:
        yield address


@pytest.fixture
def pages_alone(harbour: Harbour, compiled: BytecodeCache) -> Iterator[str]:
    with at_work(harbour, compiled, in_background=False) as address:
        yield address


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the browsers complained about: scripts, styles, anything the policy forbids."""
    found: list[str] = []
    yield found
    assert found == []


def sat_down(
    browser: Browser, base: str, harbour: Harbour, complaints: list[str], name: str,
    **look: object,
) -> Player:  # fmt: skip
    """Somebody who has opened the link of a letter, in a browser of his own."""
    page = new_context(browser, **look).new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    short = name.split()[0]
    player = Player(page, base, name, f"{short.lower()}@example.org")
    player.go(f"/p/{harbour.token(short)}")
    return player


def chosen(seen: View, chance: random.Random) -> Move:
    """A good move, or one that brings the game on: so that it is soon over."""
    legal = seen.legal()
    if seen.phase == "end" and chance.random() < 0.9:
        return Pass()
    if seen.phase == "main" and chance.random() < 0.8:
        return Gather(seen.display[0])
    assert legal
    return bot("greedy").choose(seen, Generator(str(chance.random())))


def test_four_people_play_a_whole_game_through_pages_alone(
    browser: Browser, pages_alone: str, harbour: Harbour, complaints: list[str]
) -> None:
    """From the form that opens the table to the result; each browser with its mailed code,
    and without scripts, as then every step is a page."""
    base, here, plain = pages_alone, harbour.installation, {"java_script_enabled": False}
    ann = sat_down(browser, base, harbour, complaints, "Ann Archer", **plain)
    ann.make_known(here)
    ann.go("/new")
    ann.page.get_by_label("Name of the table").fill("Four at sea")
    ann.page.get_by_label("Players", exact=True).select_option("4")
    ann.page.get_by_label("Who is invited").fill("bo@example.org\ncy@example.org\ndi@example.org")
    ann.page.get_by_role("button", name="Open the table").click()
    expect(ann.page.locator("#answer")).to_contain_text("is open")
    game_id = FILLING + 1
    with here.store.work() as session:
        dora = person_by_address(session, "di@example.org")
        assert dora is not None
        dora.name = "Di Dover"
        session.add(dora)
    others = [
        sat_down(browser, base, harbour, complaints, name, **plain)
        for name in ("Bo Baker", "Cy Cooper", "Di Dover")
    ]
    for one in others:
        invitation = one.page.locator(".invitation", has_text="Four at sea")
        with one.page.expect_navigation():
            invitation.get_by_role("button", name="Accept").click()
    players = {one.name: one for one in (ann, *others)}
    for one in others:
        one.make_known(here)
    chance, turns, boards, phases = random.Random(4), 0, 0, set()
    while (mover := next(filter(None, map(asked(harbour, game_id), players)), None)) is not None:
        name, seen = mover
        player, move = players[name], chosen(seen, chance)
        seq = seq_of(here, game_id)
        if isinstance(move, Gather):  # where the card's link leads
            player.go(f"/me/games/{game_id}?take={move.take}")
            player.make()
        else:
            player.go(f"/me/games/{game_id}")
            player.play(move)
        assert seq_of(here, game_id) == seq + 1, move
        turns += 1
        phases.add(seen.phase)
        boards += isinstance(move, Board)
        assert turns < 200
    assert phases == {"main", "pets", "end"}
    assert boards > 3
    ann.go(f"/me/games/{game_id}")
    assert ann.page.url == f"{base}/games/{game_id}"
    assert "Four at sea" in ann.page.content() or "Table" in ann.page.content()
    with here.store.read() as session:
        assert session.get_one(Game, game_id).status == "over"


def asked(harbour: Harbour, game_id: int) -> Callable[[str], tuple[str, View] | None]:
    """(name, view) of somebody who is asked; None for who is not."""

    def find(name: str) -> tuple[str, View] | None:
        seen = view_of(harbour.installation, game_id, name)
        return None if seen is None else (name, seen)

    return find


@pytest.fixture
def with_bots(harbour: Harbour) -> int:
    """A table of Ann's with two bots, at which her link is enough."""
    here = harbour.installation
    with here.store.work() as session:
        game = tables.open_table(
            session, here.site, here.clock(), here.entropy, Author("cli"), name="Practice",
            places=[Place(1), Place(bot="greedy"), Place(bot="random")], organiser_id=1,
            announced=False, mail_policy="token", server_seed="practice",
        )  # fmt: skip
        for one in tables.invitations(session, game):
            one.state = "accepted"
            session.add(one)
        tables.begin(session, here.site, here.clock(), Author("cli"), game)
        assert game.id is not None
        return game.id


def next_view(harbour: Harbour, game_id: int) -> View:
    """What Ann sees when the bots have moved."""
    found = wait_until(lambda: view_of(harbour.installation, game_id, "Ann Archer"), "Ann's turn")
    assert found is not None
    return found


@pytest.mark.parametrize("way", ["phone", "no script", "keyboard"])
def test_eight_turns_are_played_by_choosing(
    browser: Browser, base: str, harbour: Harbour, complaints: list[str], with_bots: int, way: str
) -> None:
    look = {
        "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
        "no script": {"java_script_enabled": False},
        "keyboard": {},
    }[way]
    ann = sat_down(browser, base, harbour, complaints, "Ann Archer", **look)
    ann.press = by_keyboard if way == "keyboard" else click
    chance = random.Random(way)
    for number in range(TURNS):
        seen = next_view(harbour, with_bots)
        if ann.page.locator("#board.step-card").count() == 0:  # the bots took their time
            ann.go(f"/me/games/{with_bots}")
        move = bot("greedy").choose(seen, Generator(f"{way}/{number}"))
        if number % 3 == 2:
            move = seen.legal()[chance.randrange(len(seen.legal()))]
        seq = seq_of(harbour.installation, with_bots)
        ann.play(move)
        assert seq_of(harbour.installation, with_bots) > seq, move
        assert "Done." in ann.page.locator("#answer h2").inner_text()
        if way == "phone":
            assert too_wide(ann.page) == []


def looks_for_no_news(page: Page, table: int) -> None:
    """An open page shows the next turn by itself, a quarter of a minute after it came at most:
    this one stays as it is, however long the test takes."""

    def unless_for_news(route: Route) -> None:
        if route.request.headers.get("hx-target") == "live":
            route.fulfill(status=304)
        else:
            route.continue_()

    page.route(f"**/me/games/{table}*", unless_for_news)


def test_eight_turns_half_by_mail_half_on_the_page(
    browser: Browser, base: str, harbour: Harbour, complaints: list[str], with_bots: int
) -> None:
    """A page that was opened before the mail came cannot move a second time."""
    here = harbour.installation
    port = int((here.settings.instance / "addresses.txt").read_text().rpartition(":")[2])
    ann = sat_down(browser, base, harbour, complaints, "Ann Archer")
    looks_for_no_news(ann.page, with_bots)
    for number in range(TURNS):
        seen = next_view(harbour, with_bots)
        move: Move = bot("greedy").choose(seen, Generator(f"half/{number}"))
        ann.go(f"/me/games/{with_bots}")
        seq = seq_of(here, with_bots)
        if number % 2 == 0:
            ann.play(move)
            assert seq_of(here, with_bots) > seq
            continue
        ann.choose(move)
        mail_turn(here, port, ann, with_bots, print_turn(to_json(move)))
        wait_until(lambda before=seq: seq_of(here, with_bots) > before, "the mail's turn")  # type: ignore[misc]
        next_view(harbour, with_bots)
        after = seq_of(here, with_bots)
        ann.make()
        said = ann.page.locator("#answer").inner_text()
        assert "done already" in said
        assert seq_of(here, with_bots) == after
    counts = {"mail": 0, "web": 0}
    with here.store.read() as session:
        for event in events_of(session, session.get_one(Game, with_bots)):
            if event.kind == "turn" and event.channel in counts:
                counts[event.channel] += 1
    assert counts == {"mail": TURNS // 2, "web": TURNS // 2}


def test_an_open_page_shows_the_next_turn_by_itself(
    browser: Browser, base: str, harbour: Harbour, complaints: list[str]
) -> None:
    """And an open page keeps no letter from going out."""
    harbour.trust(RUNNING)
    bo = sat_down(browser, base, harbour, complaints, "Bo Baker")
    bo.page.clock.install()
    bo.go(f"/me/games/{RUNNING}")
    assert "is to move" in bo.page.locator("h1").inner_text()
    bo.page.get_by_label("Commands, one a line").fill("say all: half written")
    play_on(harbour.installation, RUNNING, 1)
    bo.page.clock.fast_forward(16_000)
    bo.page.get_by_role("heading", name="Bo Baker, it is your turn.").wait_for()
    assert bo.page.get_by_label("Commands, one a line").input_value() == "say all: half written"
    assert bo.page.locator("#box-head input[name=decision]").input_value() == str(
        harbour.game(RUNNING).decision
    )
    with harbour.installation.store.read() as session:
        kinds = session.exec(
            select(Letter.kind).where(
                Letter.to_address == "bo@example.org",
                Letter.game_id == RUNNING,
                Letter.seq == harbour.game(RUNNING).seq,
            )
        ).all()
    assert kinds == ["your-turn"]


def test_a_lost_connection_is_said_and_nothing_is_done(
    browser: Browser, base: str, harbour: Harbour
) -> None:
    harbour.trust(RUNNING)
    ann = sat_down(browser, base, harbour, [], "Ann Archer")
    ann.go(f"/me/games/{RUNNING}")
    seq = seq_of(harbour.installation, RUNNING)
    ann.page.context.set_offline(True)
    ann.page.locator("#turn a.pick").first.click()
    ann.page.get_by_text("The server cannot be reached").wait_for()
    ann.page.context.set_offline(False)
    ann.page.locator("#turn a.pick").first.click()
    ann.page.locator("#board.step-cabin").wait_for()
    expect(ann.page.get_by_text("The server cannot be reached")).to_be_hidden()
    assert seq_of(harbour.installation, RUNNING) == seq


def pages_of_a_player(harbour: Harbour) -> list[str]:
    """Every kind of page that somebody may come by, most of them as Ann."""
    table = f"/me/games/{RUNNING}"
    seen = view_of(harbour.installation, RUNNING, "Ann Archer")
    assert seen is not None and seen.hand  # noqa: PT018
    card = seen.hand[0]
    return [
        "/", "/rules", "/help", "/learn", "/learn/examples", "/learn/cards", "/learn/game",
        "/learn/table", "/lobby", "/link", "/watch", f"/watch/{RUNNING}",
        "/me", "/me/browser", "/me/settings", "/me/seats", "/me/mails", "/me/held",
        table, f"{table}/messages", f"{table}?play={card}",
        f"{table}?take={seen.display[0]}", f"{table}?try=1",
        f"/games/{FINISHED}", "/games", "/me/games/999", "/new",
    ]  # fmt: skip


CROWDED = ("/me", "/watch/", "/new", "/learn/game")
"""The pages on which something is drawn that a telephone has hardly room for."""


def test_axe_finds_nothing_on_any_page(browser: Browser, base: str, harbour: Harbour) -> None:
    """Wide and light, then, as loaded, in the dark of a telephone."""
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, RUNNING)
        game.watch_turns = 0
        session.add(game)
    ann = sat_down(browser, base, harbour, [], "Ann Archer", bypass_csp=True)
    eye, found = Eye(ann.page.context), []
    for address in pages_of_a_player(harbour):
        ann.page.set_viewport_size(DESK)  # type: ignore[arg-type]
        ann.page.emulate_media(color_scheme="light")
        if address == "/new":  # the other pages say that the browser is new
            ann.make_known(harbour.installation)
        ann.go(address)
        if address == f"/me/games/{RUNNING}":
            ann.page.get_by_label("Commands, one a line").press_sequentially("ta")
            ann.page.locator("#ways button").first.wait_for()
        ann.page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
        found += eye.faults(ann.page)
        ann.page.emulate_media(color_scheme="dark")
        found += eye.contrasts(ann.page)
        if address.startswith(CROWDED):
            ann.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
            found += too_wide(ann.page)
    assert found == []


def test_the_box_is_completed_by_keyboard(
    browser: Browser, base: str, harbour: Harbour, complaints: list[str]
) -> None:
    """Tab leads to the ways a line may go on, Enter fills one in, Escape closes them; the
    line then is a turn like any other."""
    harbour.trust(RUNNING)
    ann = sat_down(browser, base, harbour, complaints, "Ann Archer")
    ann.go(f"/me/games/{RUNNING}")
    box, ways = ann.page.get_by_label("Commands, one a line"), ann.page.locator("#ways button")
    box.fill("say all: ahoy\nsta")
    ways.first.wait_for()
    box.press("Escape")
    expect(ways).to_have_count(0)
    box.fill("say all: ahoy\ntak")
    ways.first.wait_for()
    for key in ("Tab", "ArrowDown", "Enter"):
        ann.page.keyboard.press(key)
    expect(box).to_have_value(re.compile("^say all: ahoy\ntake "))
    expect(box).to_be_focused()
    seq = seq_of(harbour.installation, RUNNING)
    ann.page.get_by_role("button", name="Do it").click()
    expect(ann.page.locator("#answer h2")).to_contain_text("Done.")
    assert seq_of(harbour.installation, RUNNING) >= seq + 2
