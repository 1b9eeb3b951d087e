"""A harbour to look at: a finished game, one that runs, and one that is being filled."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache, FileSystemBytecodeCache

from pbem.app import create_app
from pbem.archive.filing import file_all
from pbem.installation import open_installation
from pbem.settings import Settings, load_settings
from tests.conftest import CountedEntropy, HandClock
from tests.web.harbour import Harbour, build


def _settings(folder: Path, *, postroom: bool = False) -> Settings:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARK_INSTANCE", str(folder))
        return load_settings(
            mail={"domain": "ark.example", "port": 0, "readers": 0},
            web={"port": 0, "postroom": postroom},
            post={"transport": "postroom"},
        )


@pytest.fixture(scope="session")
def harbour_folder(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    """The instance folder of the harbour, to be copied: playing a game takes a while."""
    folder = tmp_path_factory.mktemp("harbour")
    shutil.copy(empty_database, folder / "ark.sqlite")
    installation = open_installation(_settings(folder), HandClock(), CountedEntropy())
    build(installation)
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    installation.close()
    return folder


@pytest.fixture
def with_postroom() -> bool:
    """Whether the post room is open; a test that wants it says so by parametrizing this."""
    return False


@pytest.fixture
def harbour(
    harbour_folder: Path, tmp_path: Path, clock: HandClock, with_postroom: bool
) -> Iterator[Harbour]:
    folder = tmp_path / "harbour"
    shutil.copytree(harbour_folder, folder)
    settings = _settings(folder, postroom=with_postroom)
    installation = open_installation(settings, clock, CountedEntropy())
    yield Harbour(installation)
    installation.close()


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> BytecodeCache:
    """Templates that have been compiled once need not be for every test."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(harbour: Harbour, compiled: BytecodeCache) -> Flask:
    app = create_app(harbour.installation)
    app.jinja_env.bytecode_cache = compiled
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser nobody has signed in with."""
    return app.test_client()


@pytest.fixture
def ann(app: Flask, harbour: Harbour) -> FlaskClient:
    """Ann's browser, after she opened the link of a letter."""
    return harbour.browser(app, "Ann")


@pytest.fixture
def filed(harbour: Harbour) -> None:
    """The archive knows what is over."""
    file_all(harbour.installation.store)
