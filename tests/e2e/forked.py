"""A server that is started without the two seconds of imports: for tests that start it often.

A process that has done the imports, and nothing else, is forked for every start; what runs is
the command's own code, and a kill ends it as it ends any other process."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
from pathlib import Path

from pbem.cli import main
from tests.e2e.server import ROOT, Server

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["pbem.cli.run", __name__])


class ForkedServer(Server):
    """As `Server`, but for how its process comes to be."""

    def spawn(self, arguments: tuple[str, ...], output: Path, errors: Path) -> Forked:
        return Forked(arguments, self.environment(), output, errors)


class Forked:
    """The process, with as much of `Popen`'s face as is needed."""

    def __init__(
        self, arguments: tuple[str, ...], environment: dict[str, str], output: Path, errors: Path
    ) -> None:
        names = str(output), str(errors)
        self._process = _forks.Process(target=_serve, args=(arguments, environment, *names))
        self._process.start()

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
        assert self._process.pid is not None
        os.kill(self._process.pid, signal)

    def kill(self) -> None:
        self._process.kill()


def _serve(
    arguments: tuple[str, ...], environment: dict[str, str], output: str, errors: str
) -> None:
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    for name, mode, descriptor in ((output, "wb", 1), (errors, "ab", 2)):
        with open(name, mode) as file:
            os.dup2(file.fileno(), descriptor)
    main(["run", *arguments])
