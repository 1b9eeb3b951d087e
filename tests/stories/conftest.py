"""The server is built once, and each story has a copy of its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import BytecodeCache, FileSystemBytecodeCache
from playwright.sync_api import Browser

from pbem.app import create_app
from pbem.installation import open_installation
from pbem.settings import Settings, load_settings
from pbem.web.server import WebServer, WebSocket
from tests.conftest import CountedEntropy, HandClock
from tests.stories.house import build
from tests.stories.story import Story


def _settings(folder: Path) -> Settings:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARK_INSTANCE", str(folder))
        return load_settings(
            mail={"domain": "ark.example", "port": 0, "readers": 0},
            web={"port": 0},
            post={"transport": "postroom"},
        )


@pytest.fixture(scope="session")
def house_folder(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(empty_database, folder / "ark.sqlite")
    installation = open_installation(_settings(folder), HandClock(), CountedEntropy())
    build(installation)
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    installation.close()
    return folder


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> BytecodeCache:
    """Templates that have been compiled once need not be for every story."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def story(
    house_folder: Path, tmp_path: Path, clock: HandClock, browser: Browser,
    compiled: BytecodeCache,
) -> Iterator[Story]:  # fmt: skip
    """A server with its pages; clock, mail and post move only when the story says so."""
    folder = tmp_path / "house"
    shutil.copytree(house_folder, folder)
    settings = _settings(folder)
    installation = open_installation(settings, clock, CountedEntropy())
    app = create_app(installation)
    app.jinja_env.bytecode_cache = compiled
    taken = WebSocket(settings.web)
    web = WebServer(app, settings.web, taken)
    web.start()
    told = Story(installation, clock, browser, f"http://127.0.0.1:{taken.port}")
    try:
        yield told
        told.close()
    finally:
        web.stop()
        taken.close()
        installation.close()
