"""Which rows of the tables a moderator's hands reach."""

from typing import Any

from sqlalchemy import ColumnElement, Select
from sqlmodel import Session, col

from pbem.store.roles import Powers

MOST_NAMED = 200  # rows of a name that are told one by one
MOST_DIGITS = 18  # of a number that is looked for: the databases' own end there


def within(powers: Powers, game_id: Any) -> list[ColumnElement[bool]]:
    """The conditions that keep a query to the games a moderator reaches."""
    return [] if powers.everywhere else [col(game_id).in_(powers.games)]


def named(session: Session, number: Any, called: Select[int]) -> ColumnElement[bool]:
    """Whether the row with this number is among those that are `called` so
    (`pbem.store.names`).  A few are told by their numbers; where there are many, whoever goes
    through the list meets a page of them soon, and looks at each by itself."""
    found = session.connection().execute(called.distinct().limit(MOST_NAMED + 1)).scalars().all()
    if len(found) <= MOST_NAMED:
        return col(number).in_(found)
    [key] = called.selected_columns
    return called.where(key == number).exists()
