"""The installation on more than one machine: workers that take jobs from Procrastinate's queue.

A job only says that there is work (`pbem.store.queue`); the sweeps, which fire once
however many workers there are, find what no job was put in for: what became due, and what a
worker left that died.  Of jobs with the same lock one is done at a time, on whichever
machine: the inbox is read in order and the relay is spoken to once, while the bots of
different games move side by side.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Status

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
from pbem.post.channels.hooks import call_due
from pbem.post.delivery import check_sending, deliver_due, recover
from pbem.store import daily
from pbem.store.postgresql import connection_arguments
from pbem.store.queue import BOTS, BOTS_OF_A_GAME, INBOX, POST, Queue

log = logging.getLogger(__name__)

SIGNS = 3  # of life that a worker gives in the time after which it is taken to be dead
TOGETHER = 8  # jobs of one worker; more threads than it has processors, for most of them wait
GOING_ON_SECONDS = 2.0  # with an action on many, until it is looked whether to end
AGAIN_SECONDS = 2.0  # after the database was out of reach
KEPT_HOURS = 24 * 7  # jobs that failed, for whoever looks for the reason
AT_ONCE = "* * * * * */2"  # the sixth place is that of the seconds
QUICKLY = "* * * * * */5"
OFTEN = "* * * * * */10"
EVERY_MINUTE = "* * * * *"
HOURLY = "17 * * * *"


class Worker:
    """One of the workers of an installation, in a thread: `start()`, then `stop()`, which waits
    for what is under way."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._silent_seconds = installation.settings.workers.silent_seconds
        self._stopping = threading.Event()
        self._work = Work(installation, self._stopping)
        self._thread = threading.Thread(target=self._run, name="ark-worker")
        self._end: Callable[[], object] | None = None

    def start(self) -> None:
        """`SettingsError` for what makes sending impossible."""
        check_sending(self._installation.settings)
        with self._installation.store.work() as session:
            beat(session, self._installation.clock(), read_steady())
        self._thread.start()

    def ring(self) -> None:
        """Whoever has work puts it into the queue, and this worker listens there."""

    def stop(self) -> None:
        self._stopping.set()
        if (end := self._end) is not None:
            with suppress(RuntimeError):  # it has just come to its end by itself
                end()
        self._thread.join()
        self._work.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                asyncio.run(self._serve())
            except Exception:
                log.exception("the worker has lost its queue; it comes back")
            self._stopping.wait(AGAIN_SECONDS)

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(TOGETHER, "ark-job"))
        app = app_of(self._installation, self._work, self._silent_seconds)
        async with app.open_async():
            serving = asyncio.ensure_future(
                app.run_worker_async(
                    concurrency=TOGETHER,
                    install_signal_handlers=False,
                    delete_jobs="successful",
                    update_heartbeat_interval=self._silent_seconds / SIGNS,
                    stalled_worker_timeout=self._silent_seconds,
                )
            )
            self._end = lambda: loop.call_soon_threadsafe(serving.cancel)
            if self._stopping.is_set():
                serving.cancel()
            try:
                await serving
            except asyncio.CancelledError:
                log.info("the worker has ended")
            finally:
                self._end = None


class Work:
    """What the jobs do, on this machine."""

    def __init__(self, installation: Installation, stopping: threading.Event) -> None:
        self._installation = installation
        self._stopping = stopping
        self._queue = Queue(installation.store.engine)
        self._mails = Inbox(installation, readers_of(installation))
        self._reading = threading.Lock()  # an inbox belongs to one thread at a time

    def close(self) -> None:
        self._mails.close()

    def post(self) -> None:
        """No other post is at work: letters that are under way were left by one that died."""
        recover(self._installation)
        self._while_there_is(lambda: deliver_due(self._installation))

    def inbox(self) -> None:
        with self._reading:
            self._while_there_is(lambda: self._mails.work() or self._mails.is_busy)
        self.bots()

    def bots(self) -> None:
        for game_id in games_waiting_for_a_bot(self._installation):
            self._queue.bots(game_id)

    def bots_of_a_game(self, game_id: int) -> None:
        play_bots_or_halt(self._installation, game_id)

    def hooks(self) -> None:
        self._while_there_is(lambda: call_due(self._installation))

    def clock(self) -> None:
        tick(self._installation, read_steady())
        if self._may_end():
            expire_held(self._installation)
            erase_due(self._installation)

    def loop_mail(self) -> None:
        watch_mail(self._installation)

    def archive(self) -> None:
        file_due(self._installation.store)
        recount(self._installation.store)

    def moderation(self) -> None:
        self._while_there_is(lambda: go_on(self._installation, GOING_ON_SECONDS))

    def retention(self) -> None:
        if self._may_end():
            retain(self._installation)
            self._while_there_is(
                lambda: daily.keep(self._installation.store, self._installation.clock())
            )

    def _while_there_is(self, work: Callable[[], object]) -> None:
        while not self._stopping.is_set() and work():
            pass

    def _may_end(self) -> bool:
        """Whether anything may be over: by a clock that is wrong nothing is thrown away."""
        with self._installation.store.read() as session:
            return is_believed(session)


def app_of(installation: Installation, work: Work, silent_seconds: float) -> App:
    """Procrastinate's application with every job of ours."""
    arguments = connection_arguments(installation.store.engine)
    app = App(connector=PsycopgConnector(kwargs=arguments, min_size=1, max_size=4))
    for name, cron, job in (
        (POST, QUICKLY, work.post),
        (INBOX, QUICKLY, work.inbox),
        (BOTS, QUICKLY, work.bots),
        ("hooks", QUICKLY, work.hooks),
        ("clock", OFTEN, work.clock),
        ("archive", OFTEN, work.archive),
        ("moderation", OFTEN, work.moderation),
        ("loop mail", EVERY_MINUTE, work.loop_mail),
        ("retention", HOURLY, work.retention),
    ):
        _sweep(app, name, cron, job)

    @app.task(name=BOTS_OF_A_GAME)
    def bots_of_a_game(game_id: int) -> None:
        work.bots_of_a_game(game_id)

    _look_after_itself(app, silent_seconds)
    return app


def _sweep(app: App, name: str, cron: str, job: Callable[[], None]) -> None:
    """A job that is done whenever it is asked for, and regularly."""

    @app.periodic(cron=cron, queueing_lock=name, lock=name)
    @app.task(name=name)
    def run(timestamp: int = 0, letters: tuple[int, ...] = ()) -> None:
        job()


def _look_after_itself(app: App, silent_seconds: float) -> None:
    """What keeps the queue going.  These jobs have no lock: one that was left by a worker that
    died would hold up those that should free it."""

    @app.periodic(cron=AT_ONCE, queueing_lock="stalled")
    @app.task(name="stalled")
    async def stalled(timestamp: int) -> None:
        """Give the jobs of workers that died to others; else their locks were never free."""
        jobs = app.job_manager
        for job in await jobs.get_stalled_jobs(seconds_since_heartbeat=silent_seconds):
            log.warning("the job %s was left by a worker that died", job.task_name)
            try:
                await jobs.retry_job(job)
            except ConnectorException:  # the same job waits already, and will do
                await jobs.finish_job(job, status=Status.FAILED, delete_job=True)

    @app.periodic(cron=HOURLY, queueing_lock="old jobs")
    @app.task(name="old jobs")
    async def old_jobs(timestamp: int) -> None:
        await app.job_manager.delete_old_jobs(nb_hours=KEPT_HOURS, include_failed=True)
