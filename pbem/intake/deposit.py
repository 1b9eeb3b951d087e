"""Putting mails into the inbox durably, many in one commit.

Every way in that answers its sender waits for the commit.  Mails that arrive while one
commit is being synced go into the next one together, so the disk is not waited for once
a mail (group commit).
"""

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime

from pbem.intake.arrival import INSERT, Arrival, row_of
from pbem.store import Store

log = logging.getLogger(__name__)

MAX_MAILS = 100
MAX_BYTES = 50_000_000  # in one commit


class Deposit:
    """One writing thread; `put` from any other."""

    def __init__(
        self, store: Store, clock: Callable[[], datetime], on_mail: Callable[[], None]
    ) -> None:
        self._store = store
        self._clock = clock
        self._on_mail = on_mail
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="deposit", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Store what was put before, then end."""
        self._queue.put(None)
        self._thread.join()

    def put(self, arrival: Arrival) -> "Future[None]":
        """A future that is done when the mail is committed; else it holds the error."""
        waiting = _Waiting(arrival)
        self._queue.put(waiting)
        return waiting.done

    def _run(self) -> None:
        stopping = False
        while not stopping:
            batch, stopping = self._next_batch()
            if batch:
                self._settle(batch)

    def _next_batch(self) -> "tuple[list[_Waiting], bool]":
        """Wait for a mail, then take those that have come meanwhile."""
        batch: list[_Waiting] = []
        size = 0
        while len(batch) < MAX_MAILS and size < MAX_BYTES:
            try:
                waiting = self._queue.get(block=not batch)
            except queue.Empty:
                break
            if waiting is None:
                return batch, True
            batch.append(waiting)
            size += len(waiting.arrival.raw)
        return batch, False

    def _settle(self, batch: "Sequence[_Waiting]") -> None:
        try:
            self._commit(batch)
        except Exception as error:  # noqa: BLE001 - it is handed to those who wait
            if len(batch) > 1:  # one mail must not cost the others theirs
                for waiting in batch:
                    self._settle([waiting])
                return
            batch[0].done.set_exception(error)
            return
        for waiting in batch:
            waiting.done.set_result(None)
        self._on_mail()

    def _commit(self, batch: "Sequence[_Waiting]") -> None:
        with self._store.group() as group:
            # The time is taken when it is our turn to write: whoever calls a deadline after
            # this sees every mail that came before it.
            now = self._clock()
            rows = [row_of(now, waiting.arrival) for waiting in batch]
            group.connection.execute(INSERT, rows)


class _Waiting:
    """A mail and the future its sender waits for."""

    def __init__(self, arrival: Arrival) -> None:
        self.arrival = arrival
        self.done: Future[None] = Future()
        # Running: nobody can cancel it any more; the mail is stored even if its sender left.
        self.done.set_running_or_notify_cancel()
