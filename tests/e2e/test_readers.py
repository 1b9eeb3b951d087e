"""The server as it is by default: mails are read in processes of their own, which come with
the first mail and go with the server, however it ends."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.server import server_at, wait_until
from tests.e2e.sink import Sink
from tests.e2e.table import ANN, BO, CY, Table
from tests.needs import need


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    need(listed.exists(), "this kernel does not list children")
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread may just have ended
            found += map(int, task.read_text().split())
    return found


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_readers_come_with_the_first_mail_and_go_with_the_server(
    tmp_path: Path, sink: Sink, end: str
) -> None:
    variables = {"ARK_MAIL__READERS": "1"}
    with server_at(tmp_path / "instance", sink.port, variables=variables) as server:
        players = (ANN, BO, CY)
        seats = [word for one in players for word in ("--seat", one.written)]
        number = int(server.printed("new-game", "--name", "Readers", *seats, "--start"))
        server.start()
        process = getattr(server.process, "pid", None)
        assert process is not None
        assert children(process) == []
        table = Table(server, sink, number, players, "readers")
        table.play_turn()
        readers = children(process)
        assert len(readers) >= 1
        if end == "stop":
            assert server.stop() == 0
        else:
            server.kill()
        wait_until(lambda: not any(map(is_alive, readers)), "the readers to end")
