"""The one place that opens a unit of work."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, event, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm.attributes import instance_state
from sqlmodel import Session, create_engine

from pbem.settings import SettingsError
from pbem.store import models as models
from pbem.store import postgresql

BUSY_SECONDS = 30  # how long a unit of work waits for those before it


class BusyError(Exception):
    """Others write for so long that it was given up."""


class UnitOfWork(Session):
    """A session that keeps what it has read: whoever asks for a row by its key once more,
    anywhere in the same unit of work, gets it without a question to the database."""

    def get(self, entity: Any, ident: Any, **options: Any) -> Any:
        """What is here is found at once: a turn asks for some twenty rows that are."""
        if isinstance(ident, int) and not any(options.values()):
            here = self.identity_map.get((entity, (ident,), None))
            if here is not None and not instance_state(here).expired:
                return here
        return super().get(entity, ident, **options)


@event.listens_for(UnitOfWork, "loaded_as_persistent")
@event.listens_for(UnitOfWork, "pending_to_persistent")
def _keep(session: Session, instance: object) -> None:
    session.info.setdefault("kept", []).append(instance)  # SQLAlchemy itself holds it weakly


class Store:
    """A database.  Every change to it happens in a `work()`, every page in a `read()`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self._reading = self.engine if self.is_sqlite else postgresql.reading(self.engine)
        self._writing = threading.Lock()

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def work(self, game_id: int | None = None) -> Iterator[Session]:
        """A writing unit of work: committed at the end, rolled back on any exception.

        The lock for writing is taken at the start (SQLite: ``BEGIN IMMEDIATE``), because two
        units that both read before they write would otherwise lose one of the updates.  Never
        held across a network conversation.  `game_id`: nothing is written but what belongs to
        this table; PostgreSQL lets others write at other tables meanwhile.
        """
        with self._turn_to_write(), UnitOfWork(self.engine, expire_on_commit=False) as session:
            try:
                if self.is_sqlite:
                    session.connection().exec_driver_sql("BEGIN IMMEDIATE")
                else:
                    postgresql.begin(session.connection(), game_id)
                    if game_id is not None:
                        postgresql.is_beside_others(session)
                yield session
                session.commit()
            except BaseException:
                session.rollback()
                raise

    @contextmanager
    def group(self, game_id: int | None = None) -> Iterator["Group"]:
        """Several units of work in one commit, so that the disk is waited for once: each of
        them is rolled back alone, all of them together when the group raises.  `game_id` as
        in `work`."""
        with self._turn_to_write(), self.engine.connect() as connection:
            try:
                if self.is_sqlite:
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                else:
                    postgresql.begin(connection, game_id)
                yield Group(connection, game_id is not None and not self.is_sqlite)
                connection.commit()
            except BaseException:
                connection.rollback()
                raise

    @contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """SQLite lets one write at a time, and who waits for its lock looks again and again
        with growing pauses.  Threads of one process queue up here instead."""
        if not self.is_sqlite:
            yield
            return
        if not self._writing.acquire(timeout=BUSY_SECONDS):
            raise BusyError(f"another unit of work has not ended for {BUSY_SECONDS} seconds")
        try:
            yield
        finally:
            self._writing.release()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A reading unit: one consistent snapshot, nothing written.  Rows that were read
        stay readable afterwards."""
        with UnitOfWork(self._reading, expire_on_commit=False) as session:
            if self.is_sqlite:
                session.connection().exec_driver_sql("BEGIN")
            try:
                yield session
            finally:
                session.expunge_all()  # a rollback would make their values unreadable
                session.rollback()

    @contextmanager
    def only_one(self, what: str) -> Iterator[bool]:
        """Whether this process is the only one that does something, for as long as it likes:
        always, where the database is one machine's."""
        if self.is_sqlite:
            yield True
            return
        with postgresql.only_one(self.engine, what) as mine:
            yield mine

    def check(self) -> None:
        """Raise the driver's error when the database does not answer."""
        with self.read() as session:
            session.connection().execute(text("SELECT 1"))

    def close(self) -> None:
        self.engine.dispose()


class Group:
    """Units of work that are committed together (`Store.group`)."""

    def __init__(self, connection: Connection, is_beside_others: bool = False) -> None:
        self.connection = connection
        """For statements that belong to none of them."""
        self._is_beside_others = is_beside_others

    @contextmanager
    def work(self) -> Iterator[Session]:
        """One of them: what it did is undone when it raises, and the others go on."""
        with UnitOfWork(
            self.connection, expire_on_commit=False, join_transaction_mode="create_savepoint"
        ) as session:
            if self._is_beside_others:
                postgresql.is_beside_others(session)
            try:
                yield session
                session.commit()
            except BaseException:
                session.rollback()
                raise


def is_shared(url: str) -> bool:
    """Whether machines can share this database; `SettingsError` for what is no URL."""
    return postgresql.is_meant(_parsed(url))


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError:
        raise SettingsError("setting database: is no SQLAlchemy URL") from None


def _engine(url: str) -> Engine:
    parsed = _parsed(url)
    if postgresql.is_meant(parsed):
        return postgresql.engine(parsed, BUSY_SECONDS)
    if parsed.get_backend_name() != "sqlite":
        raise SettingsError(
            "setting database: neither sqlite:// nor postgresql:// is its beginning"
        )
    # Autocommit at the driver: BEGIN is ours (see `work`), not the driver's late one.
    options = {"isolation_level": None, "check_same_thread": False, "timeout": BUSY_SECONDS}
    engine = create_engine(url, connect_args=options)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={BUSY_SECONDS * 1000}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
