"""Two machines play a game by mail to its end, and die in between: a server and a worker,
each a process of its own on an instance folder of its own, with one database."""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from pbem.post.delivery import LOTS, TOGETHER
from pbem.store import Event, Letter, Mail
from tests.e2e.forked import Forked, ForkedServer
from tests.e2e.kills import assert_log_holds
from tests.e2e.server import LONGEST, Server, server_at, wait_until
from tests.e2e.sink import Sink, sink_at_work
from tests.e2e.table import ANN, Table

KILLS = 2  # of one machine, and of the other
SILENT_SECONDS = 2  # short, and long enough for a machine that is busy with other tests


class Worker:
    """`python -m pbem worker` on a machine of its own."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.folder = server.folder.with_name("second machine")
        self.process: Forked | None = None

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        for name in ("key", "settings.toml"):
            shutil.copy(self._server.folder / name, self.folder / name)
        environment = {**self._server.environment(), "ARK_INSTANCE": str(self.folder)}
        files = self.folder / "out", self.folder / "err"
        files[0].write_bytes(b"")
        self.process = Forked(("worker",), environment, *files)
        wait_until(lambda: "At work." in files[0].read_text("utf-8"), "the worker to begin")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(LONGEST)
            self.process = None

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(2)
        status, self.process = self.process.wait(LONGEST), None
        return status


@pytest.fixture
def sink() -> Iterator[Sink]:
    with sink_at_work() as sink:
        yield sink


@pytest.fixture
def server(tmp_path: Path, sink: Sink, database: str) -> Iterator[Server]:
    variables = {"ARK_DATABASE": database, "ARK_WORKERS__SILENT_SECONDS": str(SILENT_SECONDS)}
    folder = tmp_path / "instance"
    # Not quiet: a machine that is very busy may be taken to be dead, and then finds, in its log,
    # that its job is another's.  What the jobs themselves come to is looked at below.
    with server_at(
        folder, sink.port, quiet=False, kind=ForkedServer, variables=variables
    ) as server:
        yield server


@pytest.fixture
def worker(server: Server) -> Iterator[Worker]:
    worker = Worker(server)
    yield worker
    worker.kill()


def test_a_game_by_mail_on_two_machines_that_die(
    server: Server, sink: Sink, worker: Worker
) -> None:
    seats = ("--seat", ANN.written, "--seat", "bot:greedy", "--seat", "bot:random")
    server.start()
    printed = server.printed("new-game", "--name", "Stormy", "--seed", "storm", "--start", *seats)
    table = Table(server, sink, int(printed.splitlines()[-1]), (ANN,), "machines")
    worker.start()
    turns = kills = 0
    while table.ready().status != "over":
        turns += 1
        if turns % 3 == 0 and kills < KILLS:
            kills += 1
            dying = (worker, server)[kills % 2]
            dying.kill()  # in the middle of what the turn before has set off
            dying.start()
        table.play_turn()
    assert kills == KILLS
    assert_log_holds(table)
    wait_until(table.outbox_empty, "the last letters to be delivered")
    _assert_nothing_lost(table, turns)
    _assert_delivered(table)
    _assert_nothing_hangs(server)
    assert (worker.stop(), server.stop()) == (0, 0)


def _assert_nothing_lost(table: Table, turns: int) -> None:
    """Every turn of hers is in the log once, and every mail was dealt with."""
    with table.server.store.read() as session:
        hers = session.exec(
            select(Event.mail_id).where(Event.kind == "turn", col(Event.mail_id).is_not(None))
        ).all()
        states = Counter(session.exec(select(Mail.state)))
    assert len(hers) == len(set(hers)) == turns
    assert states == {"done": turns}


def _assert_delivered(table: Table) -> None:
    """Every letter came; twice only what was under way when a machine died, and then under one
    Message-ID."""
    came = Counter(one.message_id for one in table.sink.all())
    with table.server.store.read() as session:
        letters = session.exec(select(Letter)).all()
    assert {one.state for one in letters} <= {"sent", "replaced"}
    assert {one.message_id for one in letters if one.state == "sent"} <= set(came)
    assert set(came) <= {one.message_id for one in letters}
    assert sum(came.values()) - len(came) <= KILLS * LOTS * TOGETHER
    answered = Counter(one.in_reply_to for one in table.sink.all() if one.in_reply_to)
    assert all(answered[message_id] >= 1 for message_id in table.mails)


def _assert_nothing_hangs(server: Server) -> None:
    """The jobs of the dead were done by the living, and none has failed."""
    jobs = text("SELECT status, count(*) FROM procrastinate_jobs GROUP BY status")

    def found() -> dict[str, int] | None:
        with server.store.read() as session:
            rows = session.connection().execute(jobs).all()
        states = {state: count for state, count in rows}  # noqa: C416 - rows are no tuples
        return states if states.get("doing", 0) <= 2 else None

    assert wait_until(found, "the jobs of the dead to be done").get("failed", 0) == 0
