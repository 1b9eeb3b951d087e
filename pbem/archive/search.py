"""Looking for finished games.

Every search is a walk along the newest games of each category that fits (there are a few
dozen categories), merged: its cost does not grow with the archive, and pages go on where
the last one ended, however many games have ended meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Select
from sqlmodel import Session, col, select

from pbem.archive.moments import Moment, after, before
from pbem.archive.names import folded
from pbem.store import Category, DriveOut, FinishedGame, FinishedSeat, Profile

PAGE_SIZE = 50
LENGTHS = ("short", "medium", "long")
RESULTS = ("close", "clear", "shared")
MOST_PEOPLE = 20  # of one name


@dataclass(frozen=True)
class Wanted:
    """What is looked for; None: whatever it is."""

    player: str | None = None  # a pseudonym, or a first name in an open game
    since: date | None = None  # days in UTC, both included
    until: date | None = None
    deck: str | None = None
    players: int | None = None
    length: str | None = None
    result: str | None = None
    driver: str | None = None
    victim: str | None = None

    @property
    def is_any(self) -> bool:
        """Whatever is not of a certain day is wanted as well as anything else."""
        names = {field.name for field in fields(self)} - {"since", "until"}
        return all(getattr(self, name) is None for name in names)

    @property
    def of_category(self) -> dict[str, Any]:
        names = ("deck", "players", "length", "result")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


@dataclass(frozen=True)
class Found:
    """One page, the newest game first, and where the pages beside it begin."""

    moments: tuple[Moment, ...]
    newer: Moment | None
    """The games before this page are those after this moment; None: it is the first."""
    older: Moment | None


def search(
    session: Session,
    wanted: Wanted,
    *,
    older_than: Moment | None = None,
    newer_than: Moment | None = None,
    size: int = PAGE_SIZE,
) -> Found:
    """A page of the public games that are wanted: the newest, or those next to a moment."""
    rising = newer_than is not None
    bounds = _Bounds(wanted, older_than, newer_than, size + 1)
    connection = session.connection()
    rows: list[Moment] = sorted(
        {
            (at, game_id)
            for part in _parts(session, wanted, bounds)
            for at, game_id in connection.execute(part)
        },
        reverse=not rising,
    )
    more, rows = len(rows) > size, rows[:size]
    if rising:
        rows.reverse()
        newer = rows[0] if more and rows else None
        older = rows[-1] if rows else None
    else:
        newer = rows[0] if older_than is not None and rows else None
        older = rows[-1] if more and rows else None
    return Found(tuple(rows), newer, older)


@dataclass(frozen=True)
class _Bounds:
    """What every part of a search keeps to."""

    wanted: Wanted
    older_than: Moment | None
    newer_than: Moment | None
    limit: int

    def apply(self, query: Select[datetime, int], row: Any) -> Select[datetime, int]:
        at = col(row.finished_at)
        if self.wanted.since is not None:
            query = query.where(at >= _begin(self.wanted.since))
        if self.wanted.until is not None and self.wanted.until < date.max:
            query = query.where(at < _begin(self.wanted.until + timedelta(days=1)))
        if self.older_than is not None:
            query = query.where(before(row, self.older_than))
        order = (at.desc(), col(row.game_id).desc())
        if self.newer_than is not None:
            query = query.where(after(row, self.newer_than))
            order = (at.asc(), col(row.game_id).asc())
        return query.order_by(*order).limit(self.limit)


def _parts(session: Session, wanted: Wanted, bounds: _Bounds) -> list[Select[datetime, int]]:
    """Queries for (finished_at, game_id), each answered by one index from its first row on."""
    if wanted.is_any:
        newest = sa.select(col(FinishedGame.finished_at), col(FinishedGame.game_id))
        return [bounds.apply(newest.where(col(FinishedGame.listed)), FinishedGame)]
    categories = session.exec(
        select(Category.id).filter_by(listed=True, **wanted.of_category)
    ).all()
    if wanted.player is not None:
        return [bounds.apply(one, FinishedSeat) for one in _of_player(session, wanted, categories)]
    drove = _drove(wanted)
    row = DriveOut if drove else FinishedGame
    moments = sa.select(col(row.finished_at), col(row.game_id)).where(*drove)
    return [
        bounds.apply(moments.where(col(row.category_id) == category), row)
        for category in categories
    ]


def _drove(wanted: Wanted) -> list[ColumnElement[bool]]:
    columns = ((DriveOut.driver, wanted.driver), (DriveOut.victim, wanted.victim))
    return [col(column) == name for column, name in columns if name is not None]


def _of_player(
    session: Session, wanted: Wanted, categories: Sequence[int | None]
) -> list[Select[datetime, int]]:
    """The games of those who are called so, each walked through on its own."""
    key = folded(wanted.player or "")
    people = session.exec(
        select(Profile.person_id).where(col(Profile.public), Profile.name_key == key)
    ).all()
    whose = [col(FinishedSeat.person_id) == person for person in people[:MOST_PEOPLE]]
    # Whoever goes by a pseudonym is not found by his own name: that would tell it.
    goes_by_another = sa.select(col(Profile.id)).where(
        col(Profile.person_id) == col(FinishedSeat.person_id),
        col(Profile.public),
        col(Profile.name_key) != key,
    )
    whose.append(sa.and_(col(FinishedSeat.name_key) == key, ~goes_by_another.exists()))
    drove, queries = _drove(wanted), []
    for one in whose:
        query = (
            sa.select(col(FinishedSeat.finished_at), col(FinishedSeat.game_id))
            .join(FinishedGame, col(FinishedGame.game_id) == col(FinishedSeat.game_id))
            .where(one, col(FinishedGame.category_id).in_(categories))
        )
        if drove:
            there = col(DriveOut.game_id) == col(FinishedSeat.game_id)
            query = query.where(sa.select(col(DriveOut.id)).where(there, *drove).exists())
        queries.append(query)
    return queries


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
