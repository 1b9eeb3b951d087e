"""How fast letters go out, against bare smtplib that sends the same bytes.

    python -m bench.delivery [--letters N]

Both speak over one connection to a sink in a process of its own.  ``delivered``: from rows
of the outbox that say what they say already to the state sent, committed and synced;
``rendered``: from rows that are to be rendered first.  Medians of five runs, letters a
second; the floor is measured before every run.
"""

import argparse
import multiprocessing
import smtplib
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
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


def bare(port: int, mails: list[tuple[str, bytes]]) -> float:
    started = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port) as client:
        for to, raw in mails:
            client.sendmail(f"b-1-x@{DOMAIN}", [to], raw)
    return len(mails) / (time.perf_counter() - started)


def ours(ark: Installation, count: int) -> float:
    started = time.perf_counter()
    sent = deliver_due(ark, limit=count)
    assert sent == count, (sent, count)
    return count / (time.perf_counter() - started)


def measure(count: int) -> dict[str, tuple[float, float]]:
    """(letters a second, per cent of the floor of the same run) by name."""
    found: dict[str, list[tuple[float, float]]] = {"delivered": [], "rendered": []}
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
                floor = bare(port, mails)
                rate = ours(ark, count)
                runs.append((rate, 100 * rate / floor))
    return {
        name: (statistics.median(r for r, _ in runs), statistics.median(p for _, p in runs))
        for name, runs in found.items()
    }


def main() -> None:
    options = argparse.ArgumentParser(description="Letters delivered to a local sink.")
    options.add_argument("--letters", type=int, default=200)
    for name, (rate, share) in measure(options.parse_args().letters).items():
        note = f"  (target {TARGET} %)" if name == "delivered" else ""
        print(f"{name:<10} {rate:6.0f} a second, {share:4.0f} % of bare smtplib{note}")


if __name__ == "__main__":
    main()
