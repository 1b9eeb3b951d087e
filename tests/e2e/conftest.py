"""A fresh installation for each test: its letters go to the sink."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.forked import ForkedServer
from tests.e2e.server import Server, server_at
from tests.e2e.sink import Sink, sink_at_work


@pytest.fixture
def sink() -> Iterator[Sink]:
    with sink_at_work() as sink:
        yield sink


@pytest.fixture
def server(tmp_path: Path, sink: Sink) -> Iterator[Server]:
    """Not started yet."""
    with server_at(tmp_path / "instance", sink.port, kind=ForkedServer) as server:
        yield server
