"""Ratings after a game that changed later: counted anew a few games at a time."""

from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlmodel import Session, col, select

from pbem.archive import ratings
from pbem.archive.filing import file_all, file_due, rebuild
from pbem.installation import Installation
from pbem.store import FinishedSeat, Game, Person, Rating, Recount, Store, bounded
from pbem.store.rows import id_of
from tests.archive.games import dealt_here, people, played
from tests.archive.test_filing import rows, season
from tests.conftest import START


@pytest.fixture(autouse=True)
def one_game_a_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "LONGEST_UNIT", -1.0)


def void(store: Store, number: int, is_void: bool = True) -> None:
    with store.work() as session:
        session.get_one(Game, number).voided_at = START if is_void else None
    assert file_due(store) == 1


def standing(store: Store) -> dict[int, tuple[float, float]]:
    with store.read() as session:
        return {row.person_id: (row.mu, row.sigma) for row in session.exec(select(Rating))}


def is_due(store: Store) -> bool:
    with store.read() as session:
        return session.get(Recount, 1) is not None


def assert_as_built_anew(store: Store) -> None:
    """What was counted piece by piece is what all games, counted from the first, come to."""
    file_all(store)
    with store.read() as session:
        found = rows(session)
    rebuild(store)
    with store.read() as session:
        assert rows(session) == found


def test_everybody_keeps_his_rating_until_his_last_game_is_counted(
    installation: Installation,
) -> None:
    store, games = installation.store, season(installation, 6)
    file_all(store)
    before = standing(store)
    void(store, games[0])
    assert standing(store) == before
    assert [ratings.recount(store, limit=1) for _ in range(4)] == [1, 1, 1, 1]
    halfway = standing(store)
    assert ratings.recount(store) == 1
    assert not is_due(store)
    after = standing(store)
    assert all(halfway[one] in (before[one], after[one]) for one in before)
    assert all(after[one] != before[one] for one in before)
    assert_as_built_anew(store)


def test_games_that_end_or_change_meanwhile_count_in_their_place(
    installation: Installation,
) -> None:
    store, games = installation.store, season(installation, 5)
    file_all(store)
    void(store, games[1])
    ratings.recount(store, limit=2)
    with store.work() as session:
        seated = [session.get_one(Person, number) for number in (1, 2, 3)]
        dealt_here(session, played("season 1"), seated, START + timedelta(days=9))
    assert file_due(store) == 1
    assert len(standing(store)) == 3
    ratings.recount(store, limit=1)
    void(store, games[0])  # behind what has been counted: from there once more
    ratings.recount(store, limit=1)
    void(store, games[1], is_void=False)
    assert is_due(store)
    assert_as_built_anew(store)


def test_the_last_game_that_falls_out_is_settled_at_once(installation: Installation) -> None:
    store, games = installation.store, season(installation, 3)
    file_all(store)
    void(store, games[-1])
    assert not is_due(store)
    assert_as_built_anew(store)
    for number in games[:-1]:
        void(store, number)
        file_all(store)
    assert standing(store) == {}


def test_who_is_forgotten_gets_no_rating_again_but_what_he_was_worth_counts(
    installation: Installation,
) -> None:
    store, games = installation.store, season(installation, 4)
    file_all(store)
    with store.work() as session:
        ann = session.get_one(Person, 1)
        ann.erased_at = START
        session.delete(session.get_one(Rating, ann.id))
    before = standing(store)
    void(store, games[0])
    file_all(store)
    void(store, games[0], is_void=False)
    file_all(store)
    assert standing(store) == before
    assert_as_built_anew(store)


def test_a_new_game_asks_the_database_as_much_after_many_games(
    installation: Installation,
) -> None:
    store = installation.store
    with store.work() as session:
        seated = list(people(session, "Ann Bo Cy", START))
    counts = [_statements(store, [id_of(one) for one in seated], number) for number in range(4)]
    assert counts[1] == counts[2] == counts[3], counts


def _statements(store: Store, seated: list[int], number: int) -> int:
    """How many statements one more game costs."""
    with store.work() as session:
        people = [session.get_one(Person, one) for one in seated]
        dealt_here(session, played("season 0"), people, START + timedelta(days=number))
    count = 0

    def counting(*_: object) -> None:
        nonlocal count
        count += 1

    event.listen(store.engine, "before_cursor_execute", counting)
    try:
        assert file_due(store) == 1
        assert ratings.recount(store) == 0
    finally:
        event.remove(store.engine, "before_cursor_execute", counting)
    return count


def test_no_unit_counts_more_than_its_time(installation: Installation) -> None:
    store, games = installation.store, season(installation, 5)
    file_all(store)
    void(store, games[0])
    with store.work() as session:
        row = session.get_one(Recount, 1)
        assert ratings._go_on(session, row) == 1
        assert _counted_to(session, row) == games[1]


def _counted_to(session: Session, row: Recount) -> int:
    newest = select(FinishedSeat.game_id).where(col(FinishedSeat.finished_at) <= row.finished_at)
    return session.exec(newest.order_by(col(FinishedSeat.finished_at).desc()).limit(1)).one()
