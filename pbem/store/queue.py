"""The queue of an installation on more than one machine: Procrastinate's tables beside ours.

Jobs only say that there is work; what is due stands in our own tables.  So a job that is
done twice does nothing the second time, and one that is lost costs the seconds until the
next sweep (`pbem.jobs.distributed`).
"""

import logging
from collections.abc import Sequence
from typing import Any

from procrastinate import App, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.schema import SchemaManager
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from pbem.settings.workers import Workers

POST, INBOX, BOTS, BOTS_OF_A_GAME = "post", "inbox", "bots", "bots of a game"
"""Jobs by name: deliver the outbox, read the inbox, see where bots are to move, let them."""

log = logging.getLogger(__name__)
logging.getLogger("procrastinate").setLevel(logging.WARNING)  # of jobs every few seconds


class Queue:
    """Puts jobs into the queue; who takes them out is a worker."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # Every job goes in by a connection of the engine's, so this needs none of its own.
        self._app = App(connector=SyncPsycopgConnector())

    def ring(self, session: Session, letters: Sequence[int]) -> None:
        """Letters wait: whoever delivers is rung for when this unit of work is committed, and
        with it undone if it is not; once is enough for all of them."""
        if session.info.get("rung"):
            return
        session.info["rung"] = True
        self._put(session.connection(), POST, lock=POST, arguments={"letters": list(letters)})

    def nudge(self) -> None:
        """There may be mails to read, or bots to move."""
        for name in (INBOX, BOTS):
            self.once(name, lock=name)

    def bots(self, game_id: int) -> None:
        """Let the bots of a game move; of one game's jobs never two are done at a time."""
        self.once(BOTS_OF_A_GAME, lock=f"game-{game_id}", arguments={"game_id": game_id})

    def once(self, name: str, lock: str, arguments: dict[str, Any] | None = None) -> None:
        """A job, unless the same one waits already.  A database that does not answer has lost
        nothing: the sweeps find what is due."""
        try:
            with self._engine.begin() as connection:
                self._put(
                    connection, name, lock=lock, queueing_lock=lock, arguments=arguments or {}
                )
        except AlreadyEnqueued:
            pass
        except (ConnectorException, SQLAlchemyError) as error:
            log.warning("the job %s could not be put into the queue: %s", name, error)

    def _put(
        self, connection: Connection, name: str, *, arguments: dict[str, Any], **how: Any
    ) -> None:
        raw = connection.connection.driver_connection
        self._app.configure_task(name, connection=raw, **how).defer(**arguments)


def workers(engine: Engine, settings: Workers) -> int:
    """How many have given a sign of life lately."""
    with engine.connect() as connection:
        found = connection.execute(_AT_WORK, {"seconds": settings.silent_seconds}).scalar_one()
    return int(found)


_AT_WORK = text(
    "SELECT count(*) FROM procrastinate_workers"
    " WHERE last_heartbeat > now() - make_interval(secs => :seconds)"
)


def prepare(connection: Connection) -> None:
    """Make Procrastinate's own tables, where there are none.  They are its affair: a later
    version of it brings migrations, which the revision that raises its version has to apply."""
    if connection.exec_driver_sql("SELECT to_regclass('procrastinate_jobs')").scalar() is None:
        connection.exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))
