"""Forty games over sixty days of the simulated year (`make year` runs all of it)."""

from pbem.installation import Installation
from tests.conftest import HandClock
from tests.year.invariants import check
from tests.year.world import World


def test_sixty_days_of_forty_games(installation: Installation, clock: HandClock) -> None:
    with installation.store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA synchronous=OFF")  # of the one connection in the pool
    world = World(installation, clock, games=40, days=60, seed=5, starting=0.85, patience=7.5)
    world.run()
    with installation.store.read() as session:
        found = check(session, world.players, world.down)
    assert found["games running"] == 0
    assert sum(found[f"games {one}"] for one in ("over", "ended", "expired", "inviting")) == 40
    assert found["ended"] > 0
    assert world.watch.moved > 20
    assert found["misses checked"] >= 3
    assert found["ends checked"] > 0
    assert found["returned"] > 0
    assert found["reminders"] > 50
    assert world.done["outages"] == 3
