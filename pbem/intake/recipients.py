"""The addresses of this installation, and what each of them stands for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam
from sqlmodel import Session, select

from pbem.post.addresses import letter_of
from pbem.settings import Settings
from pbem.store import Letter, Token
from pbem.store.tokens import Bearer, Keys, digest

POSTMASTER = "postmaster"
REPLY_PREFIX = "t-"
ANSWERED = frozenset({"seat", "invitation", "person", "confirm", "address", "undo"})
"""The purposes of reply addresses; the key of a page, a calendar, a sign-in is none."""
_LETTER_ID = re.compile(r"<letter-([0-9]{1,15})-")


@dataclass(frozen=True)
class Recipient:
    """One of our addresses: a reply address (``bearer``), a letter's return path
    (``letter_id``), or the server's own (``server``) and the postmaster's.  One that was
    ``revoked`` moves nothing, but its mail is taken: its player may have answered an old
    letter, and gets the present one."""

    purpose: str  # reply, revoked, return path, server, postmaster
    bearer: Bearer | None = None
    letter_id: int | None = None


def local_part(settings: Settings, address: str) -> str | None:
    """The local part of an address in our domain, in lower case and without what a
    plus sign adds to it; None for an address elsewhere."""
    local, at, domain = address.strip().strip("<>").rpartition("@")
    if not at:
        # RFC 5321 4.5.1: the postmaster is known without a domain too.
        return POSTMASTER if domain.lower() == POSTMASTER else None
    if domain.lower().rstrip(".") != settings.mail.domain:
        return None
    return local.lower().partition("+")[0]


def recipient(session: Session, settings: Settings, keys: Keys, address: str) -> Recipient | None:
    """What an address stands for; None when it is not, or no longer, one of ours."""
    local = local_part(settings, address)
    if local is None:
        return None
    if (ours := _without_token(settings, keys, local)) is not None:
        return ours
    if local.startswith(REPLY_PREFIX):
        token = session.get(Token, digest(local.removeprefix(REPLY_PREFIX)))
        if token is not None and token.purpose in ANSWERED:
            if token.revoked_at is not None:
                return Recipient("revoked")
            return Recipient("reply", bearer=_bearer(token))
    return None


def is_known(connection: Connection, settings: Settings, keys: Keys, address: str) -> bool:
    """Whether `recipient` knows the address; quickly, for a server that asks once a mail."""
    local = local_part(settings, address)
    if local is None or _without_token(settings, keys, local) is not None:
        return local is not None
    if not local.startswith(REPLY_PREFIX):
        return False
    key = digest(local.removeprefix(REPLY_PREFIX))
    return connection.execute(_PURPOSE, {"key": key}).scalar() in ANSWERED


_PURPOSE = select(Token.purpose).where(Token.digest == bindparam("key"))


def _without_token(settings: Settings, keys: Keys, local: str) -> Recipient | None:
    """What a local part stands for that is the same for everybody, or of one letter."""
    if local == settings.mail.server:
        return Recipient("server")
    if local == POSTMASTER:
        return Recipient("postmaster")
    letter_id = letter_of(keys, local)
    return None if letter_id is None else Recipient("return path", letter_id=letter_id)


def answered_letter(session: Session, message_ids: Sequence[str]) -> Letter | None:
    """The letter of ours that one of these ids belongs to, the first one first.

    The id names the row; that it is the row's own id, which nobody can guess, proves that
    whoever wrote has the letter."""
    for message_id in message_ids:
        match = _LETTER_ID.match(message_id)
        letter = None if match is None else session.get(Letter, int(match[1]))
        if letter is not None and letter.message_id == message_id:
            return letter
    return None


def _bearer(token: Token) -> Bearer:
    return Bearer(
        token.purpose,
        token.person_id,
        token.game_id,
        token.seat,
        token.invitation_id,
        token.decision,
        token.generation,
    )
