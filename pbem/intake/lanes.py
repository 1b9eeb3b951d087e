"""Which mails must wait for each other: those of one seat, of one person, of one sender.

This is told before a mail is read, from its envelope and from whatever looks like an
address in its header, so it may be too much, and a mail waits in vain; it is never too
little for the addresses that `identify` goes by.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import Session, SQLModel

from pbem.intake.arrival import NULL_PATH
from pbem.intake.recipients import POSTMASTER, REPLY_PREFIX, local_part
from pbem.settings import Settings
from pbem.store.people import fold_address
from pbem.store.tokens import digest

HEAD = 32_768  # bytes of a mail in which its header is looked for
MOST_ADDRESSES = 100  # of one mail
Lane = tuple[object, ...]

_ADDRESS = re.compile(rb"[^\s<>()\[\]:;,\"\\@]{1,128}@[^\s<>()\[\]:;,\"\\@]{1,255}")
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True)
class Waiting:
    """A mail of the inbox that was not read yet."""

    mail_id: int
    envelope_from: str
    envelope_to: Sequence[str]
    head: bytes
    attempts: int = 0
    error: str | None = None

    @property
    def is_suspect(self) -> bool:
        """Whether the process died while this mail was tried."""
        return self.attempts > 0 and self.error is None


def lanes_of(
    session: Session, settings: Settings, mails: Sequence[Waiting]
) -> dict[int, frozenset[Lane]]:
    """The lanes of each mail, by its number."""
    addresses = {mail.mail_id: _addresses(settings, mail) for mail in mails}
    known = _known(session, settings, {one for found in addresses.values() for one in found})
    return {
        number: frozenset([lane for one in found for lane in known.get(one, [("address", one)])])
        for number, found in addresses.items()
    }


def _addresses(settings: Settings, mail: Waiting) -> set[str]:
    end = _END_OF_HEADER.search(mail.head)
    head = mail.head if end is None else mail.head[: end.start()]
    sender = () if mail.envelope_from == NULL_PATH else (mail.envelope_from,)
    found = [*sender, *mail.envelope_to]
    for match in _ADDRESS.finditer(head):
        if len(found) >= MOST_ADDRESSES:
            break
        found.append(match[0].decode("utf-8", "replace"))
    everybodys = {settings.mail.server, POSTMASTER}
    return {
        fold_address(one) for one in found if one and local_part(settings, one) not in everybodys
    }


def _known(
    session: Session, settings: Settings, addresses: Iterable[str]
) -> Mapping[str, list[Lane]]:
    """Those of the addresses that stand for a person or a seat, and which."""
    tokens = {}
    for address in addresses:
        local = local_part(settings, address) or ""
        if local.startswith(REPLY_PREFIX):
            tokens[digest(local.removeprefix(REPLY_PREFIX))] = address
    known: dict[str, list[Lane]] = {}
    connection = session.connection()
    query = select(_ADDRESSES.c.address, _ADDRESSES.c.person_id)
    for address, person_id in connection.execute(query.where(_ADDRESSES.c.address.in_(addresses))):
        known[address] = [("person", person_id)]
    query = select(_TOKENS.c.digest, _TOKENS.c.game_id, _TOKENS.c.seat, _TOKENS.c.person_id)
    for row in connection.execute(query.where(_TOKENS.c.digest.in_(tokens))):
        seat = [] if row.seat is None else [("seat", row.game_id, row.seat)]
        person = [] if row.person_id is None else [("person", row.person_id)]
        known[tokens[row.digest]] = [*seat, *person]
    return known


_ADDRESSES = SQLModel.metadata.tables["address"]
_TOKENS = SQLModel.metadata.tables["token"]
