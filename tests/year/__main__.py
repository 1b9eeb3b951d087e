"""`python -m tests.year`: run a simulated year and say what was found."""

import argparse
import logging
import os
import shutil
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import event

from pbem.installation import Installation, open_installation
from pbem.settings import load_settings
from pbem.store import Store, migrate
from tests.conftest import CountedEntropy, HandClock
from tests.year.invariants import check
from tests.year.world import World

START = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)  # both changes of the clocks lie ahead

WHOLE_YEAR = 300  # days, by which every game must have come to an end


def opened(folder: Path, clock: HandClock) -> Installation:
    """An installation of its own that does not wait for the disk."""
    os.environ["ARK_INSTANCE"] = str(folder)
    mail = {"domain": "ark.example", "port": 0, "readers": 0}
    settings = load_settings(mail=mail, web={"port": 0})
    store = Store(settings.database_url)
    migrate.upgrade(store)
    store.close()
    installation = open_installation(settings, clock=clock, entropy=CountedEntropy())

    @event.listens_for(installation.store.engine, "connect")
    def _fast(connection: object, _record: object) -> None:
        connection.execute("PRAGMA synchronous=OFF")  # type: ignore[attr-defined]

    return installation


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=1000)
    options.add_argument("--days", type=int, default=365)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--starting", type=float, default=0.4, help="share of the days")
    wanted = options.parse_args()
    logging.disable(logging.ERROR)
    folder, began = Path(tempfile.mkdtemp(prefix="ark-year-")), time.process_time()
    clock = HandClock(START)
    installation = opened(folder, clock)
    try:
        world = World(
            installation, clock, games=wanted.games, days=wanted.days, seed=wanted.seed,
            starting=wanted.starting,
        )  # fmt: skip
        world.run()
        with installation.store.read() as session:
            found = check(session, world.players, world.down)
    except AssertionError:
        print(f"what was played is kept in {folder}", file=sys.stderr)
        raise
    finally:
        installation.close()
    shutil.rmtree(folder)
    if wanted.days >= WHOLE_YEAR:
        running = found["games running"]
        assert not running, f"{running} games still run"
    print(f"{wanted.games} games, {wanted.days} days, seed {wanted.seed}: all held "
          f"({time.process_time() - began:.0f} s)")  # fmt: skip
    for title, counted in (
        ("found", found), ("done", world.done), ("deadlines moved because of", world.watch.why)
    ):  # fmt: skip
        print(f"{title}:")
        for name, number in sorted(counted.items()):
            print(f"  {name}: {number}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
