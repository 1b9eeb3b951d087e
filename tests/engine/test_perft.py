"""Golden numbers of legal sequences from fixed seeds, agreed by both implementations."""

from __future__ import annotations

import json

import pytest

from tests.engine.perft import GOLDEN, STARTS, engine_perft, naive_perft, start_of

ROWS = json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_every_start_has_its_golden_counts() -> None:
    assert [(row["seed"], row["players"], row["turns"], len(row["counts"])) for row in ROWS] == [
        *STARTS
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['seed']}, turn {row['turns']}")
def test_legal_sequences_are_as_many_as_the_golden_counts(row: dict[str, object]) -> None:
    counts = row["counts"]
    assert isinstance(counts, list)
    position, naive = start_of(str(row["seed"]), int(str(row["players"])), int(str(row["turns"])))
    assert [engine_perft(position, depth + 1) for depth in range(len(counts))] == counts
    assert naive_perft(naive, 1) == counts[0]
