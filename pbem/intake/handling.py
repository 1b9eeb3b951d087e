"""One mail from its bytes to its receipt: read, identified, settled."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from sqlmodel import Session

from pbem.desk.ahead import Ahead, only_turns
from pbem.installation import Installation
from pbem.intake.case import MailCase, Result
from pbem.intake.identify import Identity, identify
from pbem.intake.known import quotable
from pbem.intake.message import Message, OwnAddresses, read_message
from pbem.intake.ordering import order_of, stands_alone
from pbem.intake.proving import ORDERING, with_proof
from pbem.intake.settling import settle
from pbem.post.consequences import sign_of_life
from pbem.store import Mail, daily
from pbem.store.bounce_scores import address_row
from pbem.store.people import fold_address

MOST_KEPT = 100_000  # characters of new text that are kept beside the raw mail
SIGNS_OF_LIFE = frozenset({"commands", "empty", "encrypted", "unreadable"})
"""The kinds of mails that a person writes: his address is alive."""
ENVELOPED = frozenset({"smtp", "lmtp"})
"""The ways in that always know the sender of the envelope: an empty one is the null return
path.  Others leave it empty when they were not told."""


@dataclass(frozen=True)
class Understood:
    """A mail as far as it can be dealt with without changing anything."""

    message: Message
    identity: Identity
    ahead: Ahead | None = None

    @property
    def only_table(self) -> int | None:
        """The table, if nothing else is written: what was written to the address of its seat is
        turns and nothing but turns."""
        bearer = self.identity.bearer
        if self.ahead is None or bearer is None or bearer.seat is None:
            return None
        return bearer.game_id if only_turns(self.ahead.reading.lines) else None


def read_mail(installation: Installation, mail_id: int) -> Understood:
    """Read a stored mail: its bytes, whose it is, what it orders."""
    ahead = None
    with installation.store.read() as session:
        mail = session.get_one(Mail, mail_id)
        message, identity = _looked_at(installation, session, mail)
        if identity.verdict == "act" and message.kind in ORDERING:
            order = order_of(message, identity, mail.id, mail.digest)
            ahead = installation.desk.read_ahead(session, order)
    return Understood(message, with_proof(installation, mail, message, identity), ahead)


def carry_out(
    installation: Installation,
    session: Session,
    row: Mail,
    message: Message,
    identity: Identity,
    notes: tuple[str, ...] = (),
    ahead: Ahead | None = None,
) -> Result:
    """Settle a mail in the caller's unit of work, and write into its row what became of
    it.  `notes` are said in the answer beside what is done; `ahead` is how its text was
    read before."""
    now = installation.clock()
    if (row.kind == "bounce") != (message.kind == "bounce"):
        daily.changed(session, now, row.received_at)
    row.kind, row.message_id = message.kind, message.message_id or None
    row.sender = fold_address(message.sender) or None
    row.person_id = identity.person_id
    if identity.bearer is not None:
        row.game_id, row.seat = identity.bearer.game_id, identity.bearer.seat
    row.receipt = reading_of(message, identity)
    with session.no_autoflush:
        address = address_row(session, message.sender)
    case = MailCase(installation, session, now, row, message, identity, notes, ahead, address)
    if message.kind in SIGNS_OF_LIFE:
        sign_of_life(session, installation.site, now, address)
    result = settle(case)
    row.state, row.error = result.state, result.reason or None
    row.text = message.text[:MOST_KEPT] if identity.verdict in ("act", "ask") else None
    row.receipt = receipt_of(case, result)
    row.handled_at = case.now
    session.add(row)
    return result


def understand(installation: Installation, mail: Mail) -> tuple[Message, Identity]:
    """Read a mail, find out whose it is, and prove it where that is needed."""
    with installation.store.read() as session:
        message, identity = _looked_at(installation, session, mail)
    return message, with_proof(installation, mail, message, identity)


def _looked_at(
    installation: Installation, session: Session, mail: Mail
) -> tuple[Message, Identity]:
    """Read a mail as far as its addresses, then with what its writer may be quoting."""
    settings = installation.settings
    is_told = mail.channel in ENVELOPED or mail.envelope_from != ""
    envelope_from = mail.envelope_from if is_told else None
    read = partial(
        read_message,
        mail.raw,
        own_addresses=OwnAddresses.of(settings),
        envelope_from=envelope_from,
        envelope_to=mail.envelope_to,
        max_bytes=settings.mail.max_bytes,
    )
    message = read()
    identity = identify(
        session,
        settings,
        installation.keys,
        envelope_to=mail.envelope_to,
        recipients=message.recipients,
        references=message.references,
        sender=message.sender,
    )
    sent = [] if stands_alone(message) else quotable(session, installation.site, identity)
    return (read(sent=sent) if sent else message), identity


def receipt_of(case: MailCase, result: Result) -> dict[str, Any]:
    """What the receipt page shows: how the mail was identified, read, and answered."""
    answer = None if result.answer is None else result.answer.to_json()
    return {**reading_of(case.message, case.identity), "answer": answer}


def reading_of(message: Message, identity: Identity) -> dict[str, Any]:
    """The part of the receipt that is known before anything is done."""
    bearer = identity.bearer
    return {
        "verdict": identity.verdict,
        "by": identity.by,
        "addressed": identity.addressed,
        "decision": None if bearer is None else bearer.decision,
        "policy": identity.policy,
        "proof": None if identity.proof is None else identity.proof.to_json(),
        "sender": message.sender,
        "subject": message.subject,
        "text": message.text[:MOST_KEPT],
        "cut": list(message.cut),
        "parts": [asdict(part) for part in message.parts],
    }
