"""The server, and the commands beside it, without the two seconds of imports.

What runs is the command's own code in a process of its own, and a kill ends it as it ends any
other process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pbem.cli import main
from tests.e2e.server import LONGEST, ROOT, Server
from tests.forks import forks


class ForkedServer(Server):
    """As `Server`, but for how its processes come to be."""

    def spawn(self, arguments: tuple[str, ...], output: Path, errors: Path) -> Forked:
        return Forked(("run", *arguments), self.environment(), output, errors)

    def command(
        self, *arguments: str, input: bytes = b"", **_options: Any
    ) -> subprocess.CompletedProcess[bytes]:
        with tempfile.TemporaryDirectory() as folder:
            given, output, errors = (Path(folder, name) for name in ("in", "out", "err"))
            given.write_bytes(input)
            process = Forked(arguments, self.environment(), output, errors, given)
            status = process.wait(LONGEST)
            said = output.read_bytes(), errors.read_bytes()
        return subprocess.CompletedProcess(arguments, status, *said)


class Forked:
    """The process of a command, with as much of `Popen`'s face as is needed."""

    def __init__(
        self, arguments: tuple[str, ...], environment: dict[str, str], output: Path, errors: Path,
        given: Path = Path(os.devnull),
    ) -> None:  # fmt: skip
        names = str(given), str(output), str(errors)
        self._process = forks.Process(target=_do, args=(arguments, environment, *names))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("run", timeout)
        return self._process.exitcode

    def send_signal(self, signal: int) -> None:
        os.kill(self.pid, signal)

    def kill(self) -> None:
        self._process.kill()


def _do(
    arguments: tuple[str, ...], environment: dict[str, str], given: str, output: str, errors: str
) -> None:
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    for name, mode, descriptor in ((given, "rb", 0), (output, "wb", 1), (errors, "ab", 2)):
        with open(name, mode) as file:
            os.dup2(file.fileno(), descriptor)
    sys.stdin = os.fdopen(0, closefd=False)  # multiprocessing has taken it away
    main(arguments)
