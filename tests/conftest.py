"""What many tests start from: a fresh installation, a clock that is set by hand, chance
that is the same every time."""

import gc
import os
import shutil
from collections.abc import Generator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.installation import Installation, open_installation
from pbem.settings import Settings, load_settings
from pbem.store import Store, migrate
from tests import databases, examples, routes

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.services.postgresql import Postgresql

databases.share()
routes.share()
examples.choose()

START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)


class CountedEntropy:
    """Random bytes that are the same in every run."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return self.count.to_bytes(size, "big")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays, so there is nothing in it for the collector of garbage, neither
    meanwhile nor afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, to be copied: migrating for every test would take too long."""
    path = tmp_path_factory.mktemp("database") / "empty.sqlite"
    store = Store(f"sqlite:///{path}")
    migrate.upgrade(store)
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    return path


@pytest.fixture(scope="session")
def postgresql() -> Iterator["Postgresql"]:
    """One server of databases for all tests of a worker that ask for it."""
    from tests.services.postgresql import postgresql_at_work  # only where it is needed

    with postgresql_at_work() as server:
        yield server


@pytest.fixture
def postgresql_url(postgresql: "Postgresql") -> Iterator[str]:
    """The URL of an empty, up-to-date database."""
    url = postgresql.database()
    yield url
    postgresql.drop(url)


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """The URL of an empty, up-to-date database; none for SQLite in the instance folder.  With
    `ARK_TESTS_ON=postgresql` all tests of one installation can be run on that."""
    on_postgresql = os.environ.get("ARK_TESTS_ON") == "postgresql"
    return str(request.getfixturevalue("postgresql_url")) if on_postgresql else ""


@pytest.fixture
def settings(
    tmp_path: Path, empty_database: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    """Settings of a fresh instance folder with a key and an empty, up-to-date database."""
    folder = tmp_path / "instance"
    folder.mkdir()
    if database:
        monkeypatch.setenv("ARK_DATABASE", database)
    else:
        shutil.copy(empty_database, folder / "ark.sqlite")
    (folder / "key").write_bytes(b"the key of every installation of tests")
    (folder / "key").chmod(0o600)
    monkeypatch.setenv("ARK_INSTANCE", str(folder))
    mail = {"domain": "ark.example", "port": 0, "readers": 0}
    return load_settings(mail=mail, web={"port": 0})


@pytest.fixture
def installation(settings: Settings, clock: HandClock) -> Iterator[Installation]:
    """A fresh installation; nothing runs in the background."""
    opened = open_installation(settings, clock=clock, entropy=CountedEntropy())
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """One browser for all tests of a worker."""
    from tests.browsers import chromium_at_work  # only where it is needed: it takes a while

    with chromium_at_work() as browser:
        yield browser


@pytest.fixture
def browser(chromium: "Browser") -> Iterator["Browser"]:
    """The browser, for one test: what it opens is closed after it."""
    yield chromium
    for context in chromium.contexts:
        context.close()


DEAREST = (
    "/web/test_web_play",
    "/year/",
    "/e2e/",
    "browser.py",
    "/stories/",
    "/postgresql/",
    "/test_readme",
    "/letters/test_accessible",
    "/intake/test_readers",
    "/intake/test_letters_quoted",
    "/clock/test_races",
)
"""Parts of the names of modules whose tests take seconds, not a fraction of one."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The dearest tests first, the modules of them dealt out among the workers, each of which
    begins with its share of the list: what is left at the end is small and can be taken over by
    any of them.  The tests of a module stay together, and share what they can."""
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    dear = sorted((path for path in modules if dearness(path) < len(DEAREST)), key=dearness)
    rest = [item for item in items if dearness(item.path) == len(DEAREST)]
    left, workers = len(items), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items.clear()
    for worker in range(workers):
        share = [item for path in dear[worker::workers] for item in modules[path]]
        filling = max(0, left // (workers - worker) - len(share))
        share += rest[:filling]
        rest = rest[filling:]
        left -= len(share)
        items += share


def dearness(path: Path) -> int:
    """The place of a module among the dearest, or that behind all of them."""
    written = path.as_posix()
    return next((at for at, part in enumerate(DEAREST) if part in written), len(DEAREST))
