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
    ("3", "random"): "326e100d005c37d2f6b29ed3ef45cbcfb5e9acb8d258d90d527934433c1d0b72",
    (
        "4",
        "greedy,random,random,greedy",
    ): "7aadd59aab339857b3e0fd52a3f5fc4813a4cc481e7f0085083623d2054d3859",
    ("5", "random"): "9180402d4859c276bca25591f52682982d71b41b49477ab020ec242e738e1109",
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
