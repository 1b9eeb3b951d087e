"""Mails as players write them, and putting them into the inbox."""

from email.message import EmailMessage
from email.utils import make_msgid

from sqlmodel import col, select

from pbem.installation import Installation
from pbem.intake.arrival import Arrival, store_mail
from pbem.intake.inbox import drain
from pbem.store import Mail


def written(
    text: str = "",
    sender: str = "Ann <ann@example.org>",
    subject: str = "Re: Ark",
    to: str = "ark@ark.example",
    message_id: str | None = None,
    **headers: str,
) -> bytes:
    """A plain mail; `headers` with underscores for hyphens."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"] = "Tue, 01 Dec 2026 09:00:00 +0000"
    message["Message-ID"] = message_id if message_id is not None else make_msgid(domain="x.example")
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes()


def deposit(
    installation: Installation, raw: bytes, to: str = "ark@ark.example",
    sender: str = "ann@example.org", channel: str = "smtp",
) -> int:  # fmt: skip
    """Store a mail; returns its number."""
    with installation.store.work() as session:
        arrival = Arrival(raw, sender, (to,), channel)
        mail = store_mail(session, installation.clock(), arrival)
        session.flush()
        assert mail.id is not None
        return mail.id


def receive(
    installation: Installation, to: str, text: str = "", sender: str = "ann@example.org",
    **options: str,
) -> Mail:  # fmt: skip
    """A mail written, stored and dealt with."""
    raw = written(text, sender=f"Somebody <{sender}>", to=to, **options)
    number = deposit(installation, raw, to, sender)
    drain(installation)
    return stored(installation, number)


def stored(installation: Installation, number: int) -> Mail:
    with installation.store.read() as session:
        mail = session.get_one(Mail, number)
        session.expunge_all()
        return mail


def all_mails(installation: Installation) -> list[Mail]:
    with installation.store.read() as session:
        mails = list(session.exec(select(Mail).order_by(col(Mail.id))))
        session.expunge_all()
        return mails
