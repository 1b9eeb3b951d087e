"""Mails made to hang, crash or bloat whoever reads them, at any size."""

import base64
import random
from collections.abc import Callable

from tests.mails.sample import TEXT

HEAD = (
    b"From: Cy <cy@example.net>\nTo: t-abc@ark.example.org\nSubject: Re: Ark\nMessage-ID: <1@x>\n"
)
PLAIN = HEAD + b"Content-Type: text/plain; charset=utf-8\n\n"
HTML = HEAD + b"Content-Type: text/html; charset=utf-8\n\n"
BOUNCE = b"From: MAILER-DAEMON\nReturn-Path: <>\nSubject: Undelivered\n\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=a\n\n"
REPORT = (
    b"Content-Type: multipart/report; boundary=a; report-type=delivery-status\n\n--a\n\nx\n--a\n"
)

Builder = Callable[[int], bytes]


def repeated(head: bytes, piece: bytes, tail: bytes = b"") -> Builder:
    """The piece as often as the size allows."""
    return lambda size: head + piece * max((size - len(head)) // len(piece), 1) + tail


def _encoded(name: str, text: str, charset: str = "") -> Builder:
    head = HEAD + f"Content-Type: text/plain; charset={charset or name}\n\n".encode()
    return repeated(head, text.encode(name))


def _nested(levels: int) -> Builder:
    one = b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n'
    return lambda size: HEAD + b"".join(one % (n, n) for n in range(min(levels, size // 50)))


def _shuffled(size: int) -> bytes:
    chance = random.Random(1)
    words = TEXT.split()
    lines = [" ".join(chance.choices(words, k=8)) for _ in range(size // 40)]
    return PLAIN + "\n".join(lines).encode()


def _base64(size: int) -> bytes:
    head = HEAD + b"Content-Transfer-Encoding: base64\n\n"
    return head + base64.encodebytes(b"take fox\n" * (size // 13))


def _every_other_line(size: int) -> bytes:
    text = "\n".join(f"{line}\ntake fox" for line in TEXT.split("\n")).encode()
    return repeated(PLAIN, text)(size)


HOSTILE: dict[str, Builder] = {
    "nothing": lambda _: b"",
    "zeros": lambda size: b"\0" * size,
    "noise": lambda size: random.Random(2).randbytes(size),
    "one line": repeated(PLAIN + b"take fox\n", b"x"),
    "one line without headers": lambda size: b"x" * size,
    "blanks": repeated(PLAIN, b" "),
    "line ends": repeated(PLAIN, b"\n"),
    "carriage returns": repeated(PLAIN, b"\r"),
    "quote marks": repeated(PLAIN, b">"),
    "quoted lines": repeated(PLAIN, b"> take fox\n"),
    "commands": repeated(PLAIN, b"take fox\n"),
    "examples": repeated(PLAIN, "› take horse\n".encode()),
    "typed examples": repeated(PLAIN, b"take horse\n"),
    "letter again and again": repeated(PLAIN, TEXT.encode()),
    "letter with answers": _every_other_line,
    "letter in disorder": _shuffled,
    "one word": repeated(PLAIN, b"the "),
    "four words": repeated(PLAIN, b"the ark the ark\n"),
    "nested 1,000": _nested(1_000),
    "nested 100,000": _nested(100_000),
    "parts": repeated(MIXED, b"--a\n\nx\n"),
    "empty parts": repeated(MIXED, b"--a\n"),
    "boundaries that are none": repeated(MIXED, b"--ab\n"),
    "an empty boundary": repeated(
        HEAD + b'Content-Type: multipart/mixed; boundary=""\n\n', b"--\n"
    ),
    "no boundary": repeated(
        HEAD + b"Content-Type: multipart/mixed\n\n", b"--x\nContent-Type: multipart/mixed\n\n"
    ),
    "long subject": lambda size: HEAD.replace(b"Ark", b"x" * size) + b"\nhi",
    "encoded words": lambda size: HEAD.replace(b"Ark", b"=?utf-8?q?a?= " * (size // 14)) + b"\nhi",
    "encoded words that are none": lambda size: HEAD.replace(b"Ark", b"=?" * (size // 2)) + b"\n",
    "recipients": repeated(HEAD + b"Cc: ", b"a@b.c, ", b"\n\nhi"),
    "a recipient without end": repeated(HEAD + b"Cc: ", b"a", b"\n\nhi"),
    "fields": repeated(HEAD, b"A: b\n", b"\nhi"),
    "folded lines": repeated(HEAD + b"A: b\n", b" c\n"),
    "parameters": repeated(b"Content-Type: multipart/mixed; ", b"a=b; ", b"\n\nx"),
    "backslashes": repeated(b'Content-Type: multipart/mixed; boundary="', b"\\", b"\n\nx"),
    "open tags": repeated(HTML, b"<a"),
    "open comments": repeated(HTML, b"<!--"),
    "open quotes": repeated(HTML, b"<a href='x"),
    "open sections": repeated(HTML, b"<![CDATA["),
    "open styles": repeated(HTML, b"<style>"),
    "tags": repeated(HTML, b"<b>"),
    "nested blocks": repeated(HTML, b"<div>"),
    "nested quotes": repeated(HTML, b"<blockquote>a"),
    "paragraphs": repeated(HTML, b"<p>take fox</p>"),
    "stray ends": repeated(HTML, b"</div></span>"),
    "styled": repeated(HTML, b"<span class=gmail_quote style='display:none'>x"),
    "entities": repeated(HTML, b"&amp;"),
    "entities without end": repeated(HTML, b"&#"),
    "angles": repeated(HTML, b"< "),
    "attributes": repeated(HTML + b"<a ", b"a=b ", b">"),
    "base64": _base64,
    "broken base64": repeated(HEAD + b"Content-Transfer-Encoding: base64\n\n", b"=A"),
    "soft breaks": repeated(HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n", b"=\n"),
    "almost soft breaks": repeated(
        HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n", b"= "
    ),
    "flowed": repeated(HEAD + b"Content-Type: text/plain; format=flowed\n\n", b"a \n"),
    "dashes": repeated(PLAIN, b"-"),
    "rules": repeated(PLAIN, b"-----\n"),
    "titles": repeated(PLAIN, b"----- original\n"),
    "introductions": repeated(PLAIN, b"On 2 Dec 2026 Ark wrote:\n"),
    "a regular expression": repeated(PLAIN, rb"On \q \1 (?P<x> wrote:" + b"\n"),
    "senders": repeated(PLAIN, b"From: x\n"),
    "header blocks": repeated(PLAIN, b"From: x\nSent: y\nTo: z\n"),
    "banners": repeated(PLAIN, b"CAUTION: external\n"),
    "footers": repeated(PLAIN, b"Sent from my iPhone\n"),
    "disclaimers": repeated(PLAIN, b"This e-mail is\n"),
    "list rules": repeated(PLAIN, b"____________________________________\n"),
    "delimiters": repeated(PLAIN, b"-- \n"),
    "colons": repeated(PLAIN, b"a:\n"),
    "long lines with colons": repeated(PLAIN, b"a" * 500 + b" 20:30 :\n"),
    "indented": repeated(PLAIN + b"On 2 Dec 2026 a@b.cc wrote:\n", b"   x\n"),
    "bars": repeated(PLAIN, b"| a "),
    "rows": repeated(PLAIN, b"|||||||||\n"),
    "armour": repeated(PLAIN, b"-----BEGIN PGP SIGNED MESSAGE-----\n"),
    "uuencoded": repeated(PLAIN, b"begin 644 a\nM" + b"!" * 60 + b"\n"),
    "links": repeated(PLAIN, b"http://a "),
    "open links": repeated(PLAIN, b"<http:"),
    "bounced": repeated(BOUNCE, b"<a@b.c> 5.1.1\n"),
    "bounced dashes": repeated(BOUNCE, b"-"),
    "bounced words": repeated(BOUNCE, b"to "),
    "delivery status": repeated(
        REPORT + b"Content-Type: message/delivery-status\n\n", b"Action: failed\n\n"
    ),
    "latin": _encoded("iso-8859-1", "é "),
    "no charset's bytes": repeated(PLAIN, b"\x81"),
    "chinese": _encoded("gbk", "狐狸"),
    "chinese lines": _encoded("utf-8", "我要拿狐狸放在左三\n"),
    "shifts": repeated(HEAD + b"Content-Type: text/plain; charset=iso-2022-jp\n\n", b"\x1b$B"),
    "surrogates": repeated(HEAD + b"Content-Type: text/plain; charset=utf-7\n\n", b"+2AA-"),
    "combining": repeated(PLAIN + b"a", "\u0301".encode()),
    "expanding": repeated(PLAIN, "\ufdfa".encode()),
    "idna": repeated(HEAD + b"Content-Type: text/plain; charset=idna\n\n", b"xn--a."),
    "punycode": repeated(HEAD + b"Content-Type: text/plain; charset=punycode\n\n", b"a-b9"),
}
