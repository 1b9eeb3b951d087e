"""Every test opens a database of its own, so SQLAlchemy would compile every statement anew
and the disk would be waited for at every commit: most of what such a test takes.  Here all
of them share what has been compiled, and nobody waits for the disk."""

from typing import Any, ClassVar

from sqlalchemy import Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache


class _Shared:
    """A dialect as it is, but one object for all: compiled statements belong to a dialect."""

    supports_statement_cache = True
    _only: ClassVar[Any] = None
    _compiled: ClassVar[LRUCache[Any, Any]]

    def __new__(cls, **_options: Any) -> Any:
        if cls._only is None:
            cls._only = super().__new__(cls)
            cls._compiled = LRUCache(2000)
        return cls._only

    def __init__(self, **options: Any) -> None:
        if not hasattr(self, "dbapi"):
            super().__init__(**options)

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        engine.update_execution_options(compiled_cache=cls._compiled)


class SharedSqlite(_Shared, SQLiteDialect_pysqlite):
    supports_statement_cache = True

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        super().engine_created(engine)
        event.listen(engine, "checkout", _without_waiting)


class SharedPostgresql(_Shared, PGDialect_psycopg):
    supports_statement_cache = True


def _without_waiting(connection: Any, record: Any, _proxy: Any) -> None:
    """Power cuts are not tested; a process that is killed loses nothing by this.  The store
    asks for more when it connects, so this comes after."""
    if "without_waiting" not in record.info:
        connection.execute("PRAGMA synchronous=OFF")
        record.info["without_waiting"] = True


def share() -> None:
    """From now on, in this process, for every `sqlite:///…` and PostgreSQL;
    `sqlite+pysqlite:///…` is left as it is."""
    registry.register("sqlite", __name__, SharedSqlite.__name__)
    registry.register("postgresql.psycopg", __name__, SharedPostgresql.__name__)
