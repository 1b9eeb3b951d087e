"""Mails the server sends to itself, to see whether mail comes through (`pbem.clock.loop`)."""

import logging
from datetime import timedelta
from email.message import EmailMessage
from email.utils import make_msgid

from pbem.clock import loop
from pbem.installation import Installation
from pbem.post.smtp_client import Relay, SmtpOutcome
from pbem.settings import Settings

log = logging.getLogger(__name__)

ANSWER_SECONDS = 10.0  # of the relay


def watch_mail(installation: Installation) -> None:
    """See whether the loop mail is back, and send the next one when it is time; where they
    are switched off, an outage that was found before is over."""
    clock, now = installation.settings.clock, installation.clock()
    every = timedelta(minutes=clock.loop_minutes)
    with installation.store.work() as session:
        if not every:
            loop.end(session, now)
            return
        loop.look(session, now, every, timedelta(minutes=clock.loop_patience_minutes))
        message_id = loop.due(session, now, every)
    if message_id is None:
        return
    message = loop_message(installation.settings, message_id)
    with installation.store.work() as session:
        loop.sent(session, now, message["Message-ID"])
    outcome = send_by_relay(installation.settings, wire_form(message))
    if outcome.state != "sent":
        log.warning("the relay does not take the loop mail: %s", outcome.detail)


def loop_message(settings: Settings, message_id: str = "") -> EmailMessage:
    """A mail from the server to itself that nobody answers."""
    message = EmailMessage()
    message["From"] = message["To"] = settings.server_address
    message["Subject"] = "Loop mail"
    message["Message-ID"] = message_id or make_msgid(domain=settings.mail.domain)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("This mail only shows that mail arrives.\n")
    return message


def wire_form(message: EmailMessage) -> bytes:
    """Its bytes, with the ends of lines of RFC 5322 2.3."""
    return message.as_bytes().replace(b"\n", b"\r\n")


def send_by_relay(settings: Settings, raw: bytes) -> SmtpOutcome:
    """Hand a mail of the server's own to the relay, without much patience; never raises."""
    post = settings.post.model_copy(update={"timeout": min(settings.post.timeout, ANSWER_SECONDS)})
    relay = Relay(post, settings.mail.domain)
    try:
        return relay.send(settings.server_address, settings.server_address, raw)
    finally:
        relay.close()
