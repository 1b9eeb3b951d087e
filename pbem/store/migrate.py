"""Create or migrate the database (Alembic)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlmodel import SQLModel

from pbem.store import postgresql
from pbem.store.session import Store

_FOLDER = Path(__file__).parent / "migrations"


def upgrade(store: Store) -> tuple[str | None, str | None]:
    """Bring the database to the newest revision; (revision before, revision now)."""
    before = revision(store)
    with _connected(store) as config:
        command.upgrade(config, "head")
    return before, revision(store)


def revision(store: Store) -> str | None:
    """The revision of the database; None for an empty one."""
    with store.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest() -> str | None:
    """The revision this version of the program needs."""
    return ScriptDirectory(str(_FOLDER)).get_current_head()


def difference(store: Store) -> list[str]:
    """What the tables of the database lack against the models (for tests and the doctor)."""
    with store.engine.connect() as connection:
        options = {"compare_type": True, "include_name": _is_ours}
        context = MigrationContext.configure(connection, opts=options)
        return [str(step) for step in compare_metadata(context, SQLModel.metadata)]


def _is_ours(name: str | None, kind: str, _parent: Any) -> bool:
    """Not a table of Procrastinate's."""
    return kind != "table" or name is None or not name.startswith("procrastinate_")


@contextmanager
def _connected(store: Store) -> Iterator[Config]:
    """Alembic's configuration bound to one transaction of the store."""
    with (
        store.engine.connect() as connection,
        _foreign_keys_off(store, connection),
        connection.begin(),
    ):
        if store.is_sqlite:
            # Two starts at once: the second waits here, then finds nothing to do.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            postgresql.begin_migrating(connection)
        config = Config()
        config.set_main_option("script_location", str(_FOLDER))
        config.attributes["connection"] = connection
        yield config
        if not store.is_sqlite:
            postgresql.prepare_queue(connection)
        _check_foreign_keys(store, connection)


@contextmanager
def _foreign_keys_off(store: Store, connection: Connection) -> Iterator[None]:
    """SQLite changes a table by building it anew and dropping the old one, which would
    take the rows of other tables that point to it along."""
    if not store.is_sqlite:
        yield
        return
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute("PRAGMA foreign_keys=OFF")  # outside of any transaction, or it does nothing
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys=ON")


def _check_foreign_keys(store: Store, connection: Connection) -> None:
    """Raise before the commit when a migration left a row that points nowhere."""
    if store.is_sqlite:
        lost = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if lost:
            raise RuntimeError(f"the migration would break foreign keys: {lost[:3]}")
