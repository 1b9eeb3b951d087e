"""Fixtures of the engine's tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.engine import naive_setup
from tests.engine.build import EngineTable, NaiveTable, Table, build_state

# ARK_THOROUGH=20 plays twenty times as many random games. An example is a whole game or several.
THOROUGH = int(os.environ.get("ARK_THOROUGH", "1"))
settings.register_profile(
    "ark",
    deadline=None,
    max_examples=12 * THOROUGH,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("ark")

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
