"""Pictures of the pages: light, dark, and on a phone (`make screenshots`); with `--docs` the
six of `docs/players.md` instead.

Development only: needs Playwright's Python package and an installed Chromium.
"""

import argparse
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, StorageState, sync_playwright
from sqlmodel import Session, select
from werkzeug.serving import make_server

from engine.bots import bot
from engine.shuffle import Generator
from engine.view import view
from pbem.app import create_app
from pbem.desk import lobby, tables, turns
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation, open_installation
from pbem.letters.gallery import BROWSERS, FOLDER, LOOKS
from pbem.letters.small_png import small_png
from pbem.post.content import content_of
from pbem.settings import Settings
from pbem.store import Game, Letter, Person, migrate
from pbem.store.log import Author, append
from pbem.store.people import holders
from pbem.store.positions import position_now

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
DOCS = Path("docs/pages")
SHOWN = (
    ("table", "light"), ("cabin", "phone"), ("ready", "dark"), ("mine", "phone-dark"),
    ("examples", "light"), ("new", "phone"),
)  # fmt: skip
"""The pictures of the docs: page and look."""
PEOPLE = ("Ann", "Bo", "Cy")
RUNNING = 2


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("pages", nargs="*", help="only these (default: all)")
    options.add_argument("--folder", type=Path, default=FOLDER / "pages")
    options.add_argument("--docs", action="store_true", help=f"the pictures in {DOCS}/")
    wanted = options.parse_args(arguments)
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        print("No Chromium found; on Debian: apt-get install chromium", file=sys.stderr)
        return 1
    with _harbour() as (base, installation, pages), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu"]
        )
        state = _signed_in(browser, base, installation)
        folder = DOCS if wanted.docs else wanted.folder
        folder.mkdir(parents=True, exist_ok=True)
        for look in LOOKS:
            found = {
                name: address
                for name, address in pages.items()
                if (not wanted.pages or name in wanted.pages)
                and (not wanted.docs or (name, look) in SHOWN)
            }
            _shoot(browser, base, state, found, look, folder, small=wanted.docs)
        browser.close()
    print(f"Pages: {folder}/")
    return 0


def _signed_in(browser: Browser, base: str, installation: Installation) -> StorageState:
    """The cookies of Ann's browser, which has asked for her link and opened it: so it is
    known, and no page asks for a code."""
    page = browser.new_page()
    page.goto(f"{base}/link")
    page.locator("input[name=address]").fill(_address(PEOPLE[0]))
    page.locator("main form button").click()
    with installation.store.read() as session:
        letter = session.exec(select(Letter).where(Letter.kind == "visit")).one()
        text = content_of(session, installation.site, letter).text
    [link] = re.findall(r"/p/\S+", text)
    page.goto(f"{base}{link}")
    state = page.context.storage_state()
    page.close()
    return state


def _shoot(
    browser: Browser, base: str, state: StorageState, pages: dict[str, str], look: str,
    folder: Path, *, small: bool,
) -> None:  # fmt: skip
    size: dict[str, Any] = dict(LOOKS[look])
    if "phone" not in look:
        size["viewport"] = {"width": 1200, "height": 900}
    elif small:
        size |= {"device_scale_factor": 1, "viewport": {"width": 360, "height": 1100}}
    context = browser.new_context(storage_state=state, **size)
    page = context.new_page()
    for name, address in pages.items():
        page.goto(f"{base}{address}")
        picture = page.screenshot(full_page=not small)
        (folder / f"{name}.{look}.png").write_bytes(small_png(picture) if small else picture)
    context.close()


@contextmanager
def _harbour() -> Iterator[tuple[str, Installation, dict[str, str]]]:
    """A server with some tables: its address, the installation, the pages to look at."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(instance=Path(folder))
        installation = open_installation(settings, lambda: NOW)
        migrate.upgrade(installation.store)
        pages = _pages(installation)
        server = make_server("127.0.0.1", 0, create_app(installation), threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", installation, pages
        server.shutdown()
        thread.join()
        installation.close()


def _pages(installation: Installation) -> dict[str, str]:
    """Tables of three people: one over, one with Ann to move, one open to all."""
    for name, upto in (("Old salts", 500), ("Sunday club", 9)):
        with installation.store.work() as session:
            _play(installation, session, _begun(installation, session, name), upto)
    with installation.store.work() as session:
        _ann, bo, _cy = _people(installation, session)
        game = tables.open_table(
            session, installation.site, NOW, installation.entropy, Author("cli"),
            name="Harbour lights", places=[Place(bo.id)], players=4, organiser_id=bo.id,
        )  # fmt: skip
        lobby.fulfil(session, game, lobby.TableWishes(lobby=True, watch_turns=3))
        running = session.get_one(Game, RUNNING)
        running.watch_turns, running.mail_policy = 0, "token"
        session.add(running)
        append(
            session, running, "say", NOW, Author("web", bo.id), seat=1,
            public={"to": "all", "text": "Who has put a skunk next to my deer?"},
        )  # fmt: skip
        hand = view(position_now(running), 0).hand or ()
        display = view(position_now(running), 0).display
    table = f"/me/games/{RUNNING}"
    return {
        "start": "/", "learn": "/learn", "examples": "/learn/examples", "cards": "/learn/cards",
        "first-game": "/learn/game", "rules": "/rules", "commands": "/help", "link": "/link",
        "lobby": "/lobby", "place": "/lobby/3", "new": "/new", "watch": f"/watch/{RUNNING}",
        "mine": "/me", "browser": "/me/browser", "settings": "/me/settings", "seats": "/me/seats",
        "table": table, "cabin": f"{table}?play={hand[0]}", "try": f"{table}?try=1",
        "ready": f"{table}?take={display[0]}", "over": "/games/1", "games": "/games",
        "replay": "/games/1/replay?turn=20&seat=all", "statistics": "/games/statistics",
        "ended": "/games/ended", "mails": "/me/mails", "letters": "/me/letters",
    }  # fmt: skip


def _begun(installation: Installation, session: Session, name: str) -> Game:
    people, author = _people(installation, session), Author("cli")
    game = tables.open_table(
        session, installation.site, NOW, installation.entropy, author,
        name=name, places=[Place(one.id) for one in people], organiser_id=people[0].id,
        announced=False, server_seed=name,
    )  # fmt: skip
    for one in tables.invitations(session, game):
        one.state = "accepted"
        session.add(one)
    tables.begin(session, installation.site, NOW, author, game, draw_seats=False)
    return game


def _play(installation: Installation, session: Session, game: Game, upto: int) -> None:
    """On to this turn, and then until the first player is to move with some cards in hand."""
    chance = Generator(game.name)
    while game.status == "running":
        position = position_now(game)
        seat = position.to_move[0]
        if position.turn >= upto and seat == 0 and len(position.hands[0]) > 2:
            return
        move = bot("greedy").choose(view(position, seat), chance)
        author = Author("web", holders(session, game)[seat].person_id)
        turns.play(session, installation.site, NOW, author, game, seat, move)


def _people(installation: Installation, session: Session) -> list[Person]:
    return [
        find_or_add_person(session, NOW, name, _address(name), confirmed=True) for name in PEOPLE
    ]


def _address(name: str) -> str:
    return f"{name.lower()}@example.org"


if __name__ == "__main__":
    sys.exit(main())
