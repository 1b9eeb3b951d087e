"""The pages with 100,000 games in the database: server time and bytes of what a player opens.

`python -m bench.web [--games N]`.  The games are copies of one that was played some turns, put
in by bulk; the reader sits at ten of them.  Times are those of the processor, so that what else
the machine does is not measured along; the database is in the system's cache.  The baseline of
the same run is the smallest page there is (`/link`): what framework, template and session cost
by themselves.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from flask.testing import FlaskClient
from sqlalchemy import insert
from sqlmodel import Session, select
from werkzeug.test import TestResponse

from bench.instance import installation
from bench.machine import processor
from engine.bots import bot
from engine.shuffle import Generator
from engine.view import view
from pbem.app import create_app
from pbem.desk import tables, turns
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.store import Event, Game, Invitation, Person, Seat, Tenure
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.store.rows import id_of
from pbem.store.tokens import Bearer, issue

GAMES = 100_000
OWN = 10
TURNS = 14
ROUNDS = 40
BATCH = 2_000
TARGET_MS, TARGET_BYTES = 30.0, 100_000


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=GAMES)
    wanted = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder) / "i") as here:
        game_id, card = _filled(here, wanted.games)
        print(f"{processor()}; {wanted.games} games")
        done = _measured(here, game_id, card)
    return 0 if done else 1


def _filled(here: Installation, count: int) -> tuple[int, str]:
    """One table that was really played, copied; the reader has a seat at the first ten."""
    with here.store.work() as session:
        people = [
            find_or_add_person(
                session, here.clock(), name, f"{name.lower()}@example.org", confirmed=True
            )
            for name in ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
        ]
        game = _played(here, session, people[:3])
        session.flush()
        rows = _rows(session, game)
        seat = next(one.seat for one in holders(session, game) if one.person_id == people[0].id)
        hand = view(position_now(game), seat).hand or ()
    for start in range(1, count, BATCH):
        with here.store.work() as session:
            _copy(session, rows, range(start, min(start + BATCH, count)), people)
    return id_of(game), hand[0]


def _played(here: Installation, session: Session, people: list[Person]) -> Game:
    """On until it is the reader's turn again after some."""
    author, now = Author("cli"), here.clock()
    game = tables.open_table(
        session, here.site, now, here.entropy, author,
        name="Sunday club", places=[Place(one.id) for one in people],
        organiser_id=people[0].id, announced=False, server_seed="bench",
    )  # fmt: skip
    tables.begin_as_invited(session, here.site, now, author, game)
    chance = Generator("bench")
    for number in range(TURNS + 3):
        position = position_now(game)
        if number >= TURNS and position.to_move[0] == 0:
            break
        move = bot("greedy").choose(view(position, position.to_move[0]), chance)
        turns.play(session, here.site, now, author, game, position.to_move[0], move)
    return game


Rows = dict[type, list[dict[str, object]]]


def _rows(session: Session, game: Game) -> Rows:
    """The rows of the table, as they are copied."""
    seats = session.exec(select(Seat).where(Seat.game_id == game.id)).all()
    found: Rows = {
        Game: [game.model_dump()],
        Seat: [one.model_dump() for one in seats],
        Tenure: [
            one.model_dump()
            for seat in seats
            for one in session.exec(select(Tenure).where(Tenure.seat_id == seat.id))
        ],
    }
    for model in (Invitation, Event):
        rows = session.exec(select(model).where(model.game_id == game.id)).all()
        found[model] = [one.model_dump() for one in rows]
    return found


def _copy(session: Session, rows: Rows, numbers: range, people: list[Person]) -> None:
    """Copies under new numbers; the reader sits at the first ones, others at the rest."""
    [first] = rows[Game]
    made: Rows = {model: [] for model in rows}
    for number in numbers:
        game_id = int(str(first["id"])) + number
        own = number < OWN
        made[Game].append(first | {"id": game_id, "name": f"Table {number}"})
        for seat in rows[Seat]:
            seat_id = 1_000 + number * 10 + int(str(seat["number"]))
            made[Seat].append(seat | {"id": seat_id, "game_id": game_id})
            tenure = next(one for one in rows[Tenure] if one["seat_id"] == seat["id"])
            place = int(str(seat["number"]))
            person = people[place] if own else people[3 + place]
            made[Tenure].append(
                tenure | {"id": seat_id, "seat_id": seat_id, "person_id": person.id}
            )
        if own:
            for event in rows[Event]:
                made[Event].append(event | {"id": None, "game_id": game_id})
    for model in (Game, Seat, Tenure, Event):
        for row in made[model]:
            if row.get("id") is None:
                row.pop("id")
        if made[model]:
            session.connection().execute(insert(model), made[model])


def _measured(here: Installation, game_id: int, card: str) -> bool:
    app = create_app(here)
    client = app.test_client()
    with here.store.work() as session:
        ann = session.exec(select(Person).where(Person.name == "Ann")).one()
        token = issue(session, here.keys, Bearer("page", person_id=ann.id), here.clock())
    client.get(f"/p/{token}")
    table = f"/me/games/{game_id}"
    open_page = _part("live") | _tag(client, table)
    asked: dict[str, Callable[[], TestResponse]] = {
        "/link (baseline)": lambda: client.get("/link"),
        "start page": lambda: client.get("/"),
        "personal page": lambda: client.get("/me"),
        "table page": lambda: client.get(table),
        "turn panel": lambda: client.get(f"{table}?play={card}", headers=_part("board")),
        "nothing new": lambda: client.get(table, headers=open_page),
    }
    good = True
    for name, get in asked.items():
        good &= _told(name, get)
    return good & _first_load(client, table)


def _part(target: str) -> dict[str, str]:
    return {"HX-Request": "true", "HX-Target": target}


def _tag(client: FlaskClient, table: str) -> dict[str, str]:
    page = client.get(table).get_data(as_text=True)
    tag = page.split('"If-None-Match": "\\"')[1].split("\\")[0]
    return {"If-None-Match": f'"{tag}"'}


def _told(name: str, get: Callable[[], TestResponse]) -> bool:
    response = get()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        get()
        times.append((time.process_time() - start) * 1000)
    times.sort()
    median, p95 = statistics.median(times), times[int(len(times) * 0.95)]
    size = len(response.data)
    print(f"{name:20} median {median:6.1f} ms  95 % {p95:6.1f} ms  {size:7} bytes")
    return median < TARGET_MS


def _first_load(client: FlaskClient, table: str) -> bool:
    """Everything a browser fetches for its first table page, as it is and compressed."""
    page = client.get(table)
    names = {
        part.split('"')[0].replace("&amp;", "&")
        for part in page.get_data(as_text=True).split('="/static/')[1:]
    }
    asked = {"Accept-Encoding": "gzip"}
    bodies = [
        page.data,
        *(client.get(f"/static/{name}", headers=asked).data for name in sorted(names)),
    ]
    size = sum(map(len, bodies))
    print(f"first load: {size} bytes in {len(bodies)} files")
    return size < TARGET_BYTES


if __name__ == "__main__":
    sys.exit(main())
