"""From a mail that was read and identified to an order for the desk."""

from engine.cards import builtin_deck
from pbem.commands import Context, read
from pbem.desk.orders import Order
from pbem.intake.identify import Identity
from pbem.intake.message import Message, subject_command
from pbem.store.log import Author

ASKING = ("confirm", "address", "undo")
"""The purposes of reply addresses whose letter asked about one thing."""


def order_of(
    message: Message, identity: Identity, mail_id: int | None = None, digest: str = ""
) -> Order:
    """What the mail orders.  `digest` stands for the Message-ID of a mail without one."""
    bearer = identity.bearer
    return Order(
        text=text_of(message),
        author=Author("mail", identity.person_id, mail_id),
        game_id=None if bearer is None else bearer.game_id,
        seat=None if bearer is None else bearer.seat,
        decision=None if bearer is None or bearer.purpose == "person" else bearer.decision,
        after=bearer.decision if bearer is not None and bearer.purpose == "person" else None,
        decisions=identity.decisions,
        invitation_id=None if bearer is None else bearer.invitation_id,
        addressed=identity.addressed,
        # His names, for the sign-off (commands.md 1.3).
        sender=", ".join(filter(None, (identity.name, message.sender_name))) or None,
        message_id=message.message_id or f"sha256:{digest}",
        confirmed=identity.confirmed,
        purpose="" if bearer is None else bearer.purpose,
        confirms=None if bearer is None or bearer.purpose not in ASKING else bearer.generation,
        breaks=message.breaks,
    )


def text_of(message: Message) -> str:
    """The new text; of a mail without any, the subject, if that is one command (1.9)."""
    if message.text.strip():
        return message.text
    subject = subject_command(message.subject) or ""
    lines = read(subject, Context(builtin_deck())).lines
    return subject if len(lines) == 1 and lines[0].ignored is None else ""


def is_prose(text: str) -> bool:
    """Whether nothing in a text is, or was meant as, a command."""
    lines = read(text, Context(builtin_deck())).lines
    return all(line.ignored is not None or line.code == "prose-stop" for line in lines)


def stands_alone(message: Message) -> bool:
    """Whether a mail, read without knowing our letters, is commands and a sign-off only,
    with nothing cut.  Then knowing them changes nothing: no line of a letter is read as a
    command, so there is no quote in it, and the letters need not be looked through."""
    if message.cut or not message.text.strip():
        return False
    lines = read(message.text, Context(builtin_deck(), sender=message.sender_name)).lines
    return all(
        (line.command is not None and line.error is None) or line.ignored == "sign-off"
        for line in lines
    )
