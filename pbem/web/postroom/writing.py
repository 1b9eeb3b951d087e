"""A mail as a mail program would write it: the answer above, the letter quoted below."""

from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

DOMAIN = "postroom.localhost"


@dataclass(frozen=True)
class WrittenMail:
    """What somebody wrote, and to what it is the answer (empty: to nothing)."""

    from_address: str
    from_name: str
    to_address: str
    subject: str
    text: str
    in_reply_to: str = ""
    references: str = ""
    quoted: str = ""
    quoted_from: str = ""
    quoted_at: datetime | None = None


def compose(draft: WrittenMail, now: datetime, entropy: bytes) -> EmailMessage:
    """The mail, ready to send.  `ValueError` for an address or subject that is none."""
    message = EmailMessage(policy=SMTP)
    message["From"] = _address(draft.from_name, draft.from_address)
    message["To"] = _address("", draft.to_address)
    message["Subject"] = " ".join(draft.subject.split())
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{entropy.hex()}@{DOMAIN}>"
    if draft.in_reply_to:
        message["In-Reply-To"] = draft.in_reply_to
        message["References"] = f"{draft.references} {draft.in_reply_to}".strip()
    message.set_content(_body(draft), cte="quoted-printable")
    return message


def reply_subject(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def _body(draft: WrittenMail) -> str:
    text = "\n".join(draft.text.splitlines()) + "\n"
    if not draft.quoted:
        return text
    at = f"{draft.quoted_at:%a, %d %b %Y at %H:%M}" if draft.quoted_at else "an earlier day"
    quoted = "\n".join(f"> {line}".rstrip() for line in draft.quoted.splitlines())
    return f"{text}\nOn {at}, {draft.quoted_from} wrote:\n\n{quoted}\n"


def _address(name: str, address: str) -> Address:
    local, _, domain = address.strip().rpartition("@")
    if not local or not domain or not address.isprintable():
        raise ValueError(f"{address.strip() or 'nothing'} is no mail address")
    return Address(name, addr_spec=address.strip())
