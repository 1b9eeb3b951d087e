"""What a moderator waits for among many games.

    python -m bench.moderator [--games N]

The lists, the worklist of today and the figures, each asked for several times; beside each
list the same question without the indexes of games.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from flask import Flask
from sqlalchemy import delete, insert
from sqlmodel import Session, select

from bench.clock import START, Now, multiply, open_one
from bench.instance import installation
from bench.machine import processor
from pbem.app import create_app
from pbem.installation import Installation
from pbem.moderation.lists.audit import WantedRows, rows
from pbem.moderation.lists.games import GameRow, WantedGames, counts, games
from pbem.moderation.lists.people import WantedPeople, people
from pbem.store import Game, GameName, Person, PersonName, names
from pbem.store.daily import keep
from pbem.store.roles import Powers
from pbem.web.moderator.daily_counts import daily
from pbem.web.moderator.worklist import concerns

OWNER = Powers(person_id=0, owner=True, everywhere=True, games=frozenset())
ROUNDS = 7
TARGET = 50.0  # milliseconds a list

Question = Callable[[Session], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    count = parser.parse_args().games
    print(f"{count:,} games on {processor()}; milliseconds by the wall and of the")
    print(f"processor, the middle one of {ROUNDS} rounds (target of a list: {TARGET:.0f})\n")
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder) / "i", Now()) as here:
        multiply(here, open_one(here), count - 1)
        spread(here, count)
        app = create_app(here)
        with here.store.engine.connect() as connection:
            connection.exec_driver_sql("ANALYZE")
        for name, question in questions(here, count):
            told(app, here, name, question)
        drop_indexes(here)
        print("\nwithout the indexes of games")
        for name, question in questions(here, count)[:7]:
            told(app, here, name, question)


def spread(here: Installation, count: int) -> None:
    """Make the copies differ as games do: names, states, deadlines."""
    statements = (
        "UPDATE game SET name = 'Table ' || id,"
        " due_at = datetime(due_at, (id % 5000) || ' minutes'),"
        " waiting_since = datetime(waiting_since, '-' || (id % 9000) || ' minutes')",
        "UPDATE game SET status = 'over', due_at = NULL, waiting_since = NULL,"
        " started_at = datetime(created_at, '-' || (id % 400) || ' days'),"
        " finished_at = datetime(created_at, '-' || (id % 380) || ' days') WHERE id % 10 > 1",
        "UPDATE wait SET ended_at = datetime(since, '-' || (game_id % 300) || ' days'),"
        " outcome = 'turn', took_seconds = game_id * 7919 % 200000 WHERE game_id % 10 > 1",
        "UPDATE game SET paused_at = created_at WHERE id % 997 = 0 AND status = 'running'",
    )
    with here.store.work() as session:
        for statement in statements:
            session.connection().exec_driver_sql(statement)
        call(session)
    keep(here.store, START + timedelta(days=1))
    while keep(here.store, START + timedelta(days=1)):
        pass
    print(f"of these {count // 5:,} are running; {3 * count:,} people\n")


def call(session: Session) -> None:
    """Let the copies be found by their names, as those are that came one by one."""
    connection = session.connection()
    for model, found in ((Person, PersonName), (Game, GameName)):
        connection.execute(delete(found))
        for some in session.exec(select(model.id, model.name)).partitions(10_000):
            starts = ((number, start) for number, name in some for start in names.starts(name))
            key = f"{model.__tablename__}_id"
            connection.execute(
                insert(found), [{key: number, "start": start} for number, start in starts]
            )


def questions(here: Installation, count: int) -> list[tuple[str, Question]]:
    """What a moderator asks, by name."""
    now = START + timedelta(days=1)

    def listed(**wanted: object) -> Question:
        return lambda session: games(session, OWNER, WantedGames(**wanted), now)  # type: ignore[arg-type]

    def later(sort: str) -> Question:
        """The page behind the middle one."""

        def asked(session: Session) -> list[GameRow]:
            key = START + timedelta(days=2) if sort == "due" else START - timedelta(days=3)
            behind = (None, count // 2) if sort == "newest" else (key, count // 2)
            return games(session, OWNER, WantedGames(sort=sort, behind=behind), now)

        return asked

    return [
        ("games, newest first", listed()),
        ("games, newest first, in the middle", later("newest")),
        ("games, next deadline first, in the middle", later("due")),
        ("games, waiting longest first, in the middle", later("waiting")),
        ("games, overdue", listed(state="overdue", sort="due")),
        ("games, paused", listed(state="paused")),
        ("games, how many of each status", lambda session: counts(session, OWNER)),
        ("games, by a word of the name", listed(text="table 7777")),
        ("games, by a name that all have", listed(text="table")),
        ("games, by a name that nothing has", listed(text="zzz")),
        ("games, by a player", listed(text="Ann777")),
        ("people, by a word of the name", lambda s: people(s, OWNER, WantedPeople(text="Bo4242"))),
        ("people, by a name a third have", lambda s: people(s, OWNER, WantedPeople(text="Bo"))),
        ("audit, newest", lambda s: rows(s, OWNER, WantedRows())),
        ("today", lambda s: concerns(s, OWNER, now)),
        ("numbers of a month", lambda s: daily(s, now, 30)),
        ("numbers of a year", lambda s: daily(s, now, 365)),
    ]


def told(app: Flask, here: Installation, name: str, question: Question) -> None:
    """Print how long it takes to be answered: by the wall, and of the processor."""
    walls, own = [], []
    for _ in range(ROUNDS):
        with app.test_request_context("/"), here.store.read() as session:
            wall, processor_time = time.perf_counter(), time.process_time()
            question(session)
            walls.append((time.perf_counter() - wall) * 1000)
            own.append((time.process_time() - processor_time) * 1000)
    print(f"{name:44} {statistics.median(walls):8.1f} {statistics.median(own):8.1f}")


def drop_indexes(here: Installation) -> None:
    with here.store.work() as session:
        connection = session.connection()
        query = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'game'"
        for (name,) in connection.exec_driver_sql(query).fetchall():
            if not name.startswith("sqlite_"):
                connection.exec_driver_sql(f"DROP INDEX {name}")


if __name__ == "__main__":
    main()
