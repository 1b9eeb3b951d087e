"""A PostgreSQL of its own: cluster and log in one folder, on a loopback port.

with postgresql_at_work() as server:
    url = server.database()
"""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

from pbem.store import Store, migrate
from tests.needs import need, program
from tests.ports import free_port
from tests.services.folder import START_SECONDS, service_folder, wait_for

OWNER = "postgres"  # the Unix user it runs as: it refuses to be root
SETTINGS = {
    # Power cuts are not tested; a process that is killed loses nothing by this.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_buffers": "32MB",
    "max_connections": "100",
    "jit": "off",
    "autovacuum": "off",
    "deadlock_timeout": "200ms",
    "log_line_prefix": "%m [%p] %d ",
    # The server's own zone must not matter.
    "timezone": "Asia/Taipei",
}
EMPTY = "empty"


class Postgresql:
    """`port` serves it on loopback; anybody may do anything."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0

    def url(self, database: str) -> str:
        return f"postgresql://ark:secret-password@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """The URL of a new database, migrated and empty."""
        self._made += 1
        name = f"test_{self._made}"
        self.do(f"CREATE DATABASE {name} TEMPLATE {EMPTY}")
        return self.url(name)

    def bare(self) -> str:
        """The URL of a new database without any table."""
        self._made += 1
        self.do(f"CREATE DATABASE test_{self._made}")
        return self.url(f"test_{self._made}")

    def drop(self, url: str) -> None:
        self.do(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def do(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())

    def log(self) -> str:
        file = self.folder / "postgresql.log"
        return file.read_text("utf-8", "replace") if file.exists() else ""

    def start(self) -> None:
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        if os.geteuid() == 0:
            shutil.chown(data, OWNER, OWNER)
        ran = subprocess.run(
            _as_owner(
                program("initdb"), "--pgdata", str(data), "--username", "ark", "--auth", "trust",
                "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync", "--no-instructions",
            ),
            cwd=self.folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        options = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "postgresql.log").open("ab") as log:
            self._process = subprocess.Popen(
                _as_owner(program("postgres"), "-D", str(data), "-p", str(self.port), *options),
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        wait_for(self._answers, "PostgreSQL to answer")
        self.do(f"CREATE DATABASE {EMPTY}")
        store = Store(self.url(EMPTY))
        migrate.upgrade(store)
        store.close()

    def stop(self) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGINT)  # its clients are not waited for
            self._process.wait(START_SECONDS)
            self._process = None

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log()
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", self.port)):
                return False
        return "ready to accept connections" in self.log()


@contextmanager
def postgresql_at_work() -> Iterator[Postgresql]:
    program("initdb")
    need(os.geteuid() != 0 or shutil.which("runuser"), "runuser is not installed")
    with service_folder("postgresql") as folder:
        server = Postgresql(folder, free_port())
        try:
            server.start()
            yield server
        finally:
            server.stop()


def _as_owner(*command: str) -> Sequence[str]:
    return ("runuser", "-u", OWNER, "--", *command) if os.geteuid() == 0 else command
