"""The embedded installation: one process, driven by APScheduler.

The jobs live in memory only.  What is due stands in our own tables, so a restart loses
nothing and a second firing does nothing; that there is exactly one such process for a
database is held by a file lock.
"""

import fcntl
import logging
import threading
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import TextIO

from apscheduler.schedulers.background import BackgroundScheduler

from pbem.archive.filing import file_due
from pbem.archive.ratings import recount
from pbem.clock import beat, is_believed, read_steady, tick
from pbem.clock.erasing import erase_due
from pbem.clock.retention import retain
from pbem.installation import Installation
from pbem.intake.held import expire_held
from pbem.intake.inbox import Inbox
from pbem.intake.readers import readers_of
from pbem.jobs.bots import games_waiting_for_a_bot, play_bots_or_halt
from pbem.jobs.loop_mail import watch_mail
from pbem.moderation.going_on import go_on
from pbem.post.bell import Bell
from pbem.post.channels.hooks import call_due
from pbem.post.delivery import deliver_due, recover
from pbem.store import daily

log = logging.getLogger(__name__)

SWEEP_SECONDS = 10  # of the clock; a reminder may be this late
RETENTION_SECONDS = 3600  # between two looks for what has been kept long enough
LOOP_MAIL_SECONDS = 60  # between two looks whether mail comes through
LOOK_SECONDS = 2.0  # how long inbox and post sleep when nobody rings
REST_LOOKS = 150  # looks into an empty inbox after which the readers' processes end


class AlreadyRunning(RuntimeError):
    """Another server works on this instance folder."""


class Lock:
    """The file lock of an instance folder; the kernel drops it when the process dies."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "server.lock"
        self._file: TextIO | None = None

    def acquire(self) -> None:
        file = self._path.open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise AlreadyRunning(
                f"another server is running on {self._path.parent}; stop it first, "
                "or name another instance folder in ARK_INSTANCE"
            ) from None
        self._file = file

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class Jobs:
    """Inbox, bots, post and clock at work.  `start()`, then `ring()` whenever something
    was put into the inbox or the outbox; `stop()` waits for what is under way."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._stopping = threading.Event()
        self._mails = Inbox(installation, readers_of(installation))
        self._idle_looks = 0
        self._inbox = Bell()
        self._post = Bell()
        self._hooks = Bell()  # other people's servers are slow: they hold up nobody
        self._threads = [
            threading.Thread(target=self._loop, args=(name, bell, work), name=f"ark-{name}")
            for name, bell, work in (
                ("inbox", self._inbox, self._work_inbox),
                ("post", self._post, self._work_post),
                ("hooks", self._hooks, self._work_hooks),
            )
        ]
        self._scheduler = BackgroundScheduler(timezone=UTC)
        for name, seconds, job in (
            ("clock", SWEEP_SECONDS, self._work_clock),
            ("loop mail", LOOP_MAIL_SECONDS, self._work_loop_mail),
            ("retention", RETENTION_SECONDS, self._work_retention),
            ("archive", SWEEP_SECONDS, self._work_archive),
            ("moderation", SWEEP_SECONDS, self._work_moderation),
        ):
            self._scheduler.add_job(
                job, "interval", seconds=seconds, id=name,
                max_instances=1, coalesce=True, misfire_grace_time=None,
            )  # fmt: skip

    def start(self) -> None:
        """Take up what the last process left under way, then begin.  First of all it is
        noted how long nobody was there, so that nothing is taken to be over meanwhile."""
        with self._installation.store.work() as session:
            beat(session, self._installation.clock(), read_steady())
        recover(self._installation)
        for thread in self._threads:
            thread.start()
        self._scheduler.start()
        self.ring()

    def ring(self) -> None:
        """There is something to read, or to send."""
        self._inbox.ring()
        self._post.ring()

    def stop(self) -> None:
        self._stopping.set()
        self.ring()
        self._hooks.ring()
        self._scheduler.shutdown(wait=True)
        for thread in self._threads:
            thread.join()
        self._mails.close()

    def _loop(self, name: str, bell: Bell, work: Callable[[], None]) -> None:
        while not self._stopping.is_set():
            try:
                work()
            except Exception:
                log.exception("%s: this piece of work failed; going on", name)
                self._stopping.wait(1.0)
            bell.wait(LOOK_SECONDS)

    def _work_inbox(self) -> None:
        self._idle_looks += 1
        while not self._stopping.is_set() and (self._mails.work() or self._mails.is_busy):
            self._idle_looks = 0
            self._post.ring()
        if self._idle_looks == REST_LOOKS:
            self._mails.rest()
        for game_id in games_waiting_for_a_bot(self._installation):
            play_bots_or_halt(self._installation, game_id)
            self._post.ring()

    def _work_post(self) -> None:
        while not self._stopping.is_set() and deliver_due(self._installation):
            pass

    def _work_hooks(self) -> None:
        while not self._stopping.is_set() and call_due(self._installation):
            pass

    def _work_clock(self) -> None:
        if tick(self._installation, read_steady()):
            self._post.ring()
        if self._may_end():
            expire_held(self._installation)
            erase_due(self._installation)

    def _work_loop_mail(self) -> None:
        watch_mail(self._installation)

    def _work_archive(self) -> None:
        """Games that are over, on its own: after a large import the clock does not wait."""
        file_due(self._installation.store)
        recount(self._installation.store)

    def _work_moderation(self) -> None:
        """What a moderator does to many, which whoever confirmed it has not waited for."""
        while not self._stopping.is_set() and go_on(self._installation, LOOK_SECONDS):
            self._post.ring()

    def _work_retention(self) -> None:
        if self._may_end():
            retain(self._installation)
            while not self._stopping.is_set() and daily.keep(
                self._installation.store, self._installation.clock()
            ):
                pass

    def _may_end(self) -> bool:
        """Whether anything may be over: by a clock that is wrong nothing is thrown away."""
        with self._installation.store.read() as session:
            return is_believed(session)
