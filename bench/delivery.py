"""How fast letters go out, against bare smtplib that sends the same bytes.

    python -m bench.delivery [--letters N]

Both speak over one connection to a sink in a process of its own.  ``delivered``: from rows
of the outbox that say what they say already to the state sent, committed and synced;
``rendered``: from rows that are to be rendered first.  Medians of five runs, letters a
second; the floor is measured before every run.  Beside the rates stand the milliseconds of
processor time a letter, ours and the floor's, which a busy machine changes less.
"""

import argparse
import multiprocessing
import smtplib
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from sqlmodel import Session, col, delete, func, select

from bench.instance import DOMAIN, installation
from pbem.installation import Installation
from pbem.letters.stage import Stage
from pbem.post.content import content_of, keep, mime_of
from pbem.post.delivery import deliver_due
from pbem.store import Letter

RUNS = 5
TURNS = 12  # of each table
TARGET = 60  # per cent of the floor


class _Sink:
    async def handle_DATA(self, _server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802
        return "250 taken"


def _serve(port: int, ready: Any, done: Any) -> None:
    controller = Controller(_Sink(), hostname="127.0.0.1", port=port)
    controller.start()
    ready.set()
    done.wait()
    controller.stop()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def sink() -> Iterator[int]:
    """A mail server that throws everything away."""
    context = multiprocessing.get_context("spawn")
    ready, done, port = context.Event(), context.Event(), _free_port()
    process = context.Process(target=_serve, args=(port, ready, done))
    process.start()
    ready.wait()
    try:
        yield port
    finally:
        done.set()
        process.join()


@contextmanager
def outbox(folder: Path, port: int, count: int) -> Iterator[Installation]:
    """An installation with `count` letters of tables under way, none of them sent."""
    post = {"port": port, "per_domain_per_minute": 0, "per_connection": 100_000}
    with installation(folder, post=post) as ark:
        number, rows = 0, 0
        while rows < count:
            with ark.store.work() as session:
                rows, number = _play(session, ark, number), number + 1
        with ark.store.work() as session:
            for letter in session.exec(select(Letter).order_by(col(Letter.id)).offset(count)):
                session.delete(letter)
        yield ark


def _play(session: Session, ark: Installation, number: int) -> int:
    """Some turns of one more table; how many letters there are then."""
    stage = Stage(session, ark.site, 4, f"bench-{number}", name=f"Table {number}").begin()
    stage.until(lambda position: position.turn >= TURNS)
    session.exec(delete(Letter).where(col(Letter.state) == "replaced"))
    return session.exec(select(func.count()).select_from(Letter)).one()


def unsend(session: Session, ark: Installation, *, rendered: bool) -> None:
    """All letters are to go (again): with or without what they say in their rows."""
    for letter in session.exec(select(Letter)):
        letter.state, letter.sent_at, letter.next_at = "queued", None, ark.clock()
        if rendered:
            keep(ark.site, letter, content_of(session, ark.site, letter))
        else:
            letter.subject = letter.text = letter.html = None
        session.add(letter)


@dataclass(frozen=True)
class Run:
    """Letters a second, and milliseconds of this process's processor time for each."""

    rate: float
    cost: float


def timed(work: Callable[[], object], count: int) -> Run:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    return Run(count / wall, 1000 * processor / count)


def bare(port: int, mails: list[tuple[str, bytes]]) -> None:
    with smtplib.SMTP("127.0.0.1", port) as client:
        for to, raw in mails:
            client.sendmail(f"b-1-x@{DOMAIN}", [to], raw)


def ours(ark: Installation, count: int) -> None:
    sent = deliver_due(ark, limit=count)
    assert sent == count, (sent, count)


def measure(count: int) -> dict[str, list[tuple[Run, Run]]]:
    """Ours and the floor of the same run, by name."""
    found: dict[str, list[tuple[Run, Run]]] = {"delivered": [], "rendered": []}
    with (
        tempfile.TemporaryDirectory() as folder,
        sink() as port,
        outbox(Path(folder) / "instance", port, count) as ark,
    ):
        with ark.store.work() as session:
            rows = session.exec(select(Letter).order_by(col(Letter.id))).all()
            mails = [(row.to_address, mime_of(session, ark.site, row)) for row in rows]
        size = sum(len(raw) for _, raw in mails) // len(mails)
        print(f"{len(mails)} letters of {size // 1000} kB")
        for _ in range(RUNS):
            for name, runs in found.items():
                with ark.store.work() as session:
                    unsend(session, ark, rendered=name == "delivered")
                floor = timed(lambda: bare(port, mails), count)
                runs.append((timed(lambda: ours(ark, count), count), floor))
    return found


def main() -> None:
    options = argparse.ArgumentParser(description="Letters delivered to a local sink.")
    options.add_argument("--letters", type=int, default=200)
    for name, runs in measure(options.parse_args().letters).items():
        rate = statistics.median(own.rate for own, _ in runs)
        share = statistics.median(100 * own.rate / floor.rate for own, floor in runs)
        cost, least = (
            statistics.median(run.cost for run in one) for one in zip(*runs, strict=True)
        )
        note = f"  (target {TARGET} %)" if name == "delivered" else ""
        print(f"{name:<10} {rate:6.0f} a second, {share:4.0f} % of bare smtplib{note}")
        print(f"{'':<10} {cost:6.1f} ms of the processor a letter, bare smtplib {least:.1f} ms")


if __name__ == "__main__":
    main()
