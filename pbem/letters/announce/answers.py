"""Letters that answer a mail: threaded under it, its subject kept."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Any

from sqlmodel import Session

from pbem.letters.announce.invitations import own_invitation
from pbem.letters.plain import clean
from pbem.letters.queue import put_one, put_to
from pbem.letters.site import Site
from pbem.store import Game, Letter, Mail

KINDS = {"refused": "refusal", "aged": "aged", "preview": "preview", "held": "held"}
"""The letter of each outcome; of all others it is the receipt."""
MOST_HEADERS = 65_536  # bytes of a mail that are looked at for its subject and thread


def answer(
    session: Session,
    site: Site,
    now: datetime,
    answer: Mapping[str, Any],
    *,
    mail_id: int | None = None,
    person_id: int | None = None,
    game: Game | None = None,
    seat: int | None = None,
) -> int | None:
    """Mail the desk's answer (`Answer.to_json`) to the person who wrote; returns the
    number of the letter."""
    if person_id is None:
        return None
    context: dict[str, Any] = {"answer": dict(answer)}
    if game is not None and seat is None:
        own = own_invitation(session, game, person_id)
        if own is not None:
            context["invitation"] = own.id
    if game is not None and game.due_at is not None:
        context["due"] = game.due_at.isoformat()
    return _replied(
        session, site, now, KINDS.get(str(answer["outcome"]), "receipt"), mail_id,
        person_id=person_id, game=game, seat=seat, seq=answer.get("seq"), context=context,
    )  # fmt: skip


def opened(
    session: Session, site: Site, now: datetime, game: Game, mail_id: int | None = None
) -> Letter | None:
    """Tell the organiser that the table is open; answering it is as good as answering an
    invitation."""
    if game.organiser_id is None:
        return None
    own = own_invitation(session, game, game.organiser_id)
    context = {} if own is None else {"invitation": own.id}
    return reply(
        session, site, now, "opened", mail_id,
        person_id=game.organiser_id, game=game, context=context,
    )  # fmt: skip


def confirm(
    session: Session,
    site: Site,
    now: datetime,
    *,
    person_id: int,
    game: Game | None = None,
    seat: int | None = None,
    command: str,
    pending_id: int | None = None,
    mail_id: int | None = None,
) -> Letter | None:
    """Ask at the registered address whether this is meant (commands.md 1.8); only the
    reply address of this letter can confirm it."""
    return reply(
        session, site, now, "confirm", mail_id,
        person_id=person_id, game=game, seat=seat,
        context={"command": command, "pending": pending_id},
    )  # fmt: skip


def test_report(
    session: Session,
    site: Site,
    now: datetime,
    *,
    to_address: str,
    report: Sequence[str],
    person_id: int | None = None,
    mail_id: int | None = None,
) -> Letter | None:
    """Mail back how a mail was read; `report` is that, line by line."""
    return reply(
        session, site, now, "test", mail_id,
        person_id=person_id, to_address=to_address, context={"report": list(report)},
    )  # fmt: skip


def stranger(
    session: Session, site: Site, now: datetime, *, to_address: str, mail_id: int | None = None
) -> Letter | None:
    """A short answer to somebody this server does not know."""
    return reply(session, site, now, "stranger", mail_id, to_address=to_address, context={})


def reply(
    session: Session, site: Site, now: datetime, kind: str, mail_id: int | None, **details: Any
) -> Letter | None:
    """Queue a letter as the answer to a mail; without one it opens a conversation."""
    number = _replied(session, site, now, kind, mail_id, **details)
    return None if number is None else session.get_one(Letter, number)


def _replied(
    session: Session, site: Site, now: datetime, kind: str, mail_id: int | None,
    *, context: dict[str, Any], person_id: int | None = None, to_address: str = "",
    **details: Any,
) -> int | None:  # fmt: skip
    mail = None if mail_id is None else session.get(Mail, mail_id)
    if mail is not None:
        headers = _headers(mail)
        context["subject"] = headers["Subject"]
        details |= {"answers": mail, "references": headers["References"].split()}
    if person_id is not None:
        return put_to(session, site, now, kind, person_id, context=context, **details)
    return put_one(session, site, now, kind, to_address=to_address, context=context, **details)


def _headers(mail: Mail) -> dict[str, str]:
    """Subject (decoded) and References of a mail, however broken it is."""
    message = BytesHeaderParser(policy=compat32).parsebytes(mail.raw[:MOST_HEADERS])
    subject = str(message.get("Subject", ""))[:2000]
    with suppress(ValueError, LookupError, HeaderParseError):  # else it is shown as it came
        subject = str(make_header(decode_header(subject)))
    references = str(message.get("References", ""))
    return {"Subject": clean(subject), "References": " ".join(references.split())[:4000]}
