"""What all tables share: names of constraints, and checks of closed sets.

Table models do not validate, so what may be in a column is checked by the database."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticUndefined
from sqlalchemy import CheckConstraint, Index, text
from sqlmodel import MetaData, SQLModel

SQLModel.metadata.naming_convention = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
).naming_convention


def index_where(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index over the few rows that a condition holds for."""
    condition = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)


def one_of(column: str, *values: str) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


class Row(SQLModel):
    """For tables that get a new row with nearly every turn: a constructor that does the same
    as SQLModel's, which asks pydantic about each field and takes twenty times as long."""

    if not TYPE_CHECKING:  # mypy knows the fields of each table

        def __init__(self, **values: Any) -> None:
            plain, made = _defaults(type(self))
            fresh = {name: make() for name, make in made.items() if name not in values}
            self.__dict__.update({**plain, **fresh, **values})


@cache
def _defaults(table: type[SQLModel]) -> tuple[dict[str, Any], dict[str, Callable[[], Any]]]:
    """What the fields of a table are when nothing is said: values, and what makes them."""
    fields = table.model_fields.items()
    plain = {name: one.default for name, one in fields if one.default is not PydanticUndefined}
    made = {name: one.default_factory for name, one in fields if one.default_factory is not None}
    return plain, made  # type: ignore[return-value]  # none of them takes what was said
