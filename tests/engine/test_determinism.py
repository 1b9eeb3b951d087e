"""The same seed is the same game: on every machine, Python version, and day."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.cards import builtin_deck
from engine.game import new_game
from engine.record import setup_of
from engine.shuffle import Generator

ROOT = Path(__file__).parents[2]
DEALS = json.loads(Path(__file__).with_name("deals.json").read_text(encoding="utf-8"))

# SHA-256 of the file that `simulate` writes.
SIMULATIONS = {
    ("3", "random"): "3086511b4e59e86a61456593023c72dc4ffefc188aa317bd20759abd38d8a11a",
    (
        "4",
        "greedy,random,random,greedy",
    ): "16fdcaf61c0c3304ecf875862975f7675cb3f77ee53984a126e14dac7ecb3af4",
    ("5", "random"): "36141a11cef47ef0507039b6e4b58a59dbbf75d2bba9b6c5dacb3479c22d2a38",
}


def documented_words(seed: str, count: int) -> list[int]:
    """The generator as `engine.shuffle` documents it, written once more."""
    words: list[int] = []
    for block in range(count):
        digest = hashlib.sha256(f"{seed}:{block}".encode()).digest()
        words += [int.from_bytes(digest[start : start + 8], "big") for start in (0, 8, 16, 24)]
    return words[:count]


@pytest.mark.parametrize("seed", ["", "golden", "Zebra é中"])
def test_the_generator_is_the_documented_one(seed: str) -> None:
    words = documented_words(seed, 50)
    generator = Generator(seed)
    assert [generator.below(2**64) for _ in words] == words
    generator = Generator(seed)
    assert [generator.below(6) for _ in words] == [word % 6 for word in words]
    # Words beyond the greatest multiple are passed over: here a quarter of them.
    most = 3 * 2**62
    generator = Generator(seed)
    taken = [word for word in words if word < most]
    assert len(taken) < len(words)
    assert [generator.below(most) for _ in taken] == taken


def test_the_shuffle_is_the_documented_one() -> None:
    words = iter(documented_words("golden", 50))
    expected = list(range(20))
    for i in range(19, 0, -1):
        j = next(words) % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    items = list(range(20))
    Generator("golden").shuffle(items)
    assert items == expected


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal['players']} players")
def test_a_seed_deals_what_it_always_dealt(deal: dict[str, object]) -> None:
    position = new_game(str(deal["seed"]), int(str(deal["players"])), builtin_deck())
    assert setup_of(position) == deal["setup"]


@pytest.mark.parametrize(("players", "bots"), SIMULATIONS)
def test_simulations_are_the_same_byte_for_byte(players: str, bots: str, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    arguments = ["--players", players, "--games", "2", "--seed", "golden", "--bot", bots]
    assert main(["simulate", *arguments, "--legal", "--state", "--out", str(out)]) == 0
    assert hashlib.sha256(out.read_bytes()).hexdigest() == SIMULATIONS[players, bots]


def test_the_hash_seed_of_python_is_no_matter(tmp_path: Path) -> None:
    written = []
    for hash_seed in ("1", "2"):
        out = tmp_path / f"{hash_seed}.jsonl"
        arguments = ["--players", "4", "--games", "3", "--seed", "7", "--legal", "--out", str(out)]
        subprocess.run(
            [sys.executable, "-m", "engine", "simulate", *arguments],
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        written.append(out.read_bytes())
    assert written[0] == written[1]
    assert written[0].count(b"\n") == 3
