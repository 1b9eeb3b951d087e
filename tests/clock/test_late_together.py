"""Deadlines of several tables are dealt with in one unit of work, each as if it were alone."""

from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from pbem.clock import sweep
from pbem.desk import reliability
from pbem.installation import Installation
from pbem.store import Event, Game, Letter, Reliability, Wait, bounded
from pbem.store.options import options_of
from tests.conftest import HandClock
from tests.tables import open_table

TABLES = 4
CHOICES: dict[str, dict[str, Any]] = {
    "grace": {},
    "a bot's turn": {"grace_hours": 0, "on_miss": "bot"},
    "as little as can be": {"grace_hours": 0, "on_miss": "gather"},
    "waiting on": {"grace_hours": 0, "on_miss": "wait"},
    "an offer": {"grace_hours": 0, "misses_before_offer": 1},
    "a bot for good": {"grace_hours": 0, "misses_before_offer": 1, "on_offer": "bot"},
}


def _late(installation: Installation, clock: HandClock, options: dict[str, Any]) -> list[int]:
    """Tables of the same people, with the same deadline, which is over."""
    numbers = [open_table(installation, name=f"Table {n}").game_id for n in range(TABLES)]
    with installation.store.work() as session:
        for game in session.exec(select(Game)):
            game.options = options_of(game).model_copy(update=options).to_json()
            session.add(game)
            assert game.due_at is not None
            clock.now = max(clock.now, game.due_at)
    return numbers


def _trace(installation: Installation, number: int) -> list[Any]:
    with installation.store.read() as session:
        events = session.exec(select(Event).where(Event.game_id == number).order_by(col(Event.seq)))
        letters = session.exec(
            select(Letter).where(Letter.game_id == number).order_by(col(Letter.id))
        )
        waits = session.exec(select(Wait).where(Wait.game_id == number).order_by(col(Wait.id)))
        game = session.get_one(Game, number)
        return [
            [(one.seq, one.kind, one.seat) for one in events],
            [
                (one.kind, one.seat, one.person_id, one.seq, one.state, bool(one.references))
                for one in letters
            ],
            [(one.seat, one.missed, one.graced, one.outcome, one.due_at) for one in waits],
            [game.seq, game.decision, game.due_at, game.alarm_at, game.waiting_since],
        ]


@pytest.mark.parametrize("options", CHOICES.values(), ids=CHOICES)
def test_each_table_gets_what_it_would_get_alone(
    installation: Installation, clock: HandClock, options: dict[str, Any]
) -> None:
    _late(installation, clock, options)
    assert sweep(installation, limit=1) == 1
    with installation.store.read() as session:
        alarms = session.exec(select(Game.alarm_at, Game.id).order_by(col(Game.alarm_at).desc()))
        alone = alarms.all()[0][1]
        numbers = session.exec(select(Game.id)).all()
    assert sweep(installation) == TABLES - 1
    traces = {number: _trace(installation, number or 0) for number in numbers}
    assert all(trace == traces[alone] for trace in traces.values())
    with installation.store.read() as session:
        for row in session.exec(select(Reliability)):
            assert row == reliability.recounted(session, row.person_id)


def test_a_unit_of_work_ends_when_it_has_lasted_long(
    installation: Installation, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "LONGEST_UNIT", -1.0)
    _late(installation, clock, CHOICES["grace"])
    began: list[str] = []

    @event.listens_for(installation.store.engine, "before_cursor_execute")
    def note(_c: object, _r: object, statement: str, *_rest: object) -> None:
        began.extend(["unit"] * statement.startswith("BEGIN IMMEDIATE"))

    assert sweep(installation) == TABLES
    assert len(began) == TABLES
    with installation.store.read() as session:
        events = session.exec(select(Event.game_id).where(Event.kind == "deadline")).all()
    assert sorted(events) == list(range(1, TABLES + 1))


MOST = {
    "grace": 13,
    "waiting on": 14,
    "an offer": 16,
    "a bot's turn": 18,
    "as little as can be": 18,
}
"""Statements for each of four tables at which a deadline is over; one alone takes about thirty."""


@pytest.mark.parametrize("choice", MOST)
def test_what_a_missed_turn_costs(
    installation: Installation, clock: HandClock, monkeypatch: pytest.MonkeyPatch, choice: str
) -> None:
    monkeypatch.setattr(bounded, "LONGEST_UNIT", 60.0)
    _late(installation, clock, CHOICES[choice])
    count = 0

    @event.listens_for(installation.store.engine, "before_cursor_execute")
    def note(*_arguments: object) -> None:
        nonlocal count
        count += 1

    assert sweep(installation) == TABLES
    assert count / TABLES <= MOST[choice], count
