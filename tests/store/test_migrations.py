"""The database as migrations leave it is the one the models describe."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import alembic.command
import pytest
from sqlalchemy import Engine, inspect, text
from sqlmodel import SQLModel

from pbem.store import Store, migrate


@pytest.fixture(params=["sqlite", "postgresql"])
def new(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Makes a database without any table."""
    numbers = count()

    def made() -> Store:
        if request.param == "postgresql":
            return Store(request.getfixturevalue("postgresql").bare())
        return Store(f"sqlite:///{tmp_path / f'ark-{next(numbers)}.sqlite'}")

    return made


@pytest.fixture
def store(new: Callable[[], Store]) -> Iterator[Store]:
    store = new()
    yield store
    store.close()


def _checks(engine: Engine) -> dict[str, dict[str, str]]:
    look = inspect(engine)
    return {
        table: {str(one["name"]): str(one["sqltext"]) for one in look.get_check_constraints(table)}
        for table in look.get_table_names()
        if table != "alembic_version" and not table.startswith("procrastinate_")
    }


def test_a_migrated_database_is_what_the_models_say(store: Store, new: Callable[[], Store]) -> None:
    migrate.upgrade(store)
    assert migrate.difference(store) == []
    plain = new()
    SQLModel.metadata.create_all(plain.engine)
    assert _checks(store.engine) == _checks(plain.engine)
    plain.close()


def test_rows_of_the_first_version_survive_every_migration(store: Store) -> None:
    with migrate._connected(store) as config:
        alembic.command.upgrade(config, "0001")
    with store.work() as session:
        for statement in (
            "INSERT INTO person (id, name, language, letters, mail_format, created_at)"
            " VALUES (1, 'Ann', 'de', 'mine', 'text', '2026-01-01 00:00:00')",
            'INSERT INTO address (id, person_id, address, "primary", created_at)'
            " VALUES (1, 1, 'ann@example.org', true, '2026-01-01 00:00:00')",
            "INSERT INTO mail (id, received_at, channel, envelope_from, envelope_to, raw, digest,"
            " state, attempts, person_id)"
            " VALUES (1, '2026-01-01 00:00:00', 'smtp', '', '[]', 'raw', 'd', 'held', 1, 1)",
            "INSERT INTO token (digest, purpose, person_id, generation, created_at)"
            " VALUES ('t', 'page', 1, 0, '2026-01-01 00:00:00')",
        ):
            session.connection().execute(text(statement))
    migrate.upgrade(store)
    with store.read() as session:
        for table in ("person", "address", "mail", "token"):
            rows = session.connection().execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
            assert rows == 1, table
        if store.is_sqlite:
            assert session.connection().execute(text("PRAGMA foreign_keys")).scalar_one() == 1
