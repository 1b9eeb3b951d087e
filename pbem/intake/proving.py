"""When it has to be proved that a mail comes from where its From says, and how it is.

A reply address and a known sender need no proof, unless the table's policy asks for one.
What changes something at the server's own address, where no reply address speaks for the
sender, always does.
"""

from dataclasses import replace

from engine.cards import builtin_deck
from pbem.commands import Context, read
from pbem.installation import Installation
from pbem.intake.authentication import Proof, authenticate
from pbem.intake.authentication.letterhead import Irregular, read_letterhead
from pbem.intake.identify import Identity
from pbem.intake.message import Message
from pbem.intake.ordering import text_of
from pbem.settings import LOOPBACK, Settings
from pbem.store import Mail

QUESTIONS = frozenset({
    "games", "hand", "help", "history", "legal", "preview", "resend", "rules", "scores",
    "status", "test", "why",
})  # fmt: skip
"""Commands that change nothing; their answer goes to the registered address."""
ORDERING = frozenset({"commands", "empty"})
"""The kinds of mails that can order something; an empty one by its subject."""
HERE = "this machine"
HIMSELF = "the person"


def with_proof(
    installation: Installation, mail: Mail, message: Message, identity: Identity
) -> Identity:
    """The identity with its proof, where one is needed.  It may take seconds: never called
    in a writing unit of work."""
    if identity.proof is not None or message.kind not in ORDERING:
        return identity
    if identity.verdict == "act" and identity.policy == "dmarc":
        return replace(identity, proof=_proof(installation, mail))
    if identity.verdict in ("server", "resend") and changes_something(message, identity):
        here = _handed_in_here(installation, mail)
        return replace(identity, proof=here or _proof(installation, mail))
    return identity


def vouched(identity: Identity, message: Message) -> Identity:
    """The identity of a mail whose person has said himself that it is his."""
    proof = Proof("pass", message.sender.rpartition("@")[2], HIMSELF, by="person")
    verdict = "act" if identity.bearer is not None else "server"
    return replace(identity, verdict=verdict, policy="sender", proof=proof, confirmed=True)


def changes_something(message: Message, identity: Identity) -> bool:
    """Whether a mail to the server's own address orders more than an answer."""
    context = Context(builtin_deck(), sender=identity.name, addressed="server")
    lines = read(text_of(message), context).lines
    return any(
        line.command is not None and line.error is None and line.command not in QUESTIONS
        for line in lines
    )


def _proof(installation: Installation, mail: Mail) -> Proof:
    return authenticate(
        mail.raw,
        installation.resolver,
        now=mail.received_at,
        authserv_id=installation.settings.mail.authserv_id,
    )


def _handed_in_here(installation: Installation, mail: Mail) -> Proof | None:
    """A program on this machine wrote it to a listener nobody else reaches: every mail
    server that passes one on writes a Received line (RFC 5321 4.4), and it has none."""
    if not _reached_from_here_only(installation.settings, mail.channel):
        return None
    try:
        head = read_letterhead(mail.raw)
    except Irregular:
        return None
    if head.all("received") or head.all("x-received"):
        return None
    return Proof("pass", head.domain, HERE, by="here")


def _reached_from_here_only(settings: Settings, channel: str) -> bool:
    if channel == "smtp":
        return settings.mail.host in LOOPBACK
    if channel == "lmtp":
        return bool(settings.lmtp.socket) or settings.lmtp.host in LOOPBACK
    return channel == "pipe"
