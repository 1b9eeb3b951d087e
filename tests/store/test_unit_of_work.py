"""The unit of work: nothing lost between writers, nothing half done."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from pbem.store import Address, Game, Invitation, Letter, Person, Store, migrate
from pbem.store.log import Author, append

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, empty_database: Path, tmp_path: Path) -> Iterator[Store]:
    """Either database as it is run: SQLite's driver named in full is not the one other tests
    share."""
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql_url")
    else:
        path = tmp_path / "ark.sqlite"
        path.write_bytes(empty_database.read_bytes())
        url = f"sqlite+pysqlite:///{path}"
    opened = Store(url)
    yield opened
    opened.close()


def _game() -> Game:
    return Game(
        name="t", players=3, turn_seconds=60, created_at=NOW,
        server_seed="s", salt="a", commitment="c",
    )  # fmt: skip


def test_migrations_and_models_agree(store: Store) -> None:
    assert migrate.revision(store) == migrate.newest()
    assert migrate.difference(store) == []


def test_upgrade_twice_changes_nothing(store: Store) -> None:
    assert migrate.upgrade(store) == (migrate.newest(), migrate.newest())


def test_two_upgrades_at_once_of_an_empty_database(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new.sqlite'}"
    failures: list[BaseException] = []

    def upgrade() -> None:
        store = Store(url)
        try:
            migrate.upgrade(store)
        except BaseException as error:  # noqa: BLE001 - handed to the test
            failures.append(error)
        finally:
            store.close()

    threads = [threading.Thread(target=upgrade) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_the_database_is_durable_and_checks_references(store: Store) -> None:
    with store.read() as session:
        for pragma, value in (("synchronous", 2), ("foreign_keys", 1), ("journal_mode", "wal")):
            found = session.connection().exec_driver_sql(f"PRAGMA {pragma}").scalar()
            assert found == value, pragma


def test_no_update_is_lost_between_writers_that_read_first(store: Store) -> None:
    with store.work() as session:
        session.add(_game())
    each, writers = 40, 4

    def count_up() -> None:
        for _ in range(each):
            with store.work() as session:
                game = session.exec(select(Game)).one()
                game.decision += 1
                session.add(game)

    threads = [threading.Thread(target=count_up) for _ in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as session:
        assert session.exec(select(Game)).one().decision == each * writers


def test_an_exception_leaves_nothing_behind(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.work() as session:  # noqa: PT012 - its rollback
        session.add(_game())
        session.flush()
        raise ZeroDivisionError
    with store.read() as session:
        assert session.exec(select(Game)).all() == []


def test_one_number_of_a_log_is_given_once(store: Store) -> None:
    with store.work() as session:
        game = _game()
        session.add(game)
        session.flush()
        append(session, game, "opened", NOW, Author("cli"))
    with pytest.raises(IntegrityError), store.work() as session:  # noqa: PT012 - at the flush
        game = session.exec(select(Game)).one()
        game.seq -= 1
        append(session, game, "opened", NOW, Author("cli"))


def test_times_are_utc_and_aware(store: Store) -> None:
    with store.work() as session:
        session.add(Person(name="Ann", created_at=NOW))
    with store.read() as session:
        assert session.exec(select(Person)).one().created_at == NOW


@pytest.mark.parametrize(
    "row",
    [
        Game(name="t", players=6, turn_seconds=1, created_at=NOW,
             server_seed="", salt="", commitment=""),
        Game(name="t", players=3, status="odd", turn_seconds=1, created_at=NOW,
             server_seed="", salt="", commitment=""),
        Person(name="Ann", language="fr", created_at=NOW),
        Letter(kind="k", to_address="a", message_id="m", state="odd", created_at=NOW, next_at=NOW),
        Invitation(game_id=1, place=0, created_at=NOW),
        Address(person_id=77, address="nobody@example.net", created_at=NOW),
    ],
    ids=["six players", "status", "language", "letter state", "nobody invited", "no person"],
)  # fmt: skip
def test_the_database_refuses_what_cannot_be(store: Store, row: object) -> None:
    with store.work() as session:
        session.add(_game())
    with pytest.raises(IntegrityError), store.work() as session:
        session.add(row)


def test_of_a_group_the_one_that_fails_is_undone_alone(store: Store) -> None:
    with store.group() as group:
        for number in range(3):
            with suppress(ZeroDivisionError), group.work() as session:
                session.add(_game())
                session.flush()
                assert 1 // (number - 1) is not None
    with store.read() as session:
        assert len(session.exec(select(Game)).all()) == 2


def test_a_group_that_fails_leaves_nothing(store: Store) -> None:
    def half() -> None:
        with store.group() as group:
            with group.work() as session:
                session.add(_game())
            raise RuntimeError("the server dies before the commit")

    with pytest.raises(RuntimeError):
        half()
    with store.read() as session:
        assert session.exec(select(Game)).all() == []


def test_what_a_unit_of_work_has_read_it_does_not_ask_for_again(store: Store) -> None:
    with store.work() as session:
        session.add(_game())
    asked: list[str] = []
    with store.work() as session:
        session.get_one(Game, 1)

        @event.listens_for(store.engine, "before_cursor_execute")
        def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
            asked.append(statement)

        session.get_one(Game, 1)
    assert not [statement for statement in asked if statement.startswith("SELECT")]
