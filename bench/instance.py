"""An installation of its own for a benchmark, on a file of its own."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pbem.installation import Clock, Installation, open_installation, system_clock
from pbem.settings import load_settings
from pbem.store import migrate

DOMAIN = "ark.example"


@contextmanager
def installation(
    folder: Path, clock: Clock = system_clock, **settings: Mapping[str, object]
) -> Iterator[Installation]:
    """A new one in `folder`, with these groups of settings; its letters go to the post room
    and its listeners take any free port, unless they say otherwise."""
    os.environ["ARK_INSTANCE"] = str(folder)
    folder.mkdir()
    usual: dict[str, Mapping[str, object]] = {
        "mail": {"domain": DOMAIN, "port": 0},
        "post": {"transport": "postroom"},
        "web": {"port": 0},
    }
    opened = open_installation(load_settings(**usual | settings), clock=clock)
    migrate.upgrade(opened.store)
    try:
        yield opened
    finally:
        opened.close()
