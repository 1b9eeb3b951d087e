"""One connection to the mailbox, from login to goodbye.

Nothing but what was taken is ever changed there: reading is by BODY.PEEK (which leaves
mail unread), and no EXPUNGE is sent that would remove what others have marked.
"""

import imaplib
import os
import re
import select
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Self

from imap_tools import BaseMailBox, ImapToolsError
from imap_tools.utils import encode_folder

from pbem.intake.imap.login import TokenError, log_in
from pbem.settings import Imap, Settings

MAX_HEADER = 262_144  # bytes of a header block that are fetched
_UID = re.compile(rb"\bUID (\d+)")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)")


class ImapTrouble(Exception):
    """The mailbox cannot be used now; the text is one line for the operator."""


@dataclass(frozen=True)
class FoundMail:
    """A mail in the mailbox, as far as its header."""

    uid: int
    size: int  # bytes of the whole mail
    header: bytes


class Connection:
    """A logged-in connection with the folder selected.  Every method raises `ImapTrouble`
    when the server is gone, hangs or refuses."""

    def __init__(self, settings: Settings, readonly: bool = False) -> None:
        self._imap = settings.imap
        self._mailbox: _MailBox | None = None
        with _troubled(f"{self._imap.host}:{self._imap.real_port}"):
            try:
                self._mailbox = _MailBox(self._imap)
                log_in(self._mailbox, settings)
                # Many servers tell all they can only after the login.
                _, answer = self._mailbox.client.capability()
                self.capabilities = frozenset(answer[-1].decode("ascii").upper().split())
                if self._imap.taken == "move" and not readonly:
                    self._make_folder(self._imap.move_to)
                self._mailbox.folder.set(self._imap.folder, readonly)
                _, validity = self._mailbox.client.response("UIDVALIDITY")
                self.uid_validity = int(validity[0])
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def tells(self) -> bool:
        """Whether the server tells of new mail by itself (RFC 2177)."""
        return "IDLE" in self.capabilities

    def uids_after(self, last: int) -> list[int]:
        """The mails with a greater UID, ascending."""
        with _troubled("looking for mail"):
            found = self._box.uids(f"UID {last + 1}:*", charset=None)
        # "N:*" names the newest mail even when its UID is less than N.
        return sorted(uid for uid in map(int, found) if uid > last)

    def headers(self, uids: Sequence[int]) -> Iterator[FoundMail]:
        """Size and header of these mails; one that has gone meanwhile is missing."""
        items = f"(UID RFC822.SIZE BODY.PEEK[HEADER]<0.{MAX_HEADER}>)"
        with _troubled("reading headers"):
            parts = self._fetch(",".join(map(str, uids)), items)
        for about, header in parts:
            uid, size = _UID.search(about), _SIZE.search(about)
            if uid and size:
                yield FoundMail(int(uid[1]), int(size[1]), header)

    def raw(self, uid: int) -> bytes | None:
        """A whole mail as it came; None when it has gone meanwhile."""
        with _troubled("reading a mail"):
            parts = self._fetch(str(uid), "(UID BODY.PEEK[])")
        return next((content for about, content in parts if _UID.search(about)), None)

    def settle(self, uids: Sequence[int]) -> None:
        """Do with mails that were taken what the settings say.  Those that are not there
        (any more) do not matter."""
        if not uids:
            return
        numbers = ",".join(map(str, uids))
        with _troubled("settling mails that were taken"):
            if self._imap.taken == "flag":
                self._command("STORE", numbers, "+FLAGS.SILENT", r"(\Seen)")
            elif self._imap.taken == "delete":
                self._delete(numbers)
            elif "MOVE" in self.capabilities:
                self._command("MOVE", numbers, _quoted(self._imap.move_to))
            else:
                self._command("COPY", numbers, _quoted(self._imap.move_to))
                self._delete(numbers)

    def wait(self, seconds: float) -> bool:
        """Come back when there is news in the mailbox (True), or after so many seconds."""
        with _troubled("waiting for mail"):
            idle: Any = self._box.idle  # which has no types
            idle.start()
            poller = select.poll()
            poller.register(self._box.client.sock.fileno(), select.POLLIN)
            news = bool(poller.poll(seconds * 1000))
            idle.stop()
        return news

    def hang_up(self) -> None:
        """End it at once, from another thread: whoever waits in it gets `ImapTrouble`."""
        mailbox = self._mailbox
        if mailbox is None:
            return
        with suppress(OSError):  # it may be closing by itself just now
            number = os.dup(mailbox.client.sock.fileno())
            with socket.socket(fileno=number) as same:  # shut down beneath any TLS
                same.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Say goodbye, if anybody still listens."""
        if self._mailbox is not None:
            with suppress(OSError, imaplib.IMAP4.error, ImapToolsError):
                self._mailbox.logout()
            with suppress(OSError):
                self._mailbox.client.shutdown()
            self._mailbox = None

    @property
    def _box(self) -> "_MailBox":
        assert self._mailbox is not None, "closed"
        return self._mailbox

    def _make_folder(self, name: str) -> None:
        if not self._box.folder.exists(name):
            self._box.folder.create(name)

    def _fetch(self, numbers: str, items: str) -> Iterator[tuple[bytes, bytes]]:
        return literals(self._command("FETCH", numbers, items))

    def _delete(self, numbers: str) -> None:
        self._command("STORE", numbers, "+FLAGS.SILENT", r"(\Deleted)")
        if "UIDPLUS" in self.capabilities:  # else it goes with the owner's next EXPUNGE
            self._command("EXPUNGE", numbers)

    def _command(self, *words: str) -> list[Any]:
        status, answer = self._box.client.uid(*words)
        if status != "OK":
            said = answer[0].decode("ascii", "replace") if answer and answer[0] else ""
            raise imaplib.IMAP4.error(f"{words[0]}: {status} {said}")
        return list(answer)


class _MailBox(BaseMailBox):
    """imap-tools' mailbox over any of the three kinds of connection.  A connection whose
    TLS fails is closed, and not left to the garbage collector."""

    def __init__(self, imap: Imap) -> None:
        self._imap = imap
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        imap = self._imap
        where = (imap.host, imap.real_port)
        if imap.security == "tls":
            context = ssl.create_default_context()
            return imaplib.IMAP4_SSL(*where, ssl_context=context, timeout=imap.timeout)
        client = imaplib.IMAP4(*where, timeout=imap.timeout)
        if imap.security == "starttls":
            try:
                client.starttls(ssl.create_default_context())
            except BaseException:
                client.shutdown()
                raise
        return client


def literals(answer: Sequence[object]) -> Iterator[tuple[bytes, bytes]]:
    """What a FETCH answers about each mail beside its literal, and the literal; `answer` as
    imaplib cuts it."""
    for position, part in enumerate(answer):
        if isinstance(part, tuple):
            # A server may name UID and size before the literal or after it.
            behind = answer[position + 1] if position + 1 < len(answer) else b""
            yield part[0] + (behind if isinstance(behind, bytes) else b""), part[1]


def _quoted(folder: str) -> str:
    """A folder's name as a quoted string of modified UTF-7 (RFC 3501 5.1.3)."""
    name: bytes = encode_folder(folder)
    return name.decode("ascii")


@contextmanager
def _troubled(doing: str) -> Iterator[None]:
    """Turn whatever imaplib, imap-tools and the network raise into `ImapTrouble`."""
    try:
        yield
    except (OSError, EOFError, ValueError, imaplib.IMAP4.error, ImapToolsError) as error:
        said = " ".join(str(error).split())[:300] or type(error).__name__
        raise ImapTrouble(f"{doing}: {said}") from None
    except TokenError as error:
        raise ImapTrouble(f"{doing}: {error}") from None
