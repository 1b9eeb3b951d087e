"""Fixtures of the engine's tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.engine import naive_setup
from tests.engine.build import EngineTable, NaiveTable, Table, build_state

TableMaker = Callable[..., Table]


@pytest.fixture(params=[EngineTable, NaiveTable], ids=["engine", "naive"])
def table(request: pytest.FixtureRequest) -> TableMaker:
    """`build.build_state` as a position of the engine and as one of the naive rules."""
    kind: type[Table] = request.param

    def make(
        *, players: int = 3, deck: list[dict[str, Any]] | None = None, first: int = 0, **words: Any
    ) -> Table:
        cards = deck or naive_setup.read_deck()
        state = build_state(cards, players=players, **words)
        return kind.of(state, players, cards, first)

    return make
