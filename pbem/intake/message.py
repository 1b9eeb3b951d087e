"""A mail as it is read: what kind it is, and what its sender wrote (commands.md 1).

    message = read_message(raw, sent=letters_of_the_seat, own_addresses=own)
    if message.kind == "commands":
        reading = commands.read(message.text, context)

`read_message` never raises and takes well under a second, whatever the bytes are.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

from pbem.intake import classify
from pbem.intake.body import Body, read_bodies
from pbem.intake.headers import Headers, addresses, mailbox, message_ids
from pbem.intake.mime import Walk
from pbem.intake.new_text import NewText, new_text
from pbem.intake.own import OwnAddresses
from pbem.intake.sent import letter_texts
from pbem.intake.subject import is_forward, subject_command
from pbem.intake.undelivered import Bounce, find_bounce

__all__ = [
    "Bounce",
    "Message",
    "OwnAddresses",
    "PartNote",
    "letter_texts",
    "read_message",
    "subject_command",
]

log = logging.getLogger(__name__)

MAX_BYTES = 25_000_000
MAX_UNREAD_LINES = 50  # more new text is refused unread (commands.md 1.9)

_RECIPIENT_FIELDS = (
    "to", "cc", "bcc", "delivered-to", "x-original-to", "x-delivered-to", "envelope-to",
    "x-envelope-to", "x-rcpt-to", "apparently-to", "x-forwarded-to", "resent-to", "resent-cc",
    "x-original-recipient", "original-recipient",
)  # fmt: skip
_MAX_ADDRESSES = 500
_MAX_REFERENCES = 200


@dataclass(frozen=True)
class PartNote:
    """One part of a mail, for its receipt."""

    content_type: str
    filename: str
    size: int  # bytes as they were sent
    used: bool  # whether the text was taken from it


@dataclass(frozen=True)
class Message:
    """A mail as it was understood.  Addresses are in lower case, ids have their brackets."""

    kind: str  # one of classify.KINDS
    message_id: str = ""
    sender: str = ""
    sender_name: str = ""
    subject: str = ""
    date: datetime | None = None
    recipients: tuple[str, ...] = ()  # of every header that names one, in order
    references: tuple[str, ...] = ()  # see `references_of`
    text: str = ""  # the new text, lines joined with LF
    cut: tuple[str, ...] = ()  # what was cut away, names out of new_text.CUTS
    breaks: tuple[int, ...] = ()  # numbers of lines of `text` above which a quote was cut
    parts: tuple[PartNote, ...] = ()
    bounce: Bounce | None = None


def read_message(
    raw: bytes,
    sent: Sequence[str] = (),
    own_addresses: OwnAddresses | None = None,
    *,
    envelope_from: str | None = None,
    envelope_to: Sequence[str] = (),
    max_bytes: int = MAX_BYTES,
) -> Message:
    """Read a mail.

    `sent` are the texts written to this seat, oldest first (`letter_texts` of each letter)
    and the new texts of the player's own earlier mails: what is quoted is found by
    subtracting them.  `envelope_from` is "" for the null return path and None when the
    envelope is not known (a file): then the headers tell."""
    if len(raw) > max_bytes:
        return Message(classify.UNREADABLE)
    try:
        return _read(raw, sent, own_addresses, envelope_from, envelope_to)
    except Exception:  # the inbox must go on whatever a mail does
        log.exception("A mail of %d bytes could not be read", len(raw))
        return Message(classify.UNREADABLE)


def _read(
    raw: bytes,
    sent: Sequence[str],
    own: OwnAddresses | None,
    envelope_from: str | None,
    envelope_to: Sequence[str],
) -> Message:
    walk = Walk(raw)
    headers = walk.root.headers
    subject = headers.first("subject")
    name, sender = mailbox(headers.first("from") or headers.first("sender"))
    body, text = _text(walk, sent, name, subject)
    recipients = recipients_of(headers)
    is_null = _is_null_sender(headers, envelope_from)
    bounce = None
    kind = classify.OWN if classify.is_own(headers, own) else ""
    if not kind:
        reached = [*envelope_to, *recipients]
        at_return_path = own is not None and any(map(own.is_return_path, reached))
        bounce = find_bounce(walk, at_return_path, is_null)
        kind = classify.BOUNCE if bounce else _kind(walk, body, text, is_null)
    if kind in (classify.ENCRYPTED, classify.UNREADABLE):
        text = NewText("")
    return Message(
        kind=kind,
        message_id=next(iter(message_ids(headers.first("message-id"))), ""),
        sender=sender,
        sender_name=name,
        subject=subject,
        date=_date(headers.first("date")),
        recipients=recipients,
        references=references_of(headers, bounce.returned_id if bounce else ""),
        text=text.text,
        cut=text.cut,
        breaks=text.breaks,
        parts=_notes(walk, body),
        bounce=bounce,
    )


def _text(walk: Walk, sent: Sequence[str], name: str, subject: str) -> tuple[Body, NewText]:
    """The body with new text and that text; without any, the first."""
    first = None
    for body in read_bodies(walk):
        found = body, new_text(body.lines, sent, name, is_forward(subject))
        if found[1].text:
            return found
        first = first or found
    assert first is not None
    return first


def _kind(walk: Walk, body: Body, text: NewText, is_null_sender: bool) -> str:
    if classify.is_automatic(walk, is_null_sender) or classify.is_recall(walk, body):
        return classify.AUTO_REPLY
    if classify.is_list(walk.root.headers):
        return classify.LIST
    if classify.is_encrypted(walk, body, text.text):
        return classify.ENCRYPTED
    if classify.is_opaque(walk, body):
        return classify.UNREADABLE
    if not (body.complete and not walk.capped) and text.text.count("\n") < MAX_UNREAD_LINES:
        return classify.UNREADABLE  # part of it is not known; what is known must not act alone
    return classify.COMMANDS if text.text else classify.EMPTY


def _is_null_sender(headers: Headers, envelope_from: str | None) -> bool:
    if envelope_from is not None:
        return not envelope_from.strip("<> ")
    return "return-path" in headers and headers.first("return-path").strip() == "<>"


def recipients_of(headers: Headers) -> tuple[str, ...]:
    """The addresses of every field that names a recipient, lower case, in order."""
    found = [
        address
        for name in _RECIPIENT_FIELDS
        for value in headers.all(name)
        for address in addresses(value)
    ]
    return tuple(dict.fromkeys(found))[:_MAX_ADDRESSES]


def references_of(headers: Headers, returned_id: str = "") -> tuple[str, ...]:
    """The ids of the mails this one answers: the letter that bounced, In-Reply-To, then
    References, the newest first."""
    answered = [*filter(None, [returned_id]), *message_ids(headers.first("in-reply-to"))]
    thread = message_ids(headers.first("references"))
    return tuple(dict.fromkeys([*answered, *reversed(thread)]))[:_MAX_REFERENCES]


def _date(value: str) -> datetime | None:
    try:
        return parsedate_to_datetime(value[:100]) if value else None
    except Exception:  # noqa: BLE001 (email.utils raises half a dozen kinds of errors)
        return None


def _notes(walk: Walk, body: Body) -> tuple[PartNote, ...]:
    used = {id(part) for part in body.used}
    return tuple(
        PartNote(part.content_type[:100], part.filename, part.size, id(part) in used)
        for part in walk.root.walk()
        if not part.children
    )
