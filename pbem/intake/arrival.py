"""A mail as it came, and how it is put into the inbox."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, SQLModel

from pbem.store import Mail

NULL_PATH = "<>"


@dataclass(frozen=True)
class Arrival:
    """A mail with its envelope.  ``sender`` is empty for the null return path of SMTP and
    LMTP, which always know it; a way in that may or may not be told it says `NULL_PATH`."""

    raw: bytes
    sender: str
    recipients: tuple[str, ...]
    channel: str  # smtp, lmtp, imap, pipe, webhook


def store_mail(session: Session, now: datetime, arrival: Arrival) -> Mail:
    """Put a mail into the inbox; it is safe when the caller's unit of work is committed."""
    mail = Mail(**row_of(now, arrival))
    session.add(mail)
    return mail


def row_of(now: datetime, arrival: Arrival) -> dict[str, Any]:
    """The row of a mail that has just come."""
    return {
        "received_at": now,
        "channel": arrival.channel,
        "envelope_from": _storable(arrival.sender),
        "envelope_to": [_storable(address) for address in arrival.recipients],
        "raw": arrival.raw,
        "digest": hashlib.sha256(arrival.raw).hexdigest(),
        "state": "new",
        "attempts": 0,
    }


def null_or(sender: str | None) -> str:
    """The envelope's sender as somebody hands it over: "" when he does not tell (None),
    `NULL_PATH` when he tells that there is none."""
    return "" if sender is None else sender.strip("<> ") or NULL_PATH


INSERT = insert(SQLModel.metadata.tables["mail"])
"""Stores many such rows at once (`Connection.execute`)."""


def _storable(address: str) -> str:
    """The address as text a database takes: what was no UTF-8 becomes U+FFFD."""
    return address.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "�")
