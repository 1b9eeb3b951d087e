"""How the server is: what `/health` tells machines, and the moderators' page tells people."""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import text
from sqlmodel import Session, col, func, select

import pbem
from pbem.clock import is_stopped, late
from pbem.installation import Installation
from pbem.store import Heartbeat, Letter, Mail, migrate

LEAST_FREE = 0.05
LEAST_FREE_BYTES = 500_000_000
"""Below both of these the disk is said to be full: SQLite needs room to write at all."""


@dataclass(frozen=True)
class Backlog:
    """Rows that wait, and since when the first one could have gone."""

    waiting: int
    since: datetime | None


@dataclass(frozen=True)
class Health:
    """``faults`` are sentences for the operator; without any the server is well."""

    faults: tuple[str, ...]
    clock: str  # running, stopped, suspect
    beat_at: datetime | None
    letters: Backlog
    mails: Backlog
    disk_free: int  # bytes
    disk_size: int
    database: int | None  # bytes of the SQLite file
    revision: str | None
    version: str

    @property
    def ok(self) -> bool:
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """For machines: no address, no name, nothing of a game."""
        return {
            "ok": self.ok,
            "database": True,
            "clock": self.clock,
            "beat": None if self.beat_at is None else self.beat_at.isoformat(timespec="seconds"),
            "queue": {"letters": self.letters.waiting, "mails": self.mails.waiting},
            "disk": {"free": self.disk_free, "size": self.disk_size},
            "revision": self.revision,
            "version": self.version,
            **({"late": list(self.faults)} if self.faults else {}),
        }


def health_of(session: Session, here: Installation) -> Health:
    """How the server is now; raises the database's error when it does not answer."""
    now = here.clock()
    pulse = session.get(Heartbeat, 1)
    disk = shutil.disk_usage(here.settings.instance)
    faults = late(session, now)
    if disk.free < LEAST_FREE_BYTES and disk.free < disk.total * LEAST_FREE:
        faults.append(f"only {disk.free // 1_000_000} MB are free on the disk")
    suspect = pulse is not None and pulse.suspect_since is not None
    return Health(
        faults=tuple(faults),
        clock="stopped" if is_stopped(session) else "suspect" if suspect else "running",
        beat_at=None if pulse is None else pulse.at,
        letters=_letters(session, now),
        mails=_mails(session),
        disk_free=disk.free,
        disk_size=disk.total,
        database=_database_size(session) if here.store.is_sqlite else None,
        revision=_revision(),
        version=pbem.__version__,
    )


def _database_size(session: Session) -> int:
    """Bytes of SQLite's database, with what still stands in its write-ahead log alone: until
    the first checkpoint that is nearly everything."""
    query = text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
    return int(session.connection().execute(query).scalar_one())


@cache
def _revision() -> str | None:
    """The revision this program needs; it started, so the database has it."""
    return migrate.newest()


def _letters(session: Session, now: datetime) -> Backlog:
    due = (col(Letter.state).in_(("queued", "retry")), col(Letter.next_at) <= now + _SOON)
    count, first = session.exec(select(func.count(), func.min(Letter.next_at)).where(*due)).one()
    return Backlog(count, first)


def _mails(session: Session) -> Backlog:
    new = select(func.count(), func.min(Mail.received_at)).where(Mail.state == "new")
    count, first = session.exec(new).one()
    return Backlog(count, first)


_SOON = timedelta(minutes=1)
"""Letters that are due later wait on purpose: they do not queue."""
