"""Whose mail there is, and what is in a mailbox."""

import email
import email.policy
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.header import decode_header, make_header
from email.message import Message

from sqlalchemy import func
from sqlmodel import Session, col, select

from pbem.letters.queue import ASKING
from pbem.store import Address, Game, Letter, Mail, Person
from pbem.store.people import fold_address
from pbem.store.positions import position_now
from pbem.store.rows import id_of

_MOST = 200  # mails of one mailbox


@dataclass(frozen=True)
class PostroomMailbox:
    """Everybody who gets letters has one; ``waiting`` is the letter that waits for a move."""

    address: str
    name: str
    letters: int
    waiting: int | None


@dataclass(frozen=True)
class MailboxLine:
    """One line of a mailbox: a letter that came (``letter_id``) or a mail that was sent."""

    at: datetime
    subject: str
    note: str
    letter_id: int | None = None
    mail_id: int | None = None


def mailboxes(session: Session) -> list[PostroomMailbox]:
    """All mailboxes, those first that have a letter waiting for a move."""
    counts: dict[str, int] = dict(
        session.exec(
            select(Letter.to_address, func.count())
            .where(Letter.state != "replaced")
            .group_by(col(Letter.to_address))
        ).all()
    )
    names: dict[str, str] = dict(
        session.exec(
            select(Address.address, Person.name).join(
                Person, col(Person.id) == col(Address.person_id)
            )
        ).all()
    )
    waiting = _waiting(session)
    found = [
        PostroomMailbox(
            address, names.get(address, ""), counts.get(address, 0), waiting.get(address)
        )
        for address in sorted({*counts, *names})
    ]
    return sorted(found, key=lambda box: box.waiting is None)


def name_of(session: Session, address: str) -> str:
    """The name of the person with this address; "" for a stranger."""
    found = session.exec(
        select(Person.name)
        .join(Address, col(Address.person_id) == col(Person.id))
        .where(Address.address == fold_address(address))
    ).first()
    return found or ""


def letters_to(session: Session, address: str) -> list[Letter]:
    """The letters to an address, newest first, but for those a newer one has replaced."""
    return list(
        session.exec(
            select(Letter)
            .where(Letter.to_address == address, Letter.state != "replaced")
            .order_by(col(Letter.id).desc())
            .limit(_MOST)
        )
    )


def items_of(
    session: Session, address: str, letters: list[Letter], subjects: Mapping[int, str]
) -> list[MailboxLine]:
    """What is in a mailbox, newest first: these letters with their subjects, by id, and
    the mails that were sent from the address."""
    found = [
        MailboxLine(
            letter.created_at,
            subjects.get(id_of(letter), letter.kind),
            "" if letter.state == "sent" else letter.state,
            letter_id=letter.id,
        )
        for letter in letters
    ]
    mails = session.exec(
        select(Mail).where(Mail.envelope_from == address).order_by(col(Mail.id).desc()).limit(_MOST)
    )
    found += [
        MailboxLine(mail.received_at, subject_of(parsed(mail)), mail.state, mail_id=mail.id)
        for mail in mails
    ]
    return sorted(found, key=_age, reverse=True)


def parsed(mail: Mail) -> Message:
    return email.message_from_bytes(mail.raw, policy=email.policy.compat32)


def subject_of(message: Message) -> str:
    """The subject as its reader sees it."""
    try:
        return str(make_header(decode_header(str(message.get("Subject", ""))))) or "(no subject)"
    except (ValueError, LookupError):
        return "(unreadable subject)"


def to_open(letters: list[Letter], after: int = 0) -> Letter | None:
    """Which letter of a mailbox to open (they come newest first): of those that came
    after a certain one, first of all the one that asks for a move."""
    new = [letter for letter in letters if id_of(letter) > after]
    asking = (letter for letter in new if letter.kind in ASKING) if after else iter(())
    return next(asking, None) or next(iter(new or letters), None)


def _waiting(session: Session) -> dict[str, int]:
    """By address: the newest letter whose move has not been made."""
    rows = session.exec(
        select(Letter, Game)
        .join(Game, col(Game.id) == col(Letter.game_id))
        .where(
            col(Letter.kind).in_(ASKING),
            Letter.state != "replaced",
            Game.status == "running",
            Letter.decision == Game.decision,
        )
        .order_by(col(Letter.id))
    )
    return {
        letter.to_address: letter.id
        for letter, game in rows
        if letter.id is not None and letter.seat in position_now(game).to_move
    }


def _age(item: MailboxLine) -> tuple[datetime, int]:
    return item.at, item.letter_id or 0
