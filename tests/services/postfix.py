"""A Postfix of its own: configuration, queue and log in one folder, on a loopback port.

with postfix_at_work({"ark.example": "lmtp:unix:/run/ark.sock"}) as mta:
    mta.send(raw, "ann@example.org", "ark@ark.example")
"""

import json
import os
import shutil
import smtplib
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.needs import need, program
from tests.ports import free_port
from tests.services.folder import START_SECONDS, service_folder, wait_for

# What a queue does after a failure, in seconds instead of minutes.
MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file_prefixes = {folder}
maillog_file = {folder}/mail.log
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mta.example
mydestination =
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
lmtp_dns_support_level = disabled
smtp_host_lookup = native
lmtp_host_lookup = native
alias_maps =
alias_database =
local_recipient_maps =
relay_domains = {domains}
transport_maps = inline:{{ {transports} }}
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
"""

MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """`port` takes mail by SMTP from loopback; `folder` is everybody's to look into."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self._environment = {"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "LC_ALL": "C"}

    def send(self, raw: bytes, sender: str, *recipients: str) -> None:
        """Hand it a mail; back when it is in its queue."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=START_SECONDS) as smtp:
            smtp.sendmail(sender, recipients, raw)

    def queue(self) -> list[dict[str, Any]]:
        """The mails it still has, as `postqueue -j` shows them."""
        shown = self.run("postqueue", "-j").stdout
        return [json.loads(line) for line in shown.splitlines()]

    def try_again(self) -> None:
        """Try all mails in the queue now.  One that a run of the queue finds in the moment in
        which its last attempt ends is put off for minutes, whatever the settings say."""
        self.run("postqueue", "-f")

    def log(self) -> str:
        path = self.folder / "mail.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One of Postfix's commands on this configuration."""
        done = subprocess.run(
            [program(command), "-c", str(self.folder / "etc"), *arguments],
            env=self._environment, capture_output=True, text=True, timeout=START_SECONDS,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + self.log()
        return done

    def listens(self) -> bool:
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def postfix_at_work(
    transports: Mapping[str, str],
    *,
    main: Mapping[str, str] | None = None,
    services: Sequence[str] = (),
) -> Iterator[Postfix]:
    """A Postfix that hands each domain's mail to a transport; `main` is added to main.cf,
    `services` to master.cf.  ``{folder}`` in any of them is its folder."""
    program("postfix")
    need(os.geteuid() == 0, "only root can start Postfix")
    with service_folder("postfix") as folder:
        mta = Postfix(folder, free_port())
        _configure(mta, transports, main or {}, services)
        mta.run("postfix", "start")
        try:
            wait_for(mta.listens, "Postfix to listen")
            yield mta
        finally:
            mta.run("postfix", "stop")


def _configure(
    mta: Postfix, transports: Mapping[str, str], main: Mapping[str, str], services: Sequence[str]
) -> None:
    folder = mta.folder
    for name in ("etc", "queue", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix", "postfix")
    lines = MAIN.format(
        folder=folder,
        domains=" ".join(transports),
        transports=", ".join(f"{{ {domain} = {to} }}" for domain, to in transports.items()),
    ).replace("{folder}", str(folder))
    lines += "".join(f"{name} = {value}\n" for name, value in main.items())
    (folder / "etc" / "main.cf").write_text(lines, "utf-8")
    master = MASTER.format(port=mta.port)
    master += "".join(f"{service}\n" for service in services).replace("{folder}", str(folder))
    (folder / "etc" / "master.cf").write_text(master, "utf-8")
