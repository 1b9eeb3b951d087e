"""The real server, as an operator runs it: a process of its own on an instance folder."""

from __future__ import annotations

import os
import re
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.store import Store

ROOT = Path(__file__).parents[2]
DOMAIN = "ark.example"
SERVER_ADDRESS = f"ark@{DOMAIN}"
LONGEST = 300.0
"""Seconds until something must have happened: much more than it takes, as other tests run
beside this one, and on slow machines too."""
IN_PROCESS = {"ARK_MAIL__READERS": "0", "ARK_POST__PER_DOMAIN_PER_MINUTE": "0"}
"""Mails are read by the server itself: starting readers takes their time, every time.  All
players share one domain, and play faster than its pace would let their letters go."""
T = TypeVar("T")

ADDRESS_LINES = {
    "Web": re.compile(r"^Web: http://127\.0\.0\.1:(\d+)$", re.MULTILINE),
    "SMTP": re.compile(r"^SMTP: 127\.0\.0\.1:(\d+)$", re.MULTILINE),
}


class Process(Protocol):
    """What is needed of `subprocess.Popen`."""

    pid: int

    @property
    def returncode(self) -> int | None: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float) -> int: ...
    def send_signal(self, signal: int, /) -> None: ...
    def kill(self) -> None: ...


class Server:
    """An instance folder with its settings, and the processes that work on it.

    Ports are 0 (any free one) unless said otherwise; where the server really listens is
    read from what it prints.  `variables` are added to its environment."""

    def __init__(
        self,
        folder: Path,
        relay_port: int | None = None,
        *,
        web_port: int = 0,
        smtp_port: int = 0,
        variables: dict[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.web_port, self.smtp_port = web_port, smtp_port
        self.process: Process | None = None
        self.variables = dict(variables or {})
        self._output = folder.with_name(folder.name + ".out")
        self._errors = folder.with_name(folder.name + ".err")
        self._store: Store | None = None
        if relay_port is not None:
            self.write_settings(relay_port)

    def write_settings(self, relay_port: int, more: str = "") -> None:
        """`settings.toml` for letters that go to a relay on this port."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "settings.toml").write_text(
            f"[web]\nport = {self.web_port}\n"
            f'[mail]\nport = {self.smtp_port}\ndomain = "{DOMAIN}"\n'
            f'[post]\ntransport = "smtp"\nport = {relay_port}\n{more}',
            encoding="utf-8",
        )

    # -- processes

    def environment(self) -> dict[str, str]:
        """Of every process: this instance, and no setting of the machine's own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ARK_")}
        ours = {"ARK_INSTANCE": str(self.folder), "PYTHONFAULTHANDLER": "1"}
        return {**kept, **ours, **IN_PROCESS, **self.variables}

    def start(self, *arguments: str) -> None:
        """Start the server and wait until it has printed where it listens."""
        self.launch(*arguments)
        wait_until(self._listening, "the server to listen")

    def launch(self, *arguments: str) -> None:
        """Start the server, and do not wait for it."""
        assert self.process is None, "the server is running"
        self._output.write_bytes(b"")
        self.process = self.spawn(arguments, self._output, self._errors)

    def spawn(self, arguments: tuple[str, ...], output: Path, errors: Path) -> Process:
        """A process that serves; `errors` of earlier ones are kept."""
        with output.open("wb") as out, errors.open("ab") as err:
            return subprocess.Popen(
                [sys.executable, "-m", "pbem", "run", *arguments],
                cwd=ROOT, env=self.environment(), stdout=out, stderr=err,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip

    def _listening(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            code, self.process = self.process.returncode, None
            raise AssertionError(f"the server ended with {code}: {self.errors()}")
        output = self.output()
        found = {name: pattern.search(output) for name, pattern in ADDRESS_LINES.items()}
        if found["Web"] is None or found["SMTP"] is None:
            return False
        self.web_port, self.smtp_port = int(found["Web"][1]), int(found["SMTP"][1])
        return True

    def stop(self, seconds: float = LONGEST) -> int:
        """Ctrl-C; returns the exit status.  One that does not end says where it hangs."""
        assert self.process is not None
        process, self.process = self.process, None
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)  # Python's fault handler: every thread's stack
            process.wait(seconds)
            raise AssertionError(f"the server does not end: {self.errors()}") from None

    def kill(self) -> None:
        """`kill -9`: nothing of the process gets another chance to do anything."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(LONGEST)
            self.process = None

    def command(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        """`python -m pbem …` on this instance, in a process of its own, to its end."""
        return subprocess.run(
            [sys.executable, "-m", "pbem", *arguments],
            cwd=ROOT, env=self.environment(), capture_output=True, timeout=LONGEST, **options,
        )  # fmt: skip

    def call(self, *arguments: str, input: bytes | None = None) -> Result:
        """The same command in this process: a second of imports sooner."""
        strange = {name: None for name in os.environ if name.startswith("ARK_")}
        ours = {"ARK_INSTANCE": str(self.folder), **IN_PROCESS, **self.variables}
        return CliRunner().invoke(main, arguments, input=input, env={**strange, **ours})

    def printed(self, *arguments: str) -> str:
        """What a command that succeeds prints."""
        done = self.call(*arguments)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    def output(self) -> str:
        """What the server of the last start has printed so far."""
        return self._output.read_text("utf-8") if self._output.exists() else ""

    def errors(self) -> str:
        """What all starts wrote to standard error."""
        return self._errors.read_text("utf-8") if self._errors.exists() else ""

    def close(self) -> None:
        """End whatever still runs."""
        self.kill()
        if self._store is not None:
            self._store.close()
            self._store = None

    # -- its doors

    @property
    def web(self) -> str:
        return f"http://127.0.0.1:{self.web_port}"

    @property
    def store(self) -> Store:
        """The database, for looking only: it is the server that writes."""
        if self._store is None:
            sqlite = f"sqlite:///{self.folder / 'ark.sqlite'}"
            self._store = Store(self.variables.get("ARK_DATABASE", sqlite))
        return self._store

    def send(self, raw: bytes, sender: str, recipients: str | Sequence[str]) -> None:
        """Hand a mail to the server by SMTP; back when it has said 250."""
        names = [recipients] if isinstance(recipients, str) else list(recipients)
        with smtplib.SMTP("127.0.0.1", self.smtp_port, timeout=LONGEST) as smtp:
            smtp.sendmail(sender, names, raw)


@contextmanager
def server_at(
    folder: Path,
    relay_port: int | None = None,
    *,
    quiet: bool = True,
    kind: type[Server] = Server,
    **options: Any,
) -> Iterator[Server]:
    """A server that is not left running, and (if `quiet`) has nothing to be ashamed of in
    its log."""
    server = kind(folder, relay_port, **options)
    try:
        yield server
    finally:
        server.close()
    assert not quiet or "Traceback" not in server.errors(), server.errors()[-4000:]


def wait_until(condition: Callable[[], T | None], what: str, seconds: float = LONGEST) -> T:
    """Look again and again until there is something true; `AssertionError` names `what`."""
    end, pause = time.monotonic() + seconds, 0.005
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s for {what}")
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    return found
