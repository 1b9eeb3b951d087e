"""The figures of a day are counted once, and always what a recount gives."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from statistics import median_low

import pytest
from sqlmodel import Session, select

from engine.game import legal_moves
from pbem.desk import ending, rolling_back, turns
from pbem.installation import Installation
from pbem.store import DailyFigures, Game, Letter, Mail, Store, Wait, daily
from pbem.store.daily import Figures
from pbem.store.log import Author
from pbem.store.positions import position_now
from tests.clock.people import person_id, take_first, unread_mail, waits
from tests.conftest import HandClock
from tests.desk.table import Table

CLI = Author("cli")


@pytest.fixture
def table(installation: Installation) -> Table:
    return Table.begun(installation, hours=48)


def _recounted(store: Store, days: list[date]) -> dict[date, Figures]:
    """From every row there is, one by one."""
    counts: dict[str, Counter[date]] = defaultdict(Counter)
    answers: dict[date, list[int]] = defaultdict(list)

    def count(what: str, at: datetime | None) -> None:
        if at is not None:
            counts[what][at.date()] += 1

    with store.read() as session:
        for game in session.exec(select(Game)):
            count("begun", game.started_at)
            count("ended", game.finished_at)
        for wait in session.exec(select(Wait)):
            count("missed", wait.ended_at if wait.missed else None)
            if wait.outcome == "turn" and wait.ended_at is not None:
                count("turns", wait.ended_at)
                if wait.took_seconds is not None:
                    answers[wait.ended_at.date()].append(wait.took_seconds // 360)
        for letter in session.exec(select(Letter)):
            count("sent", letter.sent_at)
        for mail in session.exec(select(Mail).where(Mail.kind == "bounce")):
            count("bounces", mail.received_at)
    return {
        day: Figures(
            **{what: counts[what][day] for what in daily._NAMES if what != "answer_hours"},
            answer_hours=(median_low(answers[day]) + 1) / 10 if answers[day] else None,
        )
        for day in days
    }


def _agree(here: Installation) -> dict[date, Figures]:
    today = here.clock().date()
    days = [today - timedelta(days=back) for back in range(10)]
    with here.store.read() as session:
        told = daily.figures(session, days[-1], days[0])
    assert told == _recounted(here.store, days)
    return told


def _keep(here: Installation) -> int:
    """As often as there is something to do; how many days were counted."""
    done = daily.keep(here.store, here.clock())  # the rows come first
    while some := daily.keep(here.store, here.clock()):
        done += some
    return done


def _begun(table: Table, clock: HandClock) -> date:
    """A table with some turns and letters on its first day; it is two days later now."""
    here, first = table.installation, clock().date()
    take_first(table)
    clock.advance(hours=1)
    take_first(table)
    with here.store.work() as session:
        for letter in session.exec(select(Letter)):
            letter.sent_at = clock()
    clock.advance(days=2)
    return first


def test_days_are_counted_once_and_told_as_they_were(table: Table, clock: HandClock) -> None:
    here = table.installation
    before, first = _agree(here), _begun(table, clock)
    told = _agree(here)
    assert before != told
    assert told[first].turns == 2
    assert told[first].begun == 1
    assert told[first].sent > 0
    assert told[first].answer_hours == pytest.approx(0.1)
    assert _keep(here) > daily.KEPT_FOR.days
    assert _agree(here) == told
    with here.store.work() as session:
        session.get_one(DailyFigures, first).bounces = 77
    with here.store.read() as session:  # what was kept is what is told
        assert daily.figures(session, first, first)[first].bounces == 77
    assert _keep(here) == 0
    clock.advance(days=1)
    assert _keep(here) == 1


def test_a_day_is_counted_when_it_has_settled(table: Table, clock: HandClock) -> None:
    here, first = table.installation, clock().date()
    clock.advance(hours=15, minutes=30)  # past midnight
    _keep(here)
    with here.store.read() as session:
        assert session.get_one(DailyFigures, first).counted is None
    clock.advance(minutes=31)
    _keep(here)
    with here.store.read() as session:
        assert session.get_one(DailyFigures, first).counted == 0
        assert session.get_one(DailyFigures, clock().date()).counted is None


def test_a_turn_that_lay_unread_counts_for_its_day(table: Table, clock: HandClock) -> None:
    here, first = table.installation, clock().date()
    clock.advance(hours=2)
    sent = clock()
    clock.advance(days=1)
    _keep(here)
    author = Author("mail", person_id(table, 0), unread_mail(table, sent))
    with here.store.work() as session:
        game = session.get_one(Game, table.game_id)
        move = legal_moves(position_now(game), 0)[0]
        turns.play(session, here.site, clock(), author, game, 0, move)
    assert sent in {one.ended_at for one in waits(table, ended=True)}
    assert _agree(here)[first].turns == 1
    assert _keep(here) == 1
    assert _agree(here)[first].turns == 1


def test_an_end_that_is_taken_back_counts_no_more(table: Table, clock: HandClock) -> None:
    here, first = table.installation, clock().date()
    with here.store.work() as session:
        game = session.get_one(Game, table.game_id)
        ending.end(session, here.site, clock(), CLI, game, "moderator")
    clock.advance(days=2)
    _keep(here)
    assert _agree(here)[first].ended == 1
    with here.store.work() as session:
        game = session.get_one(Game, table.game_id)
        rolling_back.roll_back(session, clock(), CLI, game, game.seq - 1)
    assert _agree(here)[first].ended == 0


class _Overtaken(Store):
    """A store in which a turn of the day before comes in just before the next unit writes."""

    def __init__(self, url: str, at: datetime, now: datetime) -> None:
        super().__init__(url)
        self._late: tuple[datetime, datetime] | None = (at, now)

    @contextmanager
    def work(self) -> Iterator[Session]:
        late, self._late = self._late, None
        if late is not None:
            at, now = late
            with super().work() as session:
                wait = session.exec(select(Wait)).first()
                assert wait is not None
                wait.ended_at, wait.outcome, wait.took_seconds = at, "turn", 60
                daily.changed(session, now, at)
        with super().work() as session:
            yield session


def test_what_comes_in_while_a_day_is_counted_is_not_lost(table: Table, clock: HandClock) -> None:
    here, first = table.installation, clock().date()
    clock.advance(days=2)
    daily.keep(here.store, clock())
    store = _Overtaken(here.store.url, clock() - timedelta(days=2), clock())
    assert daily.keep(store, clock()) > 0
    store.close()
    assert _agree(here)[first].turns == 1
    _keep(here)
    assert _agree(here)[first].turns == 1
