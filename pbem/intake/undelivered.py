"""Mails that could not be delivered, and what they say (RFC 3464, and those who never read it)."""

import email
import email.policy
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pbem.intake.header_words import alternation
from pbem.intake.headers import Headers, addresses, message_ids, parse
from pbem.intake.kind_words import BOUNCE_SUBJECTS
from pbem.intake.lines import fold
from pbem.intake.mime import Part, Walk

_DELIVERY_STATUS = ("message/delivery-status", "message/global-delivery-status")
_RETURNED = ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global")
_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_REPLY_CODE = re.compile(r"(?<![\d.])([45])\d\d[ -]")
_SYSTEM_SENDERS = re.compile(
    r"(?:mailer-?daemon|postmaster|mail-daemon|mail delivery|mmdf|uucp|bounce[\w.-]*)@?",
    re.IGNORECASE,
)
_SUBJECT = re.compile(alternation(BOUNCE_SUBJECTS))
# It logs the tracebacks of detectors that stumble over a mail, which says nothing of ours.
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)

_MAX_SCAN = 60_000  # bytes of a bounce that is not RFC 3464
_MAX_SCAN_LINE = 500
_MAX_SCAN_LINES = 600


@dataclass(frozen=True)
class Bounce:
    """One recipient a letter did not reach.

    `recipient` is "" when the mail does not tell (the return path it came to does);
    `status` an RFC 3463 code; `permanent`: no use trying again; `returned_id` the
    Message-ID of the letter that came back, "" when it is not enclosed."""

    recipient: str
    status: str
    permanent: bool
    diagnostic: str = ""
    returned_id: str = ""

    def to_json(self) -> dict[str, object]:
        """The `bounce` of what `explain` prints."""
        return {
            "recipient": self.recipient,
            "status": self.status,
            "permanent": self.permanent,
        }


def find_bounce(walk: Walk, at_return_path: bool, is_null_sender: bool) -> Bounce | None:
    """What a mail says about a letter that was not delivered; None: it is no bounce.

    `at_return_path`: it came to the return path of a letter (VERP); `is_null_sender`: its
    own return path is empty.  Reports of success are no bounces."""
    headers = walk.root.headers
    status = next((p for p in walk.root.walk() if p.content_type in _DELIVERY_STATUS), None)
    if status is not None:
        return _from_report(walk, status)
    told = _SUBJECT.search(fold(headers.first("subject")[:300])) is not None
    from_system = _is_from_system(headers)
    if not at_return_path and (is_null_sender, from_system, told).count(True) < 2:
        return None
    text = _beginning(walk)
    failed = _failed_recipient(headers, text)
    known = _from_flufl(walk)
    if known is None and not told and (_is_answer(headers) or not (failed or at_return_path)):
        return None  # a vacation reply goes to the return path too
    code = _STATUS.search(text)
    reply = _REPLY_CODE.search(text)
    permanent = (code[1] == "5") if code else (reply[1] == "5") if reply else None
    if known is not None:
        recipient, is_permanent = known
        permanent = is_permanent if permanent is None else permanent
        failed = failed or recipient
    if permanent is None:
        permanent = "delay" not in fold(headers.first("subject")) and bool(failed)
    number = code[0] if code and code[1] != "2" else ("5.0.0" if permanent else "4.0.0")
    return Bounce(failed, number, permanent, "", _returned_id(walk))


def _is_from_system(headers: Headers) -> bool:
    return _SYSTEM_SENDERS.search(headers.first("from")[:300]) is not None


def _is_answer(headers: Headers) -> bool:
    """Whether the program of a person who is away answered."""
    return headers.first("auto-submitted").lower().startswith("auto-replied") or any(
        name in headers for name in ("x-autoreply", "x-autorespond", "x-auto-reply")
    )


# --- RFC 3464


def _from_report(walk: Walk, status: Part) -> Bounce | None:
    """The first failed recipient, else the first delayed one."""
    delayed = None
    for group in _groups(walk, status):
        action = fold(group.first("action")).split()
        if not action and "final-recipient" not in group:
            continue
        if action and action[0] in ("delivered", "relayed", "expanded"):
            continue
        found = _from_group(group, action[0] if action else "failed", _returned_id(walk))
        if found.permanent or not action or action[0] == "failed":
            return found
        delayed = delayed or found
    return delayed


