"""What the clock costs among many running games.

    python -m bench.clock [--games N] [--due N]

Finding what is due stands beside the same question without the index; dealing with it
beside bare SQLite that commits as many rows as often.  A writer that takes the database
again and again tells how long a turn would have waited for a sweep.
"""

import argparse
import os
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import col, func, select

from bench.instance import installation
from bench.machine import processor
from engine.bots import bot
from engine.shuffle import Generator
from engine.view import view
from pbem.clock import sweep, tick
from pbem.clock.sweep import TABLES_A_UNIT
from pbem.desk import tables, turns
from pbem.desk.people import find_or_add_person
from pbem.installation import Installation
from pbem.store import Game, Letter, Reliability
from pbem.store.log import Author
from pbem.store.options import options_of
from pbem.store.positions import position_now
from pbem.store.rows import id_of

START = datetime(2026, 12, 1, 9, tzinfo=UTC)
PLAYERS = ("Ann", "Bo", "Cy")
ROUNDS = 5
ROWS = 5  # that a reminder writes: letter, two tokens, reminder, and the wait


class Now:
    """The time, set by hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


def open_one(here: Installation, phase: str = "main") -> int:
    """A running game as a real one begins, played on to the beginning of a phase."""
    now, author = here.clock(), Author("cli")
    with here.store.work() as session:
        people = [
            find_or_add_person(session, now, one, f"{one}@p.example", True) for one in PLAYERS
        ]
        game = tables.open_table(
            session, here.site, now, here.entropy, author, name="Bench",
            places=[tables.Place(one.id) for one in people], organiser_id=people[0].id,
            announced=False,
        )  # fmt: skip
        session.add_all(Reliability(person_id=id_of(one)) for one in people)  # not their first
        tables.begin_as_invited(session, here.site, now, author, game)
        while (position := position_now(game)).phase != phase:
            seat = position.to_move[0]
            move = bot("greedy").choose(view(position, seat), Generator(f"{position.turn}"))
            turns.play(session, here.site, now, author, game, seat, move)
        return id_of(game)


def multiply(here: Installation, game_id: int, games: int) -> None:
    """As many games like that one, each with players, seats and a wait of its own."""
    names = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :games) "
    with here.store.work() as session:
        connection = session.connection().connection.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        for table, changed in (
            ("person", {"id": "p.id + 3 * i", "name": "p.name || i"}),
            ("address", {"id": "p.id + 3 * i", "person_id": "p.person_id + 3 * i",
                         "address": "i || p.address"}),
            ("reliability", {"person_id": "p.person_id + 3 * i"}),
            ("game", {"id": "p.id + i", "organiser_id": "p.organiser_id + 3 * i"}),
            ("seat", {"id": "p.id + 3 * i", "game_id": "p.game_id + i"}),
            ("tenure", {"id": "p.id + 3 * i", "seat_id": "p.seat_id + 3 * i",
                        "person_id": "p.person_id + 3 * i"}),
            ("wait", {"id": "p.id + i", "game_id": "p.game_id + i",
                      "person_id": "p.person_id + 3 * i"}),
        ):  # fmt: skip
            rows = f'"{table}" p, n' + (" WHERE p.ended_at IS NULL" if table == "wait" else "")
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            values = ", ".join(changed.get(name, f'p."{name}"') for name in columns)
            quoted = ", ".join(f'"{name}"' for name in columns)
            connection.execute(
                f'INSERT INTO "{table}" ({quoted}) {names} SELECT {values} FROM {rows}',
                {"games": games},
            )
    assert game_id == 1


def put_off(here: Installation, due: int) -> None:
    """All but some of the games have nothing due for a long time."""
    with here.store.work() as session:
        for game in session.exec(select(Game).where(col(Game.id) > due)).partitions(1000):
            for one in game:
                one.alarm_at = START + timedelta(days=100)


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def finding(here: Installation, by_index: bool) -> float:
    """Seconds to ask what is due, in a unit of its own as the sweep does."""
    column = col(Game.alarm_at) if by_index else func.coalesce(col(Game.alarm_at), None)

    def ask() -> None:
        with here.store.read() as session:
            session.exec(
                select(Game.id).where(column <= here.clock()).order_by(column).limit(200)
            ).all()

    return statistics.median(seconds(ask) for _ in range(ROUNDS))


def floor(path: Path, due: int) -> float:
    """Seconds bare SQLite takes to commit as many rows in as many units."""
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (a INTEGER, b TEXT)"
    )

    def work() -> None:
        for _ in range(due // TABLES_A_UNIT):
            database.execute("BEGIN IMMEDIATE")
            database.executemany(
                "INSERT INTO t VALUES (?, ?)", [(1, "x" * 200)] * ROWS * TABLES_A_UNIT
            )
            database.execute("COMMIT")

    taken = seconds(work)
    database.close()
    return taken


class Turns(threading.Thread):
    """Takes the database to write, again and again, as turns do; notes how long it waits."""

    def __init__(self, here: Installation) -> None:
        super().__init__()
        self._here, self._stopped = here, threading.Event()
        self.waited: list[float] = []

    def run(self) -> None:
        while not self._stopped.wait(0.02):
            started = time.perf_counter()
            with self._here.store.work():
                self.waited.append(time.perf_counter() - started)

    def stop(self) -> None:
        self._stopped.set()
        self.join()


KINDS = (
    ("a reminder", "reminder", {}),
    ("a deadline: grace, told to all", "deadline-missed", {}),
    ("a deadline: a bot's turn", "played-for-you", {"on_miss": "bot", "misses_before_offer": 9}),
    ("a deadline: the first display card", "played-for-you",
     {"on_miss": "gather", "misses_before_offer": 9, "grace_hours": 0}),
    ("a deadline: waits on, told to all", "deadline-missed",
     {"on_miss": "wait", "misses_before_offer": 9, "grace_hours": 0}),
    ("a deadline: the seat is offered", "deadline-missed",
     {"misses_before_offer": 1, "grace_hours": 0}),
)  # fmt: skip
"""What is due, the letter that tells of it, and what the tables have agreed on for it."""
PASS = ("a deadline: a pass, in the end phase", "played-for-you",
        {"on_miss": "pass", "misses_before_offer": 9, "grace_hours": 0})  # fmt: skip


def agree(here: Installation, due: int, options: dict[str, Any]) -> None:
    with here.store.work() as session:
        for game in session.exec(select(Game).where(col(Game.id) <= due)):
            game.options = options_of(game).model_copy(update=options).to_json()
            session.add(game)


def come_due(here: Installation, now: Now, letter: str, options: dict[str, Any], due: int) -> None:
    """Let a time come at which this is due."""
    agree(here, due, options)
    if letter != "reminder":
        now.now = last_deadline(here, due) + timedelta(minutes=1)


def last_deadline(here: Installation, due: int) -> datetime:
    with here.store.read() as session:
        found = session.exec(select(func.max(Game.due_at)).where(col(Game.id) <= due)).one()
        assert found is not None
        return found


def letters_of(here: Installation, kind: str) -> int:
    with here.store.read() as session:
        query = select(func.count()).select_from(Letter).where(Letter.kind == kind)
        return session.exec(query).one()


def swept(here: Installation, what: str, letter: str, due: int) -> None:
    """Deal with all that is due, while turns want to write, too."""
    before = letters_of(here, letter)
    turns = Turns(here)
    turns.start()
    done, wall, busy = 0, time.perf_counter(), time.thread_time()
    while some := sweep(here):
        done += some
    wall, busy = time.perf_counter() - wall, time.thread_time() - busy
    turns.stop()
    assert done == due, (what, done)
    assert (letters_of(here, letter) - before) % due == 0 < letters_of(here, letter), what
    told(what, (done / wall, done / busy), turns.waited)


def told(what: str, rates: tuple[float, float] | None, waited: list[float]) -> None:
    low, high = statistics.median(waited) * 1000, max(waited) * 1000
    wall, busy = rates or (0, 0)
    rate = f"{wall:5.0f} a second, {busy:4.0f} of processor time" if rates else ""
    print(f"{what:34}{rate:40} a turn waits {low:5.1f} ms, at most {high:.0f} ms")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100_000)
    options.add_argument("--due", type=int, default=600)
    asked = options.parse_args()
    now = Now()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with installation(folder / "instance", now) as here:
            multiply(here, open_one(here), asked.games - 1)
            put_off(here, asked.due)
            tick(here)  # the first beat
            now.now = START + timedelta(hours=24, minutes=1)
            found, scanned = finding(here, True), finding(here, False)
            print(f"{processor()}, load {os.getloadavg()[0]:.1f}; "
                  f"{asked.games:,} running games, {asked.due} due")  # fmt: skip
            print(f"finding the due ones {found * 1000:.1f} ms (scan: {scanned * 1000:.0f} ms)\n")
            idle = Turns(here)
            idle.start()
            time.sleep(2)
            idle.stop()
            told("no sweep", None, idle.waited)
            for what, letter, options in KINDS:
                come_due(here, now, letter, options, asked.due)
                swept(here, what, letter, asked.due)
        with installation(folder / "ending", now) as here:
            multiply(here, open_one(here, "end"), asked.due - 1)
            tick(here)
            what, letter, options = PASS
            come_due(here, now, letter, options, asked.due)
            swept(here, what, letter, asked.due)
            bare = floor(folder / "floor.sqlite", asked.due)
    print(f"\nbare SQLite with as many rows as reminders have: {asked.due / bare:.0f} a second")


if __name__ == "__main__":
    main()
