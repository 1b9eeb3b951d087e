"""Taking mail out of a mailbox, each exactly once.

The mails of one look are stored, and noted how far the mailbox was read, in one unit of
work; only then are they flagged, moved or deleted there.  A crash between the two is
mended at the next look: what was stored is still noted as ``taken``.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, delete, select

from pbem.installation import Installation
from pbem.intake.arrival import Arrival, store_mail
from pbem.intake.imap.connection import Connection, FoundMail
from pbem.intake.imap.sorting import Sorting, entry, header_of
from pbem.store import Mail, Mailbox, MailboxEntry
from pbem.store.rows import id_of

HEADERS_AT_ONCE = 50
MAX_BYTES = 25_000_000  # of mails in one unit of work, if there is more than one
MOST_KEPT = 500  # entries of mails of no concern, the newest


@dataclass(frozen=True)
class _Look:
    """What is to be noted of one mail, and the mail itself if it is to be taken."""

    found: FoundMail
    verdict: str  # of `MailboxEntry`
    raw: bytes | None = None


class Taking:
    """Reads one mailbox on, from where it was left."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._sorting = Sorting(installation)
        self._name = installation.settings.imap.name

    def take_new(self, connection: Connection) -> int:
        """Look at every mail that came since the last look; returns how many were taken."""
        last = self._begin(connection)
        taken = 0
        uids = connection.uids_after(last)
        for start in range(0, len(uids), HEADERS_AT_ONCE):
            chunk = uids[start : start + HEADERS_AT_ONCE]
            looks: list[_Look] = []
            for found in sorted(connection.headers(chunk), key=lambda one: one.uid):
                looks.append(self._look(connection, found))
                if sum(len(one.raw or b"") for one in looks) >= MAX_BYTES:
                    taken += self._store(connection, looks, looks[-1].found.uid)
                    looks = []
            taken += self._store(connection, looks, chunk[-1])
        self._note_look()
        return taken

    def _begin(self, connection: Connection) -> int:
        """Where to read on.  Another UIDVALIDITY means that the numbers mean nothing any
        more: all is looked at again, and what is stored already is not stored twice."""
        with self._installation.store.work() as session:
            row = mailbox_row(session, self._installation)
            if row.uid_validity != connection.uid_validity:
                session.exec(delete(MailboxEntry).where(col(MailboxEntry.mailbox_id) == row.id))
                row.uid_validity, row.last_uid = connection.uid_validity, 0
            left = _taken(session, row)
        if left:
            self._settle(connection, left)
        return row.last_uid

    def _look(self, connection: Connection, found: FoundMail) -> _Look:
        headers = header_of(found)
        raw: bytes | None = None
        fits = found.size <= self._installation.settings.mail.max_bytes
        with self._installation.store.read() as session:
            ours = self._sorting.is_of_concern(session, headers)
        if not ours and fits and self._sorting.may_be_bounce(headers):
            raw = connection.raw(found.uid)
            with self._installation.store.read() as session:
                ours = raw is not None and self._sorting.is_our_bounce(session, raw)
        if not ours:
            return _Look(found, "no concern")
        if not fits:
            return _Look(found, "too large")
        raw = raw or connection.raw(found.uid)
        if raw is None:  # somebody has just deleted it
            return _Look(found, "no concern")
        return _Look(found, "taken", raw)

    def _store(self, connection: Connection, looks: Sequence[_Look], last: int) -> int:
        """Commit what was looked at, up to the UID `last`; then settle it over there."""
        count = 0
        with self._installation.store.work() as session:
            now = self._installation.clock()
            row = mailbox_row(session, self._installation)
            row.last_uid = last
            for look in looks:
                session.add(entry(id_of(row), now, look.found, look.verdict))
                if look.raw is not None and not _is_stored(session, look.raw):
                    store_mail(session, now, Arrival(look.raw, "", (), "imap"))
                    count += 1
            _prune(session, row)
        self._settle(connection, [one.found.uid for one in looks if one.raw is not None])
        return count

    def _settle(self, connection: Connection, uids: Sequence[int]) -> None:
        if not uids:
            return
        connection.settle(uids)
        with self._installation.store.work() as session:
            row = mailbox_row(session, self._installation)
            session.exec(
                delete(MailboxEntry).where(
                    col(MailboxEntry.mailbox_id) == row.id,
                    col(MailboxEntry.verdict) == "taken",
                    col(MailboxEntry.uid).in_(uids),
                )
            )

    def _note_look(self) -> None:
        with self._installation.store.work() as session:
            row = mailbox_row(session, self._installation)
            row.looked_at = self._installation.clock()


def mailbox_row(session: Session, installation: Installation) -> Mailbox:
    """The row of the mailbox of the settings; made when there is none."""
    name = installation.settings.imap.name
    row = session.exec(select(Mailbox).where(Mailbox.name == name)).first()
    if row is None:
        row = Mailbox(name=name, changed_at=installation.clock())
        session.add(row)
        session.flush()
    return row


def _taken(session: Session, row: Mailbox) -> Sequence[int]:
    """Mails that were stored, and may not be flagged, moved or deleted yet."""
    return session.exec(
        select(MailboxEntry.uid).where(
            MailboxEntry.mailbox_id == row.id, MailboxEntry.verdict == "taken"
        )
    ).all()


def _is_stored(session: Session, raw: bytes) -> bool:
    """Whether the same mail, byte for byte, is in the inbox out of a mailbox already."""
    digest = hashlib.sha256(raw).hexdigest()
    query = select(Mail.id).where(Mail.digest == digest, Mail.channel == "imap").limit(1)
    return session.exec(query).first() is not None


def _prune(session: Session, row: Mailbox) -> None:
    """Forget the oldest of many mails of no concern."""
    of_row = (col(MailboxEntry.mailbox_id) == row.id, col(MailboxEntry.verdict) == "no concern")
    newest = select(MailboxEntry.id).where(*of_row).order_by(col(MailboxEntry.id).desc())
    border = session.exec(newest.offset(MOST_KEPT).limit(1)).first()
    if border is not None:
        session.exec(delete(MailboxEntry).where(*of_row, col(MailboxEntry.id) <= border))
