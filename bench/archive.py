"""What the archive costs when it is large.

    python -m bench.archive [--games N]

The rows of the lists are written in bulk into a temporary file (100,000 games by default; a
million takes some minutes).  A search stands beside counting the rows it looks among, and
filing one more game beside filing the first.  Times are those of the processor.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

from sqlmodel import select

from bench.machine import processor
from engine.bots import bot
from engine.cards import builtin_deck
from engine.game import apply, new_game
from engine.record import Turn, begin, write
from engine.scoring import score
from engine.shuffle import Generator
from engine.view import view
from pbem.archive import filing, importing, search
from pbem.archive.search import LENGTHS, RESULTS, Wanted
from pbem.store import Category, FinishedGame, Game, Store, migrate

START = datetime(2020, 1, 1, tzinfo=UTC)
BATCH = 20_000
ROUNDS = 15
DRIVERS = ("skunk", "mosquito", "spider")
SEARCHES = {
    "the newest": Wanted(),
    "five players": Wanted(players=5),
    "long games, shared, four players": Wanted(players=4, length="long", result="shared"),
    "the skunk drove out the chimpanzee": Wanted(driver="skunk", victim="chimpanzee"),
    "the walrus was driven out, short games": Wanted(victim="walrus", length="short"),
    "a player of 1,000 games": Wanted(player="name 7"),
    "a month years ago": Wanted(since=START.date(), until=(START + timedelta(days=30)).date()),
}


def fill(store: Store, count: int) -> None:
    """So many games in the lists, with their seats and drive-outs."""
    chance = Random(1)
    victims = [card.name for card in builtin_deck().cards if not card.is_provision]
    categories = [
        (number, players, length, result)
        for number, (players, length, result) in enumerate(
            ((p, one, r) for p in (3, 4, 5) for one in LENGTHS for r in RESULTS), 1
        )
    ]
    with store.engine.begin() as connection:
        sql = connection.exec_driver_sql
        sql("BEGIN IMMEDIATE")
        sql("PRAGMA foreign_keys=OFF")
        for number, players, length, result in categories:
            sql("INSERT INTO archive_category VALUES (?, 'house', ?, ?, ?, 1)",
                (number, players, length, result))  # fmt: skip
        for start in range(1, count + 1, BATCH):
            numbers = range(start, min(count + 1, start + BATCH))
            rows = [(n, *chance.choice(categories)[:2], _time(n)) for n in numbers]
            sql(
                "INSERT INTO game (id, name, status, players, deck, zone, turn_seconds, created_at,"
                " finished_at, server_seed, salt, commitment, seq, decision, bot_waits, archive,"
                " filed_as) VALUES (?, 'Table', 'over', ?, 'house', 'UTC', 1, ?, ?, '', '', '', 0,"
                " 0, 0, 'open', 'open')",
                [(n, players, at, at) for n, _, players, at in rows],
            )
            sql(
                "INSERT INTO finished_game (game_id, category_id, listed, finished_at, turns,"
                " seconds, best, margin, swing, swing_turn, seq, digest)"
                " VALUES (?, ?, 1, ?, 45, 1, 40, 2, 9, 3, 1, ?)",
                [(n, category, at, f"{n:064x}") for n, category, _, at in rows],
            )
            sql(
                "INSERT INTO finished_seat (game_id, seat, name_key, finished_at, total, place,"
                " won, rated) VALUES (?, ?, ?, ?, 30, 1, 20, 0)",
                [
                    (n, seat, f"name {chance.randrange(max(10, count * 3 // 1000))}", at)
                    for n, _, players, at in rows
                    for seat in range(players)
                ],
            )
            sql(
                "INSERT INTO drive_out (game_id, category_id, finished_at, turn, seat, driver,"
                " victim) VALUES (?, ?, ?, 9, 0, ?, ?)",
                [
                    (n, category, at, driver, chance.choice(victims))
                    for n, category, _, at in rows
                    for driver in DRIVERS[: chance.randrange(3)]
                ],
            )
        sql("COMMIT")
        sql("ANALYZE")


def _time(number: int) -> str:
    at = START + timedelta(minutes=3 * number)
    return at.replace(tzinfo=None).isoformat(" ", "microseconds")


def played(seed: str) -> str:
    position, chance = new_game(seed, 4, builtin_deck()), Generator(seed)
    record = begin(position)
    while position.phase != "over":
        seat = position.to_move[0]
        move = bot("greedy").choose(view(position, seat), chance)
        record.turns.append(Turn(seat, move))
        apply(position, seat, move)
    record.result = dict(score(position).to_json())
    return write(record)


def milliseconds(work: Callable[[], object]) -> tuple[float, float]:
    """Median and worst of some rounds, the first left out."""
    work()
    found = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        found.append(1000 * (time.process_time() - began))
    return statistics.median(found), max(found)


def filing_time(store: Store, seeds: list[str]) -> float:
    """Milliseconds of filing one game, the bringing in left out."""
    now = datetime.now(UTC)
    found = []
    for seed in seeds:
        text = played(seed)
        with store.work() as session:
            [number] = importing.import_records(session, text, now)
        with store.work() as session:
            game = session.get_one(Game, number)
            began = time.process_time()
            filing.file(session, game)
            session.flush()
            found.append(1000 * (time.process_time() - began))
    return statistics.median(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100_000)
    count = parser.parse_args().games
    print(f"{processor()}, {count:,} games")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARK_INSTANCE"] = folder
        store = Store(f"sqlite:///{Path(folder) / 'ark.sqlite'}")
        migrate.upgrade(store)
        first = filing_time(store, [f"first {n}" for n in range(3)])
        clear(store)
        fill(store, count)
        for name, wanted in SEARCHES.items():
            with store.read() as session:
                median, worst = milliseconds(partial(search.search, session, wanted))
                hits = len(search.search(session, wanted).moments)
            print(f"{name:42} {median:7.1f} ms (worst {worst:.1f}), {hits} on the page")
        with store.read() as session:
            older = (START + timedelta(minutes=count), count // 3)
            median, worst = milliseconds(
                lambda: search.search(session, Wanted(players=3), older_than=older)
            )
            print(f"{'a page far down':42} {median:7.1f} ms (worst {worst:.1f})")
            began = time.process_time()
            session.connection().exec_driver_sql(
                "SELECT count(*) FROM finished_game WHERE best > 30 AND margin < 3"
            ).scalar_one()
            print(f"{'beside it: looking at every row':42} "
                  f"{1000 * (time.process_time() - began):7.1f} ms")  # fmt: skip
            assert session.exec(select(FinishedGame).limit(1)).first() is not None
        last = filing_time(store, [f"last {n}" for n in range(3)])
        print(f"filing a game: the first {first:.1f} ms, beside {count:,} others {last:.1f} ms")
        store.close()


def clear(store: Store) -> None:
    """An empty database again."""
    with store.engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        for table in ("drive_out", "finished_seat", "finished_game", "archive_category",
                      "statistic", "event", "tenure", "seat", "game"):  # fmt: skip
            connection.exec_driver_sql(f"DELETE FROM {table}")
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA foreign_keys=ON")
    with store.read() as session:
        assert session.exec(select(Category)).all() == []


if __name__ == "__main__":
    main()