def _groups(walk: Walk, status: Part) -> Iterable[Headers]:
    """The groups of fields of a delivery status, that of the message first."""
    data = walk.body(status)[:_MAX_SCAN].replace(b"\r\n", b"\n")
    position = 0
    for _ in range(50):
        while data.startswith(b"\n", position):
            position += 1
        if position >= len(data):
            return
        group, after = parse(data, position, len(data))
        if after <= position:
            return
        position = after if group else data.find(b"\n", position) + 1 or len(data)
        yield group


def _from_group(group: Headers, action: str, returned_id: str) -> Bounce:
    diagnostic = group.first("diagnostic-code")[:500]
    match = _STATUS.search(group.first("status")) or _STATUS.search(diagnostic)
    reply = _REPLY_CODE.search(diagnostic)
    if match is not None and match[1] != "2":
        code = match[0]
    elif reply is not None:
        code = f"{reply[1]}.0.0"
    else:
        code = "5.0.0" if action == "failed" else "4.0.0"
    return Bounce(
        _recipient(group.first("original-recipient")) or _recipient(group.first("final-recipient")),
        code,
        action == "failed" and code.startswith("5"),
        diagnostic,
        returned_id,
    )


def _recipient(value: str) -> str:
    """The address of ``rfc822; ann@example.org``, its xtext (RFC 3461 4) undone."""
    address = value.partition(";")[2] or value
    address = re.sub(r"\+([0-9A-F]{2})", lambda match: chr(int(match[1], 16)), address)
    found = addresses(address)
    return found[0] if found else ""


# --- everybody else


def _beginning(walk: Walk) -> str:
    """The beginning of the text, long lines cut: what a person would be told."""
    for part in walk.root.walk():
        if part.content_type.startswith("text/") and not part.children:
            lines = walk.text(part)[:_MAX_SCAN].split("\n")[:_MAX_SCAN_LINES]
            return "\n".join(line[:_MAX_SCAN_LINE] for line in lines)
    return ""


def _failed_recipient(headers: Headers, text: str) -> str:
    failed = addresses(headers.first("x-failed-recipients"))
    if failed:
        return failed[0]
    sender = addresses(headers.first("from"))
    for line in text.split("\n")[:80]:
        for address in addresses(line):
            if address not in sender and not _SYSTEM_SENDERS.match(address):
                return address
    return ""


def _from_flufl(walk: Walk) -> tuple[str, bool] | None:
    """flufl.bounce's opinion, ``(recipient, permanent)``.

    It gets the beginning of the mail only, in short lines: its patterns were not written
    for hostile input, and nothing in a mail may take long or fail."""
    from flufl.bounce import all_failures  # its detectors take a while to load

    lines = walk.data[:_MAX_SCAN].split(b"\n")[:_MAX_SCAN_LINES]
    if walk.root.children and len(walk.root.children) > 20:
        return None
    shortened = b"\n".join(line[:_MAX_SCAN_LINE] for line in lines)
    if shortened.count(b"--") > _MAX_SCAN_LINES or shortened.lower().count(b"multipart/") > 10:
        return None
    try:
        message = email.message_from_bytes(shortened, policy=email.policy.compat32)
        temporary, permanent = all_failures(message)
    except Exception:  # noqa: BLE001 (whatever it stumbles over, it is no bounce it knows)
        return None
    for failures, is_permanent in ((permanent, True), (temporary, False)):
        for failure in sorted(failures):
            address = failure.decode("utf-8", "replace") if isinstance(failure, bytes) else failure
            if found := addresses(address):
                return found[0], is_permanent
    return None


def _returned_id(walk: Walk) -> str:
    """The Message-ID of the enclosed letter."""
    for part in walk.root.walk():
        if part.content_type in _RETURNED:
            headers, _ = parse(walk.data, part.start, part.end)
            found = message_ids(headers.first("message-id"))
            return found[0] if found else ""
    return ""
