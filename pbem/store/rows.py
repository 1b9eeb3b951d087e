"""The numbers of rows."""

from typing import Protocol

GREATEST_NUMBER = 2**31 - 1
"""PostgreSQL refuses even to look for a row of a greater one."""


class Numbered(Protocol):
    """A row of a table that counts its rows by itself; without a number until it is stored."""

    @property
    def id(self) -> int | None: ...


def id_of(row: Numbered) -> int:
    """The number of a stored row; ValueError for one that is not stored yet."""
    if row.id is None:
        raise ValueError(f"this {type(row).__name__} has no number yet: it is not stored")
    return row.id
