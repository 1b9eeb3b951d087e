"""What is done a few at a time, gone on with by several machines at once."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta

import pytest
from sqlmodel import col, select

from pbem.archive.filing import file_due
from pbem.archive.ratings import recount
from pbem.installation import Installation, open_installation
from pbem.moderation import Target, bulk, going_on
from pbem.moderation.going_on import go_on, progress_of
from pbem.settings import Settings
from pbem.store import Event, Game, Rating, Recount, bounded
from tests.archive.games import dealt_here, people, played
from tests.conftest import START, CountedEntropy, HandClock
from tests.desk.table import Table
from tests.moderation.doing import do
from tests.postgresql.test_together import together


@pytest.fixture
def three(
    settings: Settings, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[Installation]]:
    """Machines whose units of work deal with one thing each."""
    monkeypatch.setattr(bulk, "AT_ONCE", 1)
    monkeypatch.setattr(going_on, "AT_FIRST", 0.0)
    monkeypatch.setattr(bounded, "LONGEST_UNIT", -1.0)
    with ExitStack() as stack:
        opened = [open_installation(settings, clock, CountedEntropy()) for _ in range(3)]
        for one in opened:
            stack.callback(one.close)
        yield opened


def test_an_action_on_many_is_done_once_to_each(three: list[Installation]) -> None:
    tables = [Table.begun(three[0], seed=str(number)).game_id for number in range(4)]
    done = do(three[0], "pause-many", Target(), games="all")
    assert sum(together(three, go_on)) == len(tables)
    with three[0].store.read() as session:
        paused = select(Event.game_id).where(Event.kind == "paused").order_by(col(Event.game_id))
        assert list(session.exec(paused)) == tables
        assert str(progress_of(session, [done.audit_id])[done.audit_id or 0]) == "4 of 4"


def test_ratings_are_counted_anew_to_the_end(three: list[Installation]) -> None:
    store = three[0].store
    with store.work() as session:
        seated = list(people(session, "Ann Bo Cy", START))
        games = [
            dealt_here(session, played("season 0"), [*seated], START + timedelta(days=day)).id
            for day in range(4)
        ]
    file_due(store)
    with store.work() as session:
        session.get_one(Game, games[0]).voided_at = START
    file_due(store)
    assert sum(together(three, lambda machine: recount(machine.store))) == 3
    with store.read() as session:
        assert session.get(Recount, 1) is None
        assert {one.rated for one in session.exec(select(Rating))} == {3}
