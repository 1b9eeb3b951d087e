"""A Dovecot of its own: configuration, mail and log in one folder, on a loopback port.

with dovecot_at_work() as imap:
    imap.deliver(raw)
"""

import base64
import hashlib
import hmac
import imaplib
import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.needs import need, program
from tests.ports import free_port
from tests.services.folder import START_SECONDS, service_folder, wait_for

PASSWORD = "secret-password"
OWNER = "mail"  # the Unix user whose mail it is

CONFIGURATION = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap
mailbox_idle_check_interval = 1s
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login {mechanisms}
auth_failure_delay = 0
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
default_vsz_limit = 1G
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:{folder}/mail/%u
mail_privileged_group =
passdb {{
  driver = static
  args = password={password}
  mechanisms = plain login
}}
{passdb}
userdb {{
  driver = static
  args = uid={owner} gid={owner} home={folder}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
{more}
"""
OAUTH = """\
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
"""
SECRET = b"a secret that signs the tokens of this test"


class Dovecot:
    """`port` serves IMAP on loopback.  Any user may log in with `PASSWORD`, and has a
    mailbox of his own; what the methods do is done as `user`."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.user = "ark"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def maildir(self) -> Path:
        return self.folder / "mail" / self.user

    def start(self) -> None:
        """Start it, unless it runs."""
        if self._process is not None:
            return
        with (self.folder / "start.log").open("ab") as errors:
            self._process = subprocess.Popen(
                [program("dovecot"), "-F", "-c", str(self.folder / "dovecot.conf")],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                start_new_session=True,
            )  # fmt: skip
        wait_for(self._listens, "Dovecot to listen")

    def stop(self) -> None:
        """Ends its connections too."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(START_SECONDS)
            with suppress(ProcessLookupError):  # its children may take ten seconds to notice
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process = None

    def log(self) -> str:
        files = (self.folder / "dovecot.log", self.folder / "start.log")
        return "".join(file.read_text("utf-8", "replace") for file in files if file.exists())

    @contextmanager
    def client(self, folder: str = "INBOX") -> Iterator[imaplib.IMAP4]:
        """Somebody else's connection to the mailbox."""
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=START_SECONDS) as client:
            client.login(self.user, PASSWORD)
            client.select(folder)
            yield client

    def deliver(self, *mails: bytes) -> None:
        """Put mails into the mailbox, as a mail server does."""
        with self.client() as client:
            for raw in mails:
                status, answer = client.append("INBOX", "", "", raw)
                assert status == "OK", answer

    def flags(self, folder: str = "INBOX") -> list[str]:
        """The flags of every mail there, oldest first."""
        with self.client(folder) as client:
            _, answer = client.fetch("1:*", "(FLAGS)")
        return [one.decode().partition("FLAGS ")[2].strip("()") for one in answer if one]

    def _listens(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log()
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def dovecot_at_work(more: str = "", oauth: bool = False) -> Iterator[Dovecot]:
    """A Dovecot; `more` is added to its configuration, with `oauth` it takes `token()`."""
    program("dovecot")
    need(os.geteuid() == 0, "only root can start Dovecot")
    with service_folder("dovecot") as folder:
        server = Dovecot(folder, free_port())
        text = CONFIGURATION.format(
            folder=folder, owner=OWNER, port=server.port, password=PASSWORD, more=more,
            mechanisms="xoauth2 oauthbearer" if oauth else "",
            passdb=OAUTH.format(folder=folder) if oauth else "",
        )  # fmt: skip
        (folder / "dovecot.conf").write_text(text, "utf-8")
        for name in ("state", "mail"):
            (folder / name).mkdir()
        shutil.chown(folder / "mail", OWNER, OWNER)
        if oauth:
            _write_oauth(folder)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def token(user: str = "ark") -> str:
    """A JSON Web Token (RFC 7519) that names a user, signed as the configuration says."""

    def part(data: bytes) -> bytes:
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    head = part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    body = part(json.dumps({"sub": user, "iat": 1, "exp": 9_999_999_999}).encode())
    signed = head + b"." + body
    return (signed + b"." + part(hmac.digest(SECRET, signed, hashlib.sha256))).decode()


def _write_oauth(folder: Path) -> None:
    keys = folder / "keys" / "default" / "HS256"
    keys.mkdir(parents=True)
    (keys / "default").write_bytes(base64.b64encode(SECRET))
    (folder / "oauth2.conf").write_text(
        "introspection_mode = local\n"
        f"local_validation_key_dict = fs:posix:prefix={folder}/keys/\n"
        "username_attribute = sub\n",
        "utf-8",
    )
