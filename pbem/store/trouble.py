"""Whose trouble an error is: the database's own, or that of what was asked of it."""

import sqlite3

from sqlalchemy.exc import DBAPIError

from pbem.store.session import BusyError

_SQLITE = frozenset(
    {
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
    }
)  # fmt: skip
_POSTGRESQL = ("08", "40", "53", "55", "57", "58")
"""Classes of SQLSTATE: connection, rollback by the server, resources, state, operator, system."""


def is_the_databases_own(error: BaseException) -> bool:
    """Whether an error says nothing against what was asked: the disk is full, the database
    is locked, the connection is gone.  Then the same may well succeed later."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, BusyError)
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        # The low byte is the primary code, the rest says more about it.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE
    state = getattr(cause, "sqlstate", None) or ""
    return error.connection_invalidated or state[:2] in _POSTGRESQL
