"""Who reads the mails of the inbox: this very thread, or processes of their own.

A process of its own can be ended when a mail takes too long, and two of them read the
mails of two seats at the same time.  They are started with the first mail and ended when
there was none for a while, so a server nobody writes to runs alone.
"""

import logging
import signal
from collections.abc import Callable
from concurrent.futures import Future
from math import ceil
from multiprocessing import get_context, set_forkserver_preload
from typing import Protocol

from pebble import ProcessPool

from pbem import logs
from pbem.installation import Installation, open_installation
from pbem.intake.handling import Understood, read_mail
from pbem.settings import Settings

log = logging.getLogger(__name__)

GRACE = 10  # seconds after its time for a reader that nobody has ended
Read = Callable[[Installation, int], Understood]


class Readers(Protocol):
    """Reads stored mails; any number may be asked for at once."""

    def read(self, mail_id: int) -> "Future[Understood]":
        """The mail, understood; the future holds the error where it could not be."""

    def rest(self) -> None:
        """There will be nothing to read for a while."""

    def close(self) -> None: ...


class Myself:
    """Reads in the thread that asks, before it is answered.  There is no limit of time."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation

    def read(self, mail_id: int) -> "Future[Understood]":
        future: Future[Understood] = Future()
        try:
            future.set_result(read_mail(self._installation, mail_id))
        except Exception as error:  # noqa: BLE001 - it is handed to whoever asked
            future.set_exception(error)
        return future

    def rest(self) -> None:
        pass

    def close(self) -> None:
        pass


class Pool:
    """Reads in `count` processes; one that takes longer than `seconds` is killed."""

    def __init__(
        self, settings: Settings, count: int, seconds: float, read: Read = read_mail
    ) -> None:
        """`read` is a function of a module: the processes import it."""
        self._settings = settings
        self._function = read
        self._count = count
        self._seconds = seconds
        self._pool: ProcessPool | None = None

    def read(self, mail_id: int) -> "Future[Understood]":
        if self._pool is not None and not self._pool.active:
            self.close()  # it has broken; its processes may still be there
        self._pool = self._pool or self._started()
        alarm = ceil(self._seconds) + GRACE
        arguments = (self._function, mail_id, alarm)
        return self._pool.schedule(_read, args=arguments, timeout=self._seconds)

    def rest(self) -> None:
        """Let the processes go; the next mail starts new ones."""
        self.close()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()
            self._pool = None

    def _started(self) -> ProcessPool:
        # Not forked from this process: it has threads, and they may hold locks just then.
        return ProcessPool(
            self._count,
            initializer=_open,
            initargs=(self._settings,),
            context=get_context("forkserver"),
        )


def read_soon() -> None:
    """Let the process that readers are forked from do their imports once, so that the first
    mail after a rest, or after one that hung, does not wait for them."""
    set_forkserver_preload([__name__])


def readers_of(installation: Installation) -> Readers:
    """As the settings say; with `mail.readers` 0 nobody is started."""
    mail = installation.settings.mail
    if mail.readers == 0:
        return Myself(installation)
    return Pool(installation.settings, mail.readers, mail.reading_seconds)


_opened: list[Installation] = []
"""In a reader's process: what it reads with."""


def _open(settings: Settings) -> None:
    logs.configure(settings.log_level, settings.log_format)
    _opened.append(open_installation(settings))


def _read(function: Read, mail_id: int, seconds: int) -> Understood:
    signal.alarm(seconds)  # ends the process when the server that would do it is gone
    try:
        return function(_opened[0], mail_id)
    finally:
        signal.alarm(0)
