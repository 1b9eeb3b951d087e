"""The order of the archive: when a game ended, then its number.  Lists are read along it,
a page after the other, and games count in it."""

from datetime import datetime

from sqlalchemy import ColumnElement, Tuple, literal, tuple_
from sqlmodel import SQLModel

from pbem.store.models import DriveOut, FinishedGame, FinishedSeat

Moment = tuple[datetime, int]
"""When a game ended (UTC), and its number."""
Row = type[FinishedGame] | type[FinishedSeat] | type[DriveOut]


def after(row: Row, moment: Moment, inclusive: bool = False) -> ColumnElement[bool]:
    """The rows of games that ended after a moment."""
    own, other = _pair(row, moment)
    return own >= other if inclusive else own > other


def before(row: Row, moment: Moment) -> ColumnElement[bool]:
    """The rows of games that ended before a moment."""
    own, other = _pair(row, moment)
    return own < other


def _pair(row: Row, moment: Moment) -> tuple[Tuple, Tuple]:
    at, number = SQLModel.metadata.tables[str(row.__tablename__)].c["finished_at", "game_id"]
    there = tuple_(literal(moment[0], at.type), literal(moment[1], number.type))
    return tuple_(at, number), there
