"""One thing for many tables, which are read a part at a time."""

import pytest
from sqlmodel import col, select

from pbem.moderation import Target, many
from pbem.store import Game
from tests.desk.table import Table
from tests.moderation.doing import do
from tests.moderation.world import World


@pytest.mark.parametrize("together", [1, 2, 100])
def test_every_running_table_is_reached_in_parts(
    world: World, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = world.installation
    monkeypatch.setattr(many, "TOGETHER", together)
    for number in range(2):
        Table.begun(here, seed=f"more {number}")
    for name, paused in (("pause-many", True), ("resume-many", False)):
        assert do(here, name, Target(), world.actor("owner"), games="all").ok
        with here.store.read() as session:
            found = session.exec(
                select(col(Game.paused_at).is_not(None)).where(Game.status == "running")
            ).all()
        assert found == [paused] * 3
