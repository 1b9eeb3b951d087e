"""A store of its own and a site for each test of letters."""

import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from sqlmodel import Session

from pbem.letters import Site, stage
from pbem.letters.render import Rendered, render
from pbem.letters.scenes import scenes
from pbem.settings import Settings
from pbem.store import Letter, Store
from pbem.translation import speaking


@pytest.fixture(scope="session")
def empty_stage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without rows, to be copied."""
    path = tmp_path_factory.mktemp("stage") / "letters.sqlite"
    stage.open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def session(tmp_path: Path, empty_stage: Path) -> Iterator[Session]:
    path = shutil.copy(empty_stage, tmp_path / "letters.sqlite")
    store = Store(f"sqlite:///{path}")
    with store.work() as session:
        yield session
    store.close()


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Without templates of its own, whatever instance folder the machine has."""
    return stage.site(Settings(instance=tmp_path / "instance"))


@pytest.fixture(scope="session")
def gallery() -> dict[str, tuple[Letter, Rendered]]:
    """Each scene with its letter, in English."""
    return gallery_in("en")


@cache
def gallery_in(language: str) -> dict[str, tuple[Letter, Rendered]]:
    """Each scene with its letter to people who read this language: made once for all tests,
    for whole games are played for them."""
    with tempfile.TemporaryDirectory() as folder:
        store = stage.open_store(f"sqlite:///{folder}/letters.sqlite")
        ours = stage.site(Settings(instance=Path(folder) / "instance"))
        with speaking(language), store.work() as session:
            found = {name: (row, render(session, ours, row)) for name, row in scenes(session, ours)}
            session.expunge_all()
        store.close()
    return found
