"""A store of its own and a site for each test of letters."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import Session

from pbem.letters import Site, stage
from pbem.letters.render import Rendered, render
from pbem.letters.scenes import scenes
from pbem.settings import Settings
from pbem.store import Letter
from pbem.translation import speaking


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    store = stage.open_store(f"sqlite:///{tmp_path}/letters.sqlite")
    with store.work() as session:
        yield session
    store.close()


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Without templates of its own, whatever instance folder the machine has."""
    return stage.site(Settings(instance=tmp_path / "instance"))


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Letter, Rendered]]:
    """Each scene with its letter: made once, for whole games are played for them."""
    return gallery_in("en", tmp_path_factory.mktemp("gallery"))


def gallery_in(language: str, folder: Path) -> dict[str, tuple[Letter, Rendered]]:
    """Each scene with its letter to people who read this language."""
    store = stage.open_store(f"sqlite:///{folder}/letters.sqlite")
    ours = stage.site(Settings(instance=folder / "instance"))
    with speaking(language), store.work() as session:
        found = {name: (row, render(session, ours, row)) for name, row in scenes(session, ours)}
    store.close()
    return found
