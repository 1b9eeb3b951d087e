"""The audit as a list: filtered, a page at a time, or all of it to take away.

Rows of a table the moderator plays at are left out but for his own: their reasons may tell
more than his seat knows.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, or_, select

from pbem.moderation.going_on import Progress, progress_of
from pbem.moderation.lists import PAGE
from pbem.moderation.lists.reach import within
from pbem.store import Audit
from pbem.store.roles import Powers, plays_in
from pbem.store.rows import id_of

COLUMNS = (
    "id", "at", "person_id", "channel", "action", "game_id", "seat", "subject_id", "mail_id",
    "letter_id", "reason", "outcome", "details",
)  # fmt: skip
BATCH = 500
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class WantedRows:
    """Which rows; empty means all.  ``day``: that one and earlier, in UTC."""

    action: str = ""
    by: int | None = None  # whoever did it
    subject: int | None = None  # whom it concerned
    game_id: int | None = None
    day: date | None = None
    before: int | None = None  # the number the last page ended with

    def query(self) -> dict[str, str]:
        """The filter as an address says it, the page left out."""
        said = {
            "action": self.action, "by": self.by, "subject": self.subject, "game": self.game_id,
            "day": None if self.day is None else self.day.isoformat(),
        }  # fmt: skip
        return {name: str(value) for name, value in said.items() if value not in (None, "")}


def rows(session: Session, powers: Powers, wanted: WantedRows, most: int = PAGE + 1) -> list[Audit]:
    """The newest rows that are wanted."""
    query = select(Audit)
    for condition in _conditions(session, powers, wanted):
        query = query.where(condition)
    return list(session.exec(query.order_by(col(Audit.id).desc()).limit(most)))


def actions(session: Session) -> list[str]:
    """What was ever done, by name; found by leaps through the index of actions."""
    found: list[str] = []
    while True:
        behind = found[-1] if found else ""
        query = select(Audit.action).where(col(Audit.action) > behind)
        after = session.exec(query.order_by(col(Audit.action)).limit(1)).first()
        if after is None:
            return found
        found.append(after)


def exported(session: Session, powers: Powers, wanted: WantedRows, form: str) -> Iterator[str]:
    """All wanted rows, the oldest last, as CSV (RFC 4180) or JSON lines; people are named by
    number, times are UTC."""
    if form == "csv":
        yield _csv([COLUMNS])
    while batch := rows(session, powers, wanted, BATCH):
        progress = progress_of(session, [row.id for row in batch])
        facts = [_facts(row, progress.get(id_of(row))) for row in batch]
        if form == "csv":
            yield _csv([_cell(one[name]) for name in COLUMNS] for one in facts)
        else:
            yield "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in facts)
        wanted = WantedRows(
            wanted.action, wanted.by, wanted.subject, wanted.game_id, wanted.day, batch[-1].id
        )


def _facts(row: Audit, progress: Progress | None) -> dict[str, Any]:
    facts = {name: getattr(row, name) for name in COLUMNS}
    if progress is not None:  # of many, a few at a time
        facts["outcome"] = f"done: {progress}"
    facts["at"] = row.at.astimezone(UTC).isoformat(timespec="seconds")
    return facts


def _cell(value: Any) -> str:
    """A cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv(lines: Iterable[Iterable[str]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(lines)
    return out.getvalue()


def _conditions(
    session: Session, powers: Powers, wanted: WantedRows
) -> Iterable[ColumnElement[bool]]:
    yield from within(powers, Audit.game_id)
    if own := plays_in(session, powers.person_id):
        yield or_(
            col(Audit.game_id).is_(None),
            col(Audit.game_id).not_in(own),
            col(Audit.person_id) == powers.person_id,
        )
    for column, value in (
        (Audit.action, wanted.action), (Audit.person_id, wanted.by),
        (Audit.subject_id, wanted.subject), (Audit.game_id, wanted.game_id),
    ):  # fmt: skip
        if value not in (None, ""):
            yield col(column) == value
    if wanted.day is not None:
        end = datetime(wanted.day.year, wanted.day.month, wanted.day.day, tzinfo=UTC)
        yield col(Audit.at) < end + timedelta(days=1)
    if wanted.before is not None:
        yield col(Audit.id) < wanted.before
