"""The thread that reads a mailbox: connects, takes what is there, waits for more, and
comes back after any trouble.  The mailbox's trouble is never the server's."""

import logging
import threading
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from pbem.installation import Installation
from pbem.intake.imap.connection import Connection, ImapTrouble
from pbem.intake.imap.taking import Taking, mailbox_row

log = logging.getLogger(__name__)

LONGEST_IDLE = 28 * 60.0  # RFC 2177: a client silent for 29 minutes may be logged off
# What the server tells while IDLE begins may lie unseen in our buffer: where there has
# just been news, the next look comes soon.
SOON = 2.0
FIRST_PAUSE = 5.0
LONGEST_PAUSE = 600.0
STOP_SECONDS = 5.0
STAND_BY_SECONDS = 5.0


class ImapReader:
    """Reads the mailbox of the settings, from `start` to `stop`."""

    def __init__(
        self, installation: Installation, on_mail: Callable[[], None] = lambda: None
    ) -> None:
        """`on_mail` is called (in this thread) after mails were stored."""
        self._installation = installation
        self._taking = Taking(installation)
        self._on_mail = on_mail
        self._stopping = threading.Event()
        self._connection: Connection | None = None
        # A server that does not answer at all must not keep the process from ending.
        self._thread = threading.Thread(target=self._run, name="ark-imap", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """What is stored stays; what is not yet settled in the mailbox is, next time."""
        self._stopping.set()
        connection = self._connection
        if connection is not None:
            connection.hang_up()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        """Read, if no other machine does; else be there in case it ends."""
        name = self._installation.settings.imap.name
        while not self._stopping.is_set():
            try:
                with self._installation.store.only_one(f"mailbox {name}") as ours:
                    if ours:
                        self._read_on()
            except SQLAlchemyError:
                log.exception("it could not be asked who reads the mailbox")
            self._stopping.wait(STAND_BY_SECONDS)

    def _read_on(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            try:
                with Connection(self._installation.settings) as connection:
                    self._connection = connection  # for `stop`
                    news = True
                    while not self._stopping.is_set():
                        self._look(connection)
                        failures = 0
                        news = self._wait(connection, news)
            except ImapTrouble as error:
                failures += 1
                self._trouble(failures, str(error))
            except Exception as error:  # the database's trouble, or one nobody thought of
                failures += 1
                log.exception("the mailbox could not be read")
                self._trouble(failures, f"{type(error).__name__}: {error}")
        self._note("stopped")

    def _look(self, connection: Connection) -> None:
        taken = self._taking.take_new(connection)
        self._note("idle" if connection.tells else "polling")
        if taken:
            self._on_mail()

    def _wait(self, connection: Connection, news: bool) -> bool:
        """Until there may be new mail; says whether the server told of any."""
        seconds = self._installation.settings.imap.poll_seconds
        if connection.tells:
            return connection.wait(min(SOON, seconds) if news else min(seconds, LONGEST_IDLE))
        self._stopping.wait(seconds)
        return False

    def _trouble(self, failures: int, reason: str) -> None:
        if self._stopping.is_set():
            return
        log.warning("mailbox %s: %s", self._installation.settings.imap.name, reason)
        self._note("broken", reason)
        chance = int.from_bytes(self._installation.entropy(2), "big") / 0xFFFF
        self._stopping.wait(pause(failures, chance))

    def _note(self, state: str, error: str | None = None) -> None:
        """For the doctor."""
        try:
            with self._installation.store.work() as session:
                row = mailbox_row(session, self._installation)
                if (row.state, row.error) != (state, error):
                    row.state, row.error = state, error
                    row.changed_at = self._installation.clock()
        except Exception:
            log.exception("the state of the mailbox could not be noted")


def pause(failures: int, chance: float) -> float:
    """Seconds until the next attempt: doubling, at most ten minutes, a quarter more or
    less by `chance` (0 … 1), so that many clients do not come back to a server together."""
    seconds: float = min(FIRST_PAUSE * 2 ** min(failures - 1, 16), LONGEST_PAUSE)
    return seconds * (0.75 + 0.5 * chance)
