"""Which mails of a mailbox are for us."""

from datetime import datetime

from sqlmodel import Session

from pbem.installation import Installation
from pbem.intake import classify
from pbem.intake.headers import Headers, mailbox, parse
from pbem.intake.imap.connection import FoundMail
from pbem.intake.message import OwnAddresses, read_message, recipients_of, references_of
from pbem.intake.recipients import answered_letter, recipient
from pbem.store import MailboxEntry

MOST_SHOWN = 300  # characters of a sender or a subject


class Sorting:
    """Looks at headers, with the addresses of one installation."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self._own = OwnAddresses.of(installation.settings)

    def is_of_concern(self, session: Session, headers: Headers) -> bool:
        """Whether it is for an address of ours, or an answer to a letter of ours."""
        here = self._installation
        if any(
            recipient(session, here.settings, here.keys, address) is not None
            for address in recipients_of(headers)
        ):
            return True
        if classify.is_own(headers, self._own):
            return False  # a letter to somebody who reads his mail in this mailbox too
        return answered_letter(session, references_of(headers)) is not None

    def may_be_bounce(self, headers: Headers) -> bool:
        """Whether a letter of ours may have come back in it.  Some providers write another
        return path than ours, and only the returned letter tells."""
        kind = headers.raw("content-type").lower()
        return "report" in kind or headers.first("return-path").strip() == "<>"

    def is_our_bounce(self, session: Session, raw: bytes) -> bool:
        """Whether a letter of ours has come back in it."""
        message = read_message(raw, own_addresses=self._own)
        return answered_letter(session, message.references) is not None


def header_of(found: FoundMail) -> Headers:
    block = found.header.replace(b"\r\n", b"\n")
    return parse(block, 0, len(block))[0]


def entry(mailbox_id: int, now: datetime, found: FoundMail, verdict: str) -> MailboxEntry:
    """What is remembered of a mail."""
    headers = header_of(found)
    name, address = mailbox(headers.first("from"))
    return MailboxEntry(
        mailbox_id=mailbox_id,
        found_at=now,
        uid=found.uid,
        verdict=verdict,
        size=found.size,
        sender=f"{name} <{address}>".strip()[:MOST_SHOWN],
        subject=headers.first("subject")[:MOST_SHOWN],
        message_id=headers.first("message-id")[:MOST_SHOWN],
    )
