"""How fast the rules are, against the plain implementation of the tests.

    python -m bench.engine [--rounds 5] [--games 300]

Both play the very same games as whole processes: random play, the complete legal list on
every turn, records written.  Replay and copying are measured inside this process.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.machine import processor
from engine.cards import builtin_deck
from engine.game import Position, new_game
from engine.record import read, replay

PLAYERS = 3
COPIES = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        games, plain = Path(folder) / "games.jsonl", Path(folder) / "plain.jsonl"
        engine = ["engine", "simulate", "--players", str(PLAYERS), "--games", str(options.games)]
        engine += ["--seed", "bench", "--out", str(games)]
        naive = ["tests.engine.naive", "simulate", "--replay-of", str(games), "--out", str(plain)]
        _run(engine)
        records = read(games.read_text(encoding="ascii"))
        turns = sum(len(record.turns) for record in records)
        pairs = [(_timed(lambda: _run(engine)), _timed(lambda: _run(naive)))
                 for _ in range(options.rounds)]  # fmt: skip
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(naive_time / our_time for our_time, naive_time in pairs)
    position = new_game("bench", PLAYERS, builtin_deck())
    replays = _median(options.rounds, lambda: [replay(one) for one in records]) / len(records)
    copies = _median(options.rounds, lambda: _copy(position)) / COPIES
    print(f"{processor()}, Python {sys.version.split()[0]}, median of {options.rounds}")
    print(f"{options.games} games of {PLAYERS}, {turns} turns, whole processes, records written")
    print(f"  engine          {ours:8.2f} s {turns / ours:9.0f} turns/s")
    print(f"  plain baseline  {theirs:8.2f} s {turns / theirs:9.0f} turns/s")
    print(f"  ratio           {ratio:8.1f}")
    print(f"validating replay of a recorded game {replays * 1e3:6.2f} ms")
    print(f"copying a position                   {copies * 1e6:6.2f} µs")


def _copy(position: Position) -> None:
    for _ in range(COPIES):
        position.copy()


def _run(arguments: list[str]) -> None:
    subprocess.run([sys.executable, "-m", *arguments], check=True, stdout=subprocess.DEVNULL)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _median(rounds: int, work: Callable[[], object]) -> float:
    return statistics.median(_timed(work) for _ in range(rounds))


if __name__ == "__main__":
    main()
