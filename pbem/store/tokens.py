"""Reply addresses and personal links.

A token is base32, lower case, of an HMAC-SHA-256 under the instance's key, cut to 130
bits (26 characters).  It can be computed anew for every rendering, so only its SHA-256
is stored; a copy of the database alone opens no door.
"""

import base64
import hashlib
import hmac
import os
import tempfile
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel

from pbem.store.models import Token

LENGTH = 26
_RAW = 20  # bytes: whole groups of base32 that are as long at least


@dataclass(frozen=True)
class Bearer:
    """What a token stands for: a seat at one decision, an invitation, a person
    (letters about several tables), or a person's page."""

    purpose: str  # seat, invitation, person, page, confirm
    person_id: int | None = None
    game_id: int | None = None
    seat: int | None = None
    invitation_id: int | None = None
    decision: int | None = None
    generation: int = 0

    def _text(self) -> str:
        parts = (
            self.purpose, self.person_id, self.game_id, self.seat,
            self.invitation_id, self.decision, self.generation,
        )  # fmt: skip
        return "/".join("-" if part is None else str(part) for part in parts)


class Keys:
    """The secret key of an installation and what is derived from it."""

    def __init__(self, key: bytes) -> None:
        if len(key) < 32:
            raise ValueError("an instance key has at least 32 bytes")
        self._key = key

    @classmethod
    def of_instance(cls, folder: Path) -> "Keys":
        """Read `key` of the instance folder; made at first, readable by its owner only."""
        path = folder / "key"
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make_key(path)
        return cls(path.read_bytes())

    def derive(self, label: str, text: str) -> bytes:
        """32 bytes for one use (`label`); uses cannot be mistaken for each other."""
        return hmac.digest(self._key, f"{label}\0{text}".encode(), "sha256")

    def token(self, bearer: Bearer) -> str:
        raw = self.derive("token", bearer._text())[:_RAW]
        return base64.b32encode(raw).decode("ascii").lower()[:LENGTH]


def _make_key(path: Path) -> None:
    """Put a new key in place whole: of two processes that start at once one wins, and
    neither ever reads a key half written."""
    handle, name = tempfile.mkstemp(prefix=".key-", dir=path.parent)  # of mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(os.urandom(32))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(name, path)
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)  # a key lost in a power cut would void every reply address
        finally:
            os.close(directory)
    finally:
        os.unlink(name)


def digest(token: str) -> str:
    return hashlib.sha256(token.lower().encode()).hexdigest()


def issue(session: Session, keys: Keys, bearer: Bearer, now: datetime) -> str:
    """The token of a bearer, known to the database from now on."""
    token = keys.token(bearer)
    if session.get(Token, digest(token)) is None:
        session.add(
            Token(
                digest=digest(token),
                purpose=bearer.purpose,
                person_id=bearer.person_id,
                game_id=bearer.game_id,
                seat=bearer.seat,
                invitation_id=bearer.invitation_id,
                decision=bearer.decision,
                generation=bearer.generation,
                created_at=now,
            )
        )
        session.flush()
    return token


def issue_all(session: Session, keys: Keys, bearers: Collection[Bearer], now: datetime) -> None:
    """Make many tokens known at once; those that are known already stay as they are."""
    rows = [
        {"digest": digest(keys.token(bearer)), "created_at": now, **vars(bearer)}
        for bearer in dict.fromkeys(bearers)
    ]
    if rows:
        connection = session.connection()
        connection.execute(_INSERT_NEW[connection.dialect.name], rows)


_TOKEN = SQLModel.metadata.tables["token"]
_INSERT_NEW = {
    "sqlite": sqlite.insert(_TOKEN).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(_TOKEN).on_conflict_do_nothing(),
}


def find(session: Session, token: str) -> Token | None:
    """The row of a token as it was written, or None: unknown or revoked."""
    row = session.get(Token, digest(token.strip()))
    return None if row is None or row.revoked_at is not None else row


def blocked_digest(keys: Keys, address: str) -> str:
    """The form in which "never again" is remembered: a keyed hash, not the address."""
    return keys.derive("blocked", address.strip().lower()).hex()
