"""How mail programs lay out an answer: the new text, and the letter somewhere around it."""

from __future__ import annotations

import html
import random
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formataddr

from tests.e2e.sink import Delivery

POLICY = SMTP.clone(max_line_length=998)


@dataclass(frozen=True)
class Answer:
    """What somebody writes in answer to a letter."""

    name: str
    address: str
    letter: Delivery
    text: str
    message_id: str

    @property
    def quoted(self) -> list[str]:
        return self.letter.text.rstrip("\n").split("\n")

    @property
    def attribution(self) -> str:
        sender = f"{self.letter.sender_name} <{self.letter.reply_address}>"
        return f"On Tue, 1 Dec 2026 at 09:00, {sender} wrote:"


def _marked(answer: Answer) -> str:
    return "\n".join(f"> {line}".rstrip() for line in answer.quoted)


def _plain(answer: Answer, body: str, cte: str = "quoted-printable") -> EmailMessage:
    message = _addressed(answer)
    message.set_content(body, cte=cte)
    return message


def _addressed(answer: Answer) -> EmailMessage:
    message = EmailMessage(policy=POLICY)
    message["From"] = formataddr((answer.name, answer.address))
    message["To"] = answer.letter.reply_address
    subject = answer.letter.subject
    message["Subject"] = subject if subject.startswith("Re:") else f"Re: {subject}"
    message["Message-ID"] = answer.message_id
    message["Date"] = "Tue, 01 Dec 2026 10:00:00 +0100"
    message["In-Reply-To"] = answer.letter.message_id
    earlier = str(answer.letter.message.get("References", ""))
    message["References"] = f"{earlier} {answer.letter.message_id}".strip()
    return message


def top_posted(answer: Answer) -> EmailMessage:
    """Above the quote, as Gmail does."""
    return _plain(answer, f"{answer.text}\n{answer.attribution}\n\n{_marked(answer)}\n")


def bottom_posted(answer: Answer) -> EmailMessage:
    return _plain(answer, f"{answer.attribution}\n{_marked(answer)}\n\n{answer.text}")


def inline(answer: Answer) -> EmailMessage:
    """Between quoted lines."""
    lines = _marked(answer).split("\n")
    half = len(lines) // 2
    body = [answer.attribution, *lines[:half], "", answer.text.rstrip("\n"), "", *lines[half:]]
    return _plain(answer, "\n".join(body) + "\n")


def unquoted(answer: Answer) -> EmailMessage:
    """Nothing but the new text, in seven bits where that does."""
    cte = "7bit" if answer.text.isascii() else "8bit"
    return _plain(answer, answer.text, cte)


def base64(answer: Answer) -> EmailMessage:
    return _plain(answer, f"{answer.text}\n{answer.attribution}\n{_marked(answer)}\n", "base64")


def windows_1252(answer: Answer) -> EmailMessage:
    """In an old charset; what it lacks becomes a question mark, in the quote only."""
    body = f"{answer.text}\n{answer.attribution}\n\n"
    try:
        body.encode("cp1252")
    except UnicodeEncodeError:
        return top_posted(answer)
    quote = _marked(answer).encode("cp1252", "replace").decode("cp1252")
    message = _addressed(answer)
    message.set_content(body + quote + "\n", charset="cp1252", cte="quoted-printable")
    return message


def outlook(answer: Answer) -> EmailMessage:
    """The letter bare below a block of its headers, its lines joined and wrapped anew."""
    wrapped = [part for line in answer.quoted for part in textwrap.wrap(line, 100) or [""]]
    block = (
        f"-----Original Message-----\nFrom: {answer.letter.sender_name} "
        f"<{answer.letter.reply_address}>\nSent: Tuesday, December 1, 2026 9:00 AM\n"
        f"To: {answer.name} <{answer.address}>\nSubject: {answer.letter.subject}\n"
    )
    return _plain(answer, f"{answer.text}\n\n{block}\n" + "\n".join(wrapped) + "\n")


def apple(answer: Answer) -> EmailMessage:
    """As Apple Mail: a short attribution, wrapped over two lines, and two blank lines."""
    sender = f"{answer.letter.sender_name} <{answer.letter.reply_address}>"
    attribution = f"> On 1 Dec 2026, at 09:00,\n> {sender} wrote:\n> "
    return _plain(answer, f"{answer.text}\n\n{attribution}\n{_marked(answer)}\n")


def flowed(answer: Answer) -> EmailMessage:
    """format=flowed (RFC 3676), as Thunderbird: long lines of the quote end in a space."""
    lines: list[str] = []
    for line in answer.text.rstrip("\n").split("\n"):
        stuffed = line if line == "-- " else line.rstrip()
        lines.append(f" {stuffed}" if stuffed.startswith((" ", ">", "From ")) else stuffed)
    lines += ["", answer.attribution]
    for line in answer.quoted:
        parts = textwrap.wrap(line, 70) or [""]
        lines += [f"> {part} " for part in parts[:-1]] + [f"> {parts[-1]}".rstrip()]
    message = _plain(answer, "\n".join(lines) + "\n")
    message.set_param("format", "flowed")
    return message


def html_and_text(answer: Answer) -> EmailMessage:
    """Both, as Gmail: the letter's HTML in a block quote."""
    message = top_posted(answer)
    message.add_alternative(_gmail_html(answer), subtype="html", cte="quoted-printable")
    return message


def html_only(answer: Answer) -> EmailMessage:
    message = _addressed(answer)
    message.set_content(_gmail_html(answer), subtype="html", cte="base64")
    return message


def _gmail_html(answer: Answer) -> str:
    inner = re.search(r"<body[^>]*>(.*)</body>", answer.letter.html, re.DOTALL)
    quoted = inner[1] if inner else answer.letter.html
    divs = [
        f"<div>{html.escape(line, quote=False) if line.strip() else '<br>'}</div>"
        for line in answer.text.rstrip("\n").split("\n")
    ]
    return (
        f'<html><body><div dir="ltr">{"".join(divs)}</div><br>'
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f"{html.escape(answer.attribution)}<br></div>"
        f'<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{quoted}</blockquote>'
        f"</div></body></html>\n"
    )


LAYOUTS: tuple[Callable[[Answer], EmailMessage], ...] = (
    top_posted,
    bottom_posted,
    inline,
    unquoted,
    base64,
    windows_1252,
    outlook,
    apple,
    flowed,
    html_and_text,
    html_only,
)


def laid_out(answer: Answer, rng: random.Random) -> bytes:
    """The answer as one of these programs sends it."""
    return rng.choice(LAYOUTS)(answer).as_bytes()
