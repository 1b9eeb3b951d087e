"""One mail from its bytes to its receipt: read, identified, settled."""

from dataclasses import asdict
from functools import partial
from typing import Any

from pbem.installation import Installation
from pbem.intake.identify import Identity, identify
from pbem.intake.known import quotable
from pbem.intake.message import Message, OwnAddresses, read_message
from pbem.intake.ordering import stands_alone
from pbem.intake.settling import Case, Result, settle
from pbem.store import Mail

MOST_KEPT = 100_000  # characters of new text that are kept beside the raw mail
ENVELOPED = frozenset({"smtp", "lmtp"})
"""The ways in that know the sender of the envelope; an empty one is the null return path."""


def handle(installation: Installation, mail: Mail) -> None:
    """Read a mail, find out whose it is, settle it."""
    message, identity = understand(installation, mail)
    with installation.store.work() as session:
        row = session.get_one(Mail, mail.id)
        if row.state != "new":
            return  # somebody else was faster
        row.kind, row.message_id = message.kind, message.message_id or None
        row.person_id = identity.person_id
        if identity.bearer is not None:
            row.game_id, row.seat = identity.bearer.game_id, identity.bearer.seat
        session.flush()
        case = Case(installation, session, installation.clock(), row, message, identity)
        result = settle(case)
        row.state, row.error = result.state, result.reason or None
        row.text = message.text[:MOST_KEPT] if identity.verdict in ("act", "ask") else None
        row.receipt = receipt_of(case, result)
        row.handled_at = case.now
        session.add(row)


def understand(installation: Installation, mail: Mail) -> tuple[Message, Identity]:
    """Read a mail as far as its addresses, then with what its writer may be quoting."""
    settings = installation.settings
    envelope_from = mail.envelope_from if mail.channel in ENVELOPED else None
    read = partial(
        read_message,
        mail.raw,
        own_addresses=OwnAddresses.of(settings),
        envelope_from=envelope_from,
        envelope_to=mail.envelope_to,
        max_bytes=settings.mail.max_bytes,
    )
    message = read()
    with installation.store.read() as session:
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


def receipt_of(case: Case, result: Result) -> dict[str, Any]:
    """What the receipt page shows: how the mail was identified, read, and answered."""
    identity, message = case.identity, case.message
    return {
        "verdict": identity.verdict,
        "by": identity.by,
        "addressed": identity.addressed,
        "sender": message.sender,
        "subject": message.subject,
        "text": message.text[:MOST_KEPT],
        "cut": list(message.cut),
        "parts": [asdict(part) for part in message.parts],
        "answer": None if result.answer is None else result.answer.to_json(),
    }
