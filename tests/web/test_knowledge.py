"""R10 on the pages: nothing a seat is shown depends on a card it cannot know."""

import random
import re
import shutil
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from jinja2 import BytecodeCache

from pbem.app import create_app
from pbem.installation import open_installation
from pbem.settings import Settings
from pbem.store import Game
from pbem.store.positions import position_now
from pbem.store.tokens import Bearer, issue
from tests.conftest import CountedEntropy, HandClock
from tests.e2e.knowledge import permute
from tests.web.harbour import NAMES, RUNNING, Harbour, answer, page, play_on, send

QUESTIONS = ("status", "hand", "scores", "legal", "history 20", "why bronto L1", "why fox R+")
HALF_TYPED = ("p", "take ", "play ", "why ", "preview ")
SECRET_OF_THE_FORM = re.compile(r'name="(csrf|key)" value="[^"]*"|answer=[0-9a-f]{40}')


def shown_to(harbour: Harbour, seat: int, compiled: BytecodeCache) -> list[str]:
    """Everything the pages tell a seat: its table, previews of its examples, answers."""
    app = create_app(harbour.installation)
    app.jinja_env.bytecode_cache = compiled
    client = harbour.browser(app, NAMES[seat].split()[0])
    table = page(client, f"/me/games/{RUNNING}")
    examples = re.findall(r'\?text=[^"]*">([^<]+)</a></li>', table.source)
    told = [page(client, "/me").source, table.source]
    told += [answer(send(client, table, one, do="preview")) for one in examples]
    told.append(answer(send(client, table, "\n".join(QUESTIONS))))
    for text in HALF_TYPED:
        data = {"csrf": table.field("csrf"), "text": text}
        told.append(client.post(f"/me/games/{RUNNING}/complete", data=data).get_data(as_text=True))
    told += told_to_a_program(harbour, client, seat)
    told.append(page(app.test_client(), f"/watch/{RUNNING}").source)
    return [SECRET_OF_THE_FORM.sub("", one) for one in told]


def told_to_a_program(harbour: Harbour, client: FlaskClient, seat: int) -> list[str]:
    """The seat's view, its legal moves, and what some of them would bring."""
    here = harbour.installation
    with here.store.work() as session:
        bearer = Bearer("api", harbour.number(NAMES[seat].split()[0]), RUNNING, seat)
        token = issue(session, here.keys, bearer, here.clock())
    headers = {"Authorization": f"Bearer {token}"}
    told = [client.get(f"/api/v1/seat/{what}", headers=headers) for what in ("view", "legal")]
    moves = [one["move"] for one in told[1].json["moves"]]  # type: ignore[index]
    for move in random.Random(seat).sample(moves, min(5, len(moves))):
        told.append(client.post("/api/v1/seat/preview", json={"move": move}, headers=headers))
    assert {one.status_code for one in told} == {200}
    return [one.get_data(as_text=True) for one in told]


def let_anybody_watch(harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, RUNNING)
        game.watch_turns = 0
        session.add(game)


def reopened(folder: Path, settings: Settings, clock: HandClock) -> Harbour:
    moved = settings.model_copy(update={"instance": folder})
    return Harbour(open_installation(moved, clock, CountedEntropy()))


def play_until(harbour: Harbour, phase: str) -> None:
    """On to a phase of the game; into the pet phase as far as its first choice."""
    while position_now(harbour.game(RUNNING)).phase != phase:
        play_on(harbour.installation, RUNNING, 1)
    if phase == "pets":
        play_on(harbour.installation, RUNNING, 1)


@pytest.mark.parametrize("phase", ["main", "pets", "end"])
def test_a_seat_is_shown_nothing_it_cannot_know(
    harbour: Harbour, tmp_path: Path, clock: HandClock, compiled: BytecodeCache, phase: str
) -> None:
    play_until(harbour, phase)
    let_anybody_watch(harbour)
    settings = harbour.installation.settings
    with harbour.installation.store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    for seat in (0, 2):
        folders = [tmp_path / f"as-it-is-{seat}", tmp_path / f"otherwise-{seat}"]
        for folder in folders:
            shutil.copytree(settings.instance, folder)
        permute(folders[1] / "ark.sqlite", RUNNING, seat, random.Random(seat))
        seen = []
        for folder in folders:
            opened = reopened(folder, settings, clock)
            seen.append(shown_to(opened, seat, compiled))
            opened.installation.close()
        assert len(seen[0]) >= 3
        assert all(seen[0])
        for one, other in zip(*seen, strict=True):
            assert one == other
