"""A fresh installation for each test: its letters go to the sink."""

from __future__ import annotations

import shutil
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
def server(tmp_path: Path, sink: Sink, empty_database: Path) -> Iterator[Server]:
    """Not started yet; its database is up to date."""
    with server_at(tmp_path / "instance", sink.port, kind=ForkedServer) as server:
        shutil.copy(empty_database, server.folder / "ark.sqlite")
        yield server
