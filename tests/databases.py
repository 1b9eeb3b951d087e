"""Every test opens a database of its own, so SQLAlchemy would compile every statement anew
and the disk would be waited for at every commit: most of what such a test takes.  Here all
of them share what has been compiled, and nobody waits for the disk."""

from typing import Any, ClassVar

from sqlalchemy import Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache


class SharedSqlite(SQLiteDialect_pysqlite):
    """SQLite as it is, but one object for all: compiled statements belong to a dialect."""

    supports_statement_cache = True
    _only: ClassVar["SharedSqlite | None"] = None
    _compiled: ClassVar[LRUCache[Any, Any]] = LRUCache(2000)

    def __new__(cls, **_options: Any) -> "SharedSqlite":
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __init__(self, **options: Any) -> None:
        if not hasattr(self, "dbapi"):
            super().__init__(**options)

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        engine.update_execution_options(compiled_cache=cls._compiled)
        event.listen(engine, "checkout", _without_waiting)


def _without_waiting(connection: Any, record: Any, _proxy: Any) -> None:
    """Power cuts are not tested; a process that is killed loses nothing by this.  The store
    asks for more when it connects, so this comes after."""
    if "without_waiting" not in record.info:
        connection.execute("PRAGMA synchronous=OFF")
        record.info["without_waiting"] = True


def share() -> None:
    """From now on, in this process, for every `sqlite:///…`; `sqlite+pysqlite:///…` is left as
    it is."""
    registry.register("sqlite", __name__, SharedSqlite.__name__)
