"""The receipt of a mail, ready for a page: what came, what was read, what it caused."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.intake.authentication import Proof
from pbem.letters import receipts as words
from pbem.letters.answered import TROUBLE, Answered, answered
from pbem.store import Event, Game, Letter, Mail, Person
from pbem.store.moderated import MODERATED
from pbem.store.rows import id_of
from pbem.translation import _

SHOWN_TO_ALL = TROUBLE | {"ignored", "not tried"}
"""Lines whose answer tells of the rules and the mail; the others' may tell of a hand."""


@dataclass(frozen=True)
class ReceiptLine:
    """One line of the mail and what became of it; ``hidden``: its answer is the seat's."""

    text: str
    status: str
    told: str  # the status, with the rules that say so
    message: str
    block: tuple[str, ...]
    hidden: bool


@dataclass(frozen=True)
class Caused:
    """An event of a table."""

    game: str
    game_id: int
    seq: int
    kind: str
    at: datetime


@dataclass(frozen=True)
class AnswerLetter:
    """A letter that answers the mail."""

    id: int
    kind: str
    to: str
    state: str
    at: datetime


@dataclass(frozen=True)
class Receipt:
    """What is shown of one mail."""

    id: int
    received_at: datetime
    handled_at: datetime | None
    state: str
    came_by: str
    envelope_from: str
    envelope_to: tuple[str, ...]
    sender: str
    subject: str
    message_id: str
    size: int
    kind: str
    identified: str
    proof: str  # whether it was proved where it comes from; "" where nobody looked
    person: str
    game: str
    game_id: int | None
    seat: int | None
    reason: str
    held_until: datetime | None
    parts: tuple[str, ...]
    text: str
    cuts: tuple[str, ...]
    outcome: str
    lines: tuple[ReceiptLine, ...]
    notes: tuple[str, ...]
    events: tuple[Caused, ...]
    letters: tuple[AnswerLetter, ...]


def receipt(session: Session, mail: Mail, reader_id: int | None) -> Receipt:
    """The receipt of a mail for its own person (`reader_id`), or for whoever has a role
    (None): then what may tell of a hand is left out while the game runs."""
    kept: Mapping[str, Any] = mail.receipt or {}
    game = None if mail.game_id is None else session.get(Game, mail.game_id)
    person = None if mail.person_id is None else session.get(Person, mail.person_id)
    answer = None if kept.get("answer") is None else answered(kept["answer"])
    open_to_all = game is not None and game.status == "over"
    whole = reader_id is not None or open_to_all
    return Receipt(
        id=id_of(mail),
        received_at=mail.received_at,
        handled_at=mail.handled_at,
        state=mail.state,
        came_by=words.came_by(mail.channel),
        envelope_from=mail.envelope_from,
        envelope_to=tuple(mail.envelope_to),
        sender=kept.get("sender") or mail.envelope_from,
        subject=kept.get("subject") or "",
        message_id=mail.message_id or "",
        size=len(mail.raw or b""),
        kind=words.kind_of(mail.kind),
        identified=words.identified(kept),
        proof=_proof(kept.get("proof")),
        person="" if person is None else person.name,
        game="" if game is None else game.name,
        game_id=mail.game_id,
        seat=mail.seat,
        reason="" if reader_id is not None else _reason(mail, kept),
        held_until=mail.held_until if mail.state == "held" else None,
        parts=tuple(words.parts(kept)),
        text=kept.get("text") or "",
        cuts=tuple(words.cuts(kept)),
        outcome="" if answer is None else answer.outcome,
        lines=() if answer is None else lines_of(answer, whole),
        notes=() if answer is None or not whole else tuple(answer.notes),
        events=_events(session, mail, reader_id),
        letters=_letters(session, mail, reader_id),
    )


def _reason(mail: Mail, kept: Mapping[str, Any]) -> str:
    """Why the mail is in its state."""
    match mail.error:
        case "sender":
            return _("{sender} is no address of its person.", sender=kept.get("sender") or "?")
        case "list":
            return _("It came with the headers of a mailing list or of bulk mail.")
        case "unproved":
            return _proof(kept.get("proof")) or _("Nothing in it proves where it comes from.")
    return mail.error or ""


def _proof(kept: Mapping[str, Any] | None) -> str:
    return "" if kept is None else Proof(kept["dmarc"], kept["domain"]).sentence


def lines_of(answer: Answered, whole: bool) -> tuple[ReceiptLine, ...]:
    """The lines of an answer; not `whole`: without what may tell of a hand."""
    found = []
    for line in (*answer.main, *answer.ignored):
        shown = whole or line.status in SHOWN_TO_ALL
        found.append(
            ReceiptLine(
                text=line.text,
                status=line.status,
                told=line.told,
                message=line.message if shown else "",
                block=line.block if whole else (),
                hidden=not shown and bool(line.message or line.block),
            )
        )
    return tuple(found)


def _events(session: Session, mail: Mail, reader_id: int | None) -> tuple[Caused, ...]:
    rows = session.exec(
        select(Event, Game.name)
        .join(Game, col(Game.id) == col(Event.game_id))
        .where(Event.mail_id == mail.id)
        .order_by(col(Event.id))
    )
    return tuple(
        Caused(name, event.game_id, event.seq, event.kind, event.at)
        for event, name in rows
        if reader_id is None or event.kind == MODERATED or event.person_id == reader_id
    )


def _letters(session: Session, mail: Mail, reader_id: int | None) -> tuple[AnswerLetter, ...]:
    query = select(Letter).where(Letter.answers_mail_id == mail.id)
    if reader_id is not None:
        query = query.where(Letter.person_id == reader_id)
    return tuple(
        AnswerLetter(id_of(row), row.kind, row.to_address, row.state, row.sent_at or row.created_at)
        for row in session.exec(query.order_by(col(Letter.id)))
    )
