"""MIME forms: the same text as different mail programs send it."""

import base64
import binascii
import quopri
from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """How a text part goes over the wire."""

    charset: str = "utf-8"
    label: str = ""  # what the mail says its charset is, if something else
    encoding: str = "8bit"
    flowed: str = ""  # "", "yes" or "delsp"

    @property
    def name(self) -> str:
        return "-".join(filter(None, [self.label or self.charset, self.encoding, self.flowed]))


FORMS = (
    Form(),
    Form(encoding="quoted-printable"),
    Form(encoding="base64"),
    Form("utf-8", "us-ascii"),
    Form("utf-8", "iso-8859-1", "quoted-printable"),
    Form("utf-8", "windows-1252", "base64"),
    Form("gb18030", "gb2312", "base64"),
    Form("utf-16", "utf-16", "base64"),
    Form("utf-7", "utf-7", "7bit"),
    Form(flowed="yes"),
    Form(flowed="delsp", encoding="quoted-printable"),
)

HEADERS = (
    "From: Cy Miller <cy@example.net>\r\n"
    "To: {name} <{address}>\r\n"
    "Subject: {subject}\r\n"
    "Message-ID: <reply.{number}@mail.example.net>\r\n"
    "In-Reply-To: {message_id}\r\n"
    "References: {message_id}\r\n"
    "Date: Wed, 2 Dec 2026 20:00:00 +0100\r\n"
    "MIME-Version: 1.0\r\n"
)


def part(text: str, form: Form, subtype: str = "plain") -> bytes:
    """A text part with its headers."""
    flowed = ""
    if form.flowed and subtype == "plain":
        text = flow(text, form.flowed == "delsp")
        flowed = "; format=flowed" + ("; delsp=yes" if form.flowed == "delsp" else "")
    data = text.replace("\n", "\r\n").encode(form.charset)
    if form.encoding == "base64":
        data = base64.encodebytes(data).replace(b"\n", b"\r\n")
    elif form.encoding == "quoted-printable":
        data = quopri.encodestring(text.encode(form.charset)).replace(b"\n", b"\r\n")
    head = (
        f'Content-Type: text/{subtype}; charset="{form.label or form.charset}"{flowed}\r\n'
        f"Content-Transfer-Encoding: {form.encoding}\r\n\r\n"
    )
    return head.encode() + data


def multipart(subtype: str, *parts: bytes, parameters: str = "") -> bytes:
    """A multipart with its header; the boundary follows from the content."""
    boundary = f"=_{binascii.crc32(b''.join(parts)):08x}"
    head = f'Content-Type: multipart/{subtype}; boundary="{boundary}"{parameters}\r\n\r\n'
    body = b"".join(b"--" + boundary.encode() + b"\r\n" + one + b"\r\n" for one in parts)
    return head.encode() + body + b"--" + boundary.encode() + b"--\r\n"


def flow(text: str, del_sp: bool) -> str:
    """The text as format=flowed (RFC 3676): long lines broken with a space at the end."""
    out: list[str] = []
    for line in text.split("\n"):
        marks = len(line) - len(line.lstrip(">"))
        prefix, content = line[:marks], line[marks:]
        if not marks and content.startswith((" ", "From ")):
            content = " " + content
        elif marks:
            content = " " + content.removeprefix(" ")
        if content.strip() != "--":
            content = content.rstrip(" ")
        while len(prefix + content) > 66 and " " in content[1:60]:
            cut = content.rindex(" ", 1, 60)
            if not content[: cut + 1].strip():
                break
            out.append(prefix + content[: cut + 1] + (" " if del_sp else ""))
            content = (" " if marks else "") + content[cut + 1 :]
        out.append(prefix + content)
    return "\n".join(out)
