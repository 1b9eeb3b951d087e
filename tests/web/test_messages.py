"""All that was said at a table, for one who sits there."""

import re

from flask import Flask
from flask.testing import FlaskClient

from pbem.desk.succession import give_to_person
from pbem.store import Game
from pbem.store.log import Author, append
from pbem.web.play.messages import A_PAGE
from tests.web.harbour import RUNNING, Harbour, page, play_on, send
from tests.web.test_lobby import ask, links_to

TABLE = f"/me/games/{RUNNING}"
ALL = f"{TABLE}/messages"


def test_all_that_was_said_to_a_seat_and_by_it(
    ann: FlaskClient, app: Flask, harbour: Harbour
) -> None:
    harbour.trust(RUNNING)
    bo, cy = harbour.browser(app, "Bo"), harbour.browser(app, "Cy")
    assert "None yet." in page(ann, ALL).text
    send(ann, page(ann, TABLE), "say all: ahoy <b>there</b>\nnote buy rope\nsay Bo Baker: psst")
    send(bo, page(bo, TABLE), "say Ann Archer: what?\nsay moderator: quiet please")
    play_on(harbour.installation, RUNNING, 4)  # all of it is older than her last turn
    shown = page(ann, ALL)
    assert ALL in page(ann, TABLE).source
    for words in (
        "You to everybody",
        "Your note",
        "buy rope",
        "You to Bo Baker",
        "Bo Baker to you",
    ):
        assert words in shown.text
    assert shown.text.index("what?") < shown.text.index("psst") < shown.text.index("ahoy")
    assert "&lt;b&gt;there" in shown.source
    assert "quiet please" not in shown.text
    for other, read, unread in ((bo, "psst", "buy rope"), (cy, "ahoy", "psst")):
        assert read in page(other, ALL).text
        assert unread not in page(other, ALL).text


def test_a_page_at_a_time(ann: FlaskClient, harbour: Harbour) -> None:
    here = harbour.installation
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        for number in range(2 * A_PAGE + 1):
            append(
                session, game, "say", here.clock(), Author("web", 2), seat=1,
                public={"text": f"wave {number}.", "to": "all"},
            )  # fmt: skip
    address, read = ALL, []
    while address:
        shown = page(ann, address)
        read += [int(one) for one in re.findall(r"wave ([0-9]+)\.", shown.text)]
        older = re.search(r'href="(/me[^"]+)" rel="next"', shown.source)
        address = older[1] if older else ""
    assert read == list(reversed(range(2 * A_PAGE + 1)))
    assert page(ann, f"{ALL}?before=x").text == page(ann, ALL).text


def test_a_substitute_reads_nothing_private_of_whoever_sat_there(
    ann: FlaskClient, app: Flask, harbour: Harbour, client: FlaskClient
) -> None:
    harbour.trust(RUNNING)
    send(ann, page(ann, TABLE), "say all: hello\nnote secret\nsay Bo Baker: whispered")
    here = harbour.installation
    ask(client, "dora@example.org", "learn/table")
    client.get(links_to(harbour, "dora@example.org")[0])
    with here.store.work() as session:
        game = session.get_one(Game, RUNNING)
        dora = harbour.number("dora")
        give_to_person(session, here.site, here.clock(), Author("clock"), game, 0, dora)
    shown = page(client, ALL)
    assert "Whoever had your seat before to everybody" in shown.text
    assert "hello" in shown.text
    assert "secret" not in shown.text
    assert "whispered" not in shown.text
    bo = harbour.browser(app, "Bo")
    assert "Whoever had the seat of dora before to you" in page(bo, ALL).text
    assert ann.get(ALL).status_code == 404
