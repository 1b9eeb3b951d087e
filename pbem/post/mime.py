"""A letter as a mail: the MIME message (RFC 5322, 2045 to 2047, 2369, 8058).

The message is put together here and not by the library, whose folding encodes long
message ids and so breaks the threads of the reader's mail program.  What `build` returns
goes out as it is: all of it ASCII, no line longer than 78 bytes where it can be folded, so
that nothing on the way has a reason to change it and a signature over it holds.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.utils import format_datetime
from functools import lru_cache

LINE = 76  # characters of a header line, where it can be folded at all
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,990}>", re.ASCII)


@dataclass(frozen=True)
class Fields:
    """What goes into the header block, decoded: any text at all."""

    sender_name: str
    reply_to: str  # the reply address; also the address in From (some clients answer to that)
    to: str
    subject: str
    message_id: str
    date: datetime
    letter_id: int | None
    list_name: str
    list_id: str
    in_reply_to: str = ""
    references: str = ""
    is_reply: bool = False  # answers a mail (RFC 3834)
    unsubscribe: str = ""  # where one POST ends letters of this kind (RFC 8058)


@dataclass(frozen=True)
class Attachment:
    """A file that goes with a letter; its name is ASCII."""

    name: str
    content_type: str
    data: bytes


def build(
    fields: Fields, text: str, html: str | None, attachments: Sequence[Attachment] = ()
) -> bytes:
    """The whole message, lines ended by CRLF, all of it ASCII."""
    block = [*_header_block(fields), ("MIME-Version", "1.0")]
    headers, body = _part_headers("plain"), _quoted_printable(text)
    if html is not None:
        plain, rich = (headers, body), (_part_headers("html"), _quoted_printable(html))
        headers, body = _multipart("alternative", fields.message_id, [plain, rich])
    if attachments:
        parts = [(headers, body), *map(_attached, attachments)]
        headers, body = _multipart("mixed", f"{fields.message_id}/mixed", parts)
    return _headed([*block, *headers], body)


_Part = tuple[list[tuple[str, str]], bytes]


def _multipart(subtype: str, name: str, parts: Sequence[_Part]) -> _Part:
    """Parts under one head.  The boundary is the message's own, not of chance: the same
    letter, the same bytes."""
    boundary = "=_" + hashlib.sha256(name.encode()).hexdigest()[:24]
    delimiter = f"--{boundary}\r\n".encode()
    body = b"".join(delimiter + _headed(headers, content) + b"\r\n" for headers, content in parts)
    kind = f'multipart/{subtype};\n boundary="{boundary}"'
    return [("Content-Type", kind)], body + f"--{boundary}--\r\n".encode()


def _attached(file: Attachment) -> _Part:
    headers = [
        ("Content-Type", file.content_type),
        ("Content-Disposition", f'attachment; filename="{file.name}"'),
        ("Content-Transfer-Encoding", "base64"),
    ]
    return headers, base64.encodebytes(file.data).replace(b"\n", b"\r\n")


def _headed(block: Sequence[tuple[str, str]], body: bytes) -> bytes:
    """Headers (folded at line ends), an empty line, and the body."""
    lines = "".join(f"{name}: {value}\n" for name, value in block)
    return lines.replace("\n", "\r\n").encode("ascii", "replace") + b"\r\n" + body


def _part_headers(subtype: str) -> list[tuple[str, str]]:
    return [
        ("Content-Type", f'text/{subtype}; charset="utf-8"'),
        ("Content-Transfer-Encoding", "quoted-printable"),
    ]


def _quoted_printable(text: str) -> bytes:
    """The text in UTF-8 with CRLF at its line ends, quoted-printable (RFC 2045 6.7)."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    if not lines.endswith("\r\n"):
        lines += "\r\n"  # also tells b2a_qp which line ends to break long lines with
    return binascii.b2a_qp(lines.encode("utf-8", "replace"), istext=True)


def _header_block(fields: Fields) -> list[tuple[str, str]]:
    reply_to = one_line(fields.reply_to)
    block = [
        ("From", _named("From", fields.sender_name, reply_to)),
        ("Reply-To", f"<{reply_to}>"),
        ("To", f"<{_ascii_domain(one_line(fields.to))}>"),
        ("Subject", _text("Subject", fields.subject)),
        ("Date", format_datetime(fields.date.astimezone(UTC))),
        ("Message-ID", one_line(fields.message_id)),
    ]
    if answered := message_ids(fields.in_reply_to):
        block.append(("In-Reply-To", answered[0]))
    if thread := message_ids(f"{fields.references} {fields.in_reply_to}"):
        block.append(("References", "\n ".join(_shortened(thread))))
    block += [
        ("Auto-Submitted", "auto-replied" if fields.is_reply else "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("List-Id", _named("List-Id", fields.list_name, one_line(fields.list_id))),
    ]
    if fields.unsubscribe:
        block.append(("List-Unsubscribe", f"<{one_line(fields.unsubscribe)}>"))
        block.append(("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
    return [
        *block,
        ("X-Ark-Letter", "preview" if fields.letter_id is None else str(fields.letter_id)),
    ]


def message_ids(value: str) -> list[str]:
    """The message ids in a header's value, each once, in order; anything else is left out."""
    return list(dict.fromkeys(_MESSAGE_ID.findall(value)))


def one_line(value: str) -> str:
    """Text that cannot end a header: line ends and control characters become spaces."""
    if not value.isprintable():
        value = "".join(c if c.isprintable() else " " for c in value)
    return " ".join(value.split())


def _ascii_domain(address: str) -> str:
    """The address with its domain in IDNA, as the envelope has it."""
    local, _, domain = address.rpartition("@")
    try:
        return f"{local}@{domain.encode('idna').decode()}"
    except UnicodeError:  # no such domain; the relay will say so
        return address


def _shortened(thread: Sequence[str], most: int = 12) -> list[str]:
    """The first of a thread and its newest ones (RFC 5322 3.6.4 leaves room for that)."""
    return list(thread) if len(thread) <= most else [thread[0], *thread[1 - most :]]


def _text(name: str, value: str) -> str:
    """An unstructured value (RFC 2047), folded."""
    value = one_line(value)
    plain = value.isascii() and "=?" not in value  # else it would be read as an encoded word
    if plain and len(name) + 2 + len(value) <= LINE:
        return value  # most are; the library takes its time
    charset = "us-ascii" if plain else "utf-8"
    return Header(value, charset, maxlinelen=LINE, header_name=name).encode(linesep="\n")


@lru_cache(maxsize=1000)  # every letter of a table has the same
def _named(name: str, phrase: str, address: str) -> str:
    """``phrase <address>``, on two lines where one would be too long."""
    phrase = _phrase(name, phrase)
    long = "\n" in phrase or len(f"{name}: {phrase} <{address}>") > LINE
    return f"{phrase}\n <{address}>" if long else f"{phrase} <{address}>"


def _phrase(name: str, value: str) -> str:
    """A display name: a quoted string, or encoded words where it is not ASCII."""
    value = one_line(value)
    if value.isascii() and "=?" not in value:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return Header(value, "utf-8", maxlinelen=LINE, header_name=name).encode(linesep="\n")
