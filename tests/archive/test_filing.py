"""Lists, statistics and ratings follow from the games, however these end or change."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import Session, SQLModel, select

from engine.record import read
from pbem.archive import filing, ratings
from pbem.archive.filing import file_all, file_due, rebuild
from pbem.installation import Installation
from pbem.jobs.embedded import Jobs
from pbem.store import DriveOut, FinishedGame, FinishedSeat, Game, Person, Rating, Statistic
from pbem.store.models.games import UNFILED
from pbem.store.rows import id_of
from pbem.store.session import BusyError
from tests.archive.games import brought_in, dealt_here, people, played, record_lines
from tests.conftest import START

TABLES = ("finished_game", "finished_seat", "drive_out", "statistic", "rating")


def rows(session: Session, ignoring: Iterable[str] = ("id", "category_id")) -> dict[str, Any]:
    """All the archive holds, but for the numbers its rows happen to have; what is counted
    down to nothing is as if it were not there."""
    found: dict[str, Any] = {}
    for name in TABLES:
        table = SQLModel.metadata.tables[name]
        every = session.connection().execute(table.select()).mappings()
        kept = [{k: v for k, v in row.items() if k not in ignoring} for row in every]
        found[name] = sorted(
            map(repr, (row for row in kept if name != "statistic" or row["count"]))
        )
    return found


def season(installation: Installation, count: int = 4) -> list[int]:
    """Games of Ann, Bo and Cy (and one bot now and then), a day apart; not filed yet."""
    with installation.store.work() as session:
        ann, bo, cy = people(session, "Ann Bo Cy", START)
        tables: list[list[Person | None]] = [[ann, bo, cy], [bo, cy, ann], [cy, None, bo]]
        games = [
            dealt_here(
                session, played(f"season {number}"), tables[number % 3],
                START + timedelta(days=number),
            )
            for number in range(count)
        ]  # fmt: skip
        return [id_of(game) for game in games]


def test_what_was_filed_game_by_game_is_what_a_rebuild_finds(installation: Installation) -> None:
    season(installation)
    brought_in(installation, record_lines()[0])
    assert file_due(installation.store, limit=1) == 1
    file_all(installation.store)
    assert file_due(installation.store) == 0
    with installation.store.read() as session:
        before = rows(session)
        assert all(before.values())
    assert rebuild(installation.store) == 5
    with installation.store.read() as session:
        assert rows(session) == before


def test_a_void_game_leaves_no_trace_and_comes_back_as_it_was(installation: Installation) -> None:
    games = season(installation)
    with installation.store.work() as session:
        session.get_one(Game, games[1]).voided_at = START
    file_all(installation.store)
    with installation.store.read() as session:
        without = rows(session)
    with installation.store.work() as session:
        session.get_one(Game, games[1]).voided_at = None
    assert file_all(installation.store) == 1
    with installation.store.read() as session:
        whole = rows(session)
        assert whole != without
    with installation.store.work() as session:
        session.get_one(Game, games[1]).voided_at = START
    assert file_all(installation.store) == 1
    with installation.store.read() as session:
        assert rows(session) == without
        assert session.get(FinishedGame, games[1]) is None


def test_a_game_whose_end_was_taken_back_is_counted_by_its_new_end(
    installation: Installation,
) -> None:
    [number, *_] = season(installation, 2)
    file_all(installation.store)
    [other] = read(played("season 0"))
    with installation.store.work() as session:
        game = session.get_one(Game, number)
        game.rollbacks = [[game.seq + 1, 0, 0]]
        game.seq += 1
        game.status, game.finished_at, game.filed_as = "running", None, "rollback"
    assert file_all(installation.store) == 1
    with installation.store.read() as session:
        assert session.get(FinishedGame, number) is None
        assert session.exec(select(FinishedSeat).where(FinishedSeat.game_id == number)).all() == []
        counted = sum(one.count for one in session.exec(_games()))
        assert counted == 1
    assert len(other.turns) > 0


def _games() -> Any:
    return select(Statistic).where(Statistic.what == "games", Statistic.key == "turns")


def test_a_change_of_visibility_moves_it_from_the_lists(installation: Installation) -> None:
    [number] = season(installation, 1)
    file_all(installation.store)
    with installation.store.work() as session:
        game = session.get_one(Game, number)
        assert session.get_one(FinishedGame, number).listed
        game.archive = "members"
        assert session.exec(_games()).one().count == 1
    assert file_all(installation.store) == 1
    with installation.store.work() as session:
        assert not session.get_one(FinishedGame, number).listed
        told = session.exec(select(Statistic).where(Statistic.count != 0)).all()
        assert told == [], "the figures of a single game would tell how it went"
        session.get_one(Game, number).archive = "open"
    file_all(installation.store)
    with installation.store.read() as session:
        assert session.exec(_games()).one().count == 1
        seats = session.exec(select(FinishedSeat.name_key).order_by(FinishedSeat.seat)).all()  # type: ignore[arg-type]
        assert seats == ["ann", "bo", "cy"]


def test_a_game_that_came_late_counts_in_its_place(installation: Installation) -> None:
    games = season(installation)
    with installation.store.work() as session:
        held_back = session.get_one(Game, games[0])
        held_back.status = "running"
    file_all(installation.store)
    with installation.store.work() as session:
        session.get_one(Game, games[0]).status = "over"
    file_all(installation.store)
    with installation.store.read() as session:
        late = rows(session)
    rebuild(installation.store)
    with installation.store.read() as session:
        assert rows(session) == late


def test_only_people_who_sat_to_the_end_and_not_alone_are_rated(
    installation: Installation,
) -> None:
    with installation.store.work() as session:
        ann, bo, cy = people(session, "Ann Bo Cy", START)
        dealt_here(session, played("a"), [ann, None, None], START)
        shared = dealt_here(session, played("b"), [ann, bo, cy], START + timedelta(days=1))
        session.connection().execute(
            text("UPDATE tenure SET until_seq = 5 WHERE person_id = :cy"), {"cy": cy.id}
        )
        seat = session.connection().execute(
            text("SELECT seat_id FROM tenure WHERE person_id = :cy"), {"cy": cy.id}
        )
        session.connection().execute(
            text("INSERT INTO tenure (seat_id, person_id, from_seq) VALUES (:seat, :bo, 5)"),
            {"seat": seat.scalar_one(), "bo": bo.id},
        )
        numbers = [ann.id, bo.id]
        assert shared.id is not None
    file_all(installation.store)
    with installation.store.read() as session:
        rated = session.exec(select(Rating)).all()
        assert sorted(one.person_id for one in rated) == numbers
        assert {one.rated for one in rated} == {1}


def test_who_wins_rises_above_who_loses(installation: Installation) -> None:
    with installation.store.work() as session:
        ann, bo, cy = people(session, "Ann Bo Cy", START)
        dealt_here(session, played("rise"), [ann, bo, cy], START)
    file_all(installation.store)
    with installation.store.read() as session:
        seats = session.exec(select(FinishedSeat)).all()
        order = sorted(seats, key=lambda seat: seat.place)
        values = [ratings.shown(seat.mu or 0, seat.sigma or 0) for seat in order]
        assert values == sorted(values, reverse=True)
        assert values[0] > values[-1]


def test_a_game_the_rules_do_not_understand_is_left_out_and_not_tried_for_ever(
    installation: Installation,
) -> None:
    [number, other] = season(installation, 2)
    with installation.store.work() as session:
        session.connection().execute(
            text('UPDATE event SET move = \'{"type": "pass"}\' WHERE game_id = :n AND seq = 1'),
            {"n": number},
        )
    assert file_all(installation.store) == 2
    with installation.store.read() as session:
        assert session.get_one(Game, number).filed_as == filing.UNREADABLE
        assert session.get(FinishedGame, other) is not None


def test_no_game_is_left_out_for_what_ails_the_database(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    season(installation, 2)

    def busy(*_given: object) -> None:
        raise BusyError

    with monkeypatch.context() as patched:
        patched.setattr(filing, "file", busy)
        with pytest.raises(BusyError):
            file_due(installation.store)
    assert file_due(installation.store) == 2
    with installation.store.read() as session:
        assert len(session.exec(select(FinishedGame)).all()) == 2


def test_what_is_due_is_found_by_its_index(installation: Installation) -> None:
    plan = f"EXPLAIN QUERY PLAN SELECT id FROM game WHERE {UNFILED} ORDER BY finished_at, id"
    with installation.store.read() as session:
        steps = session.connection().execute(text(plan)).all()
    assert "ix_game_unfiled" in str(steps)


def test_a_filed_game_writes_as_many_rows_at_the_end_as_at_first(
    installation: Installation,
) -> None:
    """The statistics do not grow with the games: what one adds is counted up in place."""
    season(installation, 3)
    file_all(installation.store)
    with installation.store.read() as session:
        before = len(session.exec(select(Statistic)).all())
    with installation.store.work() as session:
        dealt_here(session, played("season 0"), [None] * 3, START + timedelta(days=50))
    file_all(installation.store)
    with installation.store.read() as session:
        assert len(session.exec(select(Statistic)).all()) <= before + 1  # of the pace
        assert session.exec(select(DriveOut)).first() is not None


def test_a_job_of_the_server_files_what_is_over(installation: Installation) -> None:
    games = season(installation, 2)
    jobs = Jobs(installation)
    jobs._work_archive()
    jobs._mails.close()
    with installation.store.read() as session:
        assert [session.get(FinishedGame, number) is not None for number in games] == [True, True]
