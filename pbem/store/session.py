"""The one place that opens a unit of work."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event, text
from sqlmodel import Session, create_engine

from pbem.store import models as models


class Store:
    """A database.  Every change to it happens in a `work()`, every page in a `read()`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def work(self) -> Iterator[Session]:
        """A writing unit of work: committed at the end, rolled back on any exception.

        SQLite takes the write lock at the start (``BEGIN IMMEDIATE``): two units that both
        read before they write would otherwise lose one of the updates.  Never held across
        a network conversation.
        """
        with Session(self.engine, expire_on_commit=False) as session:
            if self.is_sqlite:
                session.connection().exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield session
                session.commit()
            except BaseException:
                session.rollback()
                raise

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A reading unit: one consistent snapshot, nothing written.  Rows that were read
        stay readable afterwards."""
        with Session(self.engine, expire_on_commit=False) as session:
            if self.is_sqlite:
                session.connection().exec_driver_sql("BEGIN")
            try:
                yield session
            finally:
                session.expunge_all()  # a rollback would make their values unreadable
                session.rollback()

    def check(self) -> None:
        """Raise the driver's error when the database does not answer."""
        with self.read() as session:
            session.connection().execute(text("SELECT 1"))

    def close(self) -> None:
        self.engine.dispose()


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True)
    # Autocommit at the driver: BEGIN is ours (see `work`), not the driver's late one.
    engine = create_engine(
        url, connect_args={"isolation_level": None, "check_same_thread": False, "timeout": 30}
    )

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=30000",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
