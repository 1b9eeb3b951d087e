"""The world of these tests: built once, copied for each."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.installation import open_installation
from pbem.settings import Settings, load_settings
from tests.conftest import CountedEntropy, HandClock
from tests.moderation.world import World, build


def _settings(folder: Path) -> Settings:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARK_INSTANCE", str(folder))
        return load_settings(
            mail={"domain": "ark.example", "port": 0, "readers": 0}, web={"port": 0}
        )


@pytest.fixture(scope="session")
def world_folder(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    folder = tmp_path_factory.mktemp("world")
    shutil.copy(empty_database, folder / "ark.sqlite")
    installation = open_installation(_settings(folder), HandClock(), CountedEntropy())
    build(installation)
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    installation.close()
    return folder


@pytest.fixture
def world(world_folder: Path, tmp_path: Path, clock: HandClock) -> Iterator[World]:
    folder = tmp_path / "world"
    shutil.copytree(world_folder, folder)
    installation = open_installation(_settings(folder), clock, CountedEntropy())
    yield World(installation)
    installation.close()


@pytest.fixture(scope="module")
def untouched(world_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world for tests that change nothing in it."""
    folder = tmp_path_factory.mktemp("untouched") / "world"
    shutil.copytree(world_folder, folder)
    installation = open_installation(_settings(folder), HandClock(), CountedEntropy())
    yield World(installation)
    installation.close()
