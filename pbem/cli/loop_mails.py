"""The doctor's checks of the ways in: each sends the server a mail of its own, and waits
until the inbox has dealt with it."""

import os
import smtplib
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from urllib.parse import urlencode

from sqlmodel import col, func, select

from pbem.cli.findings import RUNNING, Finding, nobody_serves
from pbem.cli.listening import serves
from pbem.installation import Installation
from pbem.intake.imap import Connection, ImapTrouble
from pbem.jobs.loop_mail import loop_message, send_by_relay, wire_form
from pbem.settings import Settings
from pbem.store import Mail, Mailbox, MailboxEntry
from pbem.web.webhook import signature

LOOP_SECONDS = 30.0
RELAY_SECONDS = 30.0
ANSWER_SECONDS = 10.0  # of whoever is spoken with

Send = Callable[[Installation, bytes], None]


class NotTakenError(Exception):
    """The mail was not taken; the text says why in one line."""


def check_smtp(installation: Installation) -> Finding:
    return _loop(installation, "smtp", _send_by_smtp)


def check_lmtp(installation: Installation) -> Finding:
    return _loop(installation, "lmtp", _send_by_lmtp)


def check_pipe(installation: Installation) -> Finding:
    return _loop(installation, "pipe", _send_by_pipe)


def check_webhook(installation: Installation) -> Finding:
    return _loop(installation, "webhook", _send_by_webhook)


def check_imap(installation: Installation) -> Finding:
    """Log in, see whether IDLE is there and what the reader says of itself; then send a
    mail out by the relay and wait for it in the mailbox."""
    settings = installation.settings
    try:
        with Connection(settings, readonly=True) as connection:
            how = "tells of new mail" if connection.tells else "has no IDLE, is asked"
    except ImapTrouble as error:
        return Finding("imap", False, str(error))
    text = f"{settings.imap.name} answers and {how}{_left_alone(installation)}"
    if not serves(installation.settings):
        return Finding("imap", False, f"{text}; no server reads it. {RUNNING}")
    if (broken := _broken(installation)) is not None:
        return Finding("imap", False, f"{text}, but the server cannot read it: {broken}")
    if settings.post.transport != "smtp":
        return Finding("imap", True, f"{text}; no loop mail: there is no relay")
    loop = _loop(installation, "imap", _send_by_relay, RELAY_SECONDS)
    return Finding("imap", loop.ok, f"{text}; {loop.text}")


def _loop(
    installation: Installation, what: str, send: Send, seconds: float = LOOP_SECONDS
) -> Finding:
    """Send a mail and wait until the server has read it."""
    if not serves(installation.settings):  # what listens there may be another installation's
        return nobody_serves(what)
    message = loop_message(installation.settings)
    started = time.monotonic()
    try:
        send(installation, wire_form(message))
    except NotTakenError as error:
        return Finding(what, False, str(error))
    except (OSError, smtplib.SMTPException) as error:
        return Finding(what, False, f"{_where(installation.settings, what)}: {error}. {RUNNING}")
    taken = time.monotonic() - started
    while time.monotonic() - started < taken + seconds:
        mail = _found(installation, message["Message-ID"])
        if mail is not None:
            whole = time.monotonic() - started
            came = f"a loop mail was taken in {taken:.1f} s and read in {whole:.1f} s"
            if mail.channel != what:
                return Finding(what, False, f"{came}, but it came in by {mail.channel}")
            return Finding(what, True, f"{came} ({mail.kind} mail, {mail.state})")
        time.sleep(0.1)
    return Finding(what, False, f"a loop mail was taken, but not read within {seconds:.0f} s")


def _found(installation: Installation, message_id: str) -> Mail | None:
    """The mail of this id, once it is dealt with."""
    with installation.store.read() as session:
        return session.exec(
            select(Mail)
            .where(Mail.message_id == message_id, Mail.state != "new")
            .order_by(col(Mail.id).desc())
        ).first()


def _send_by_smtp(installation: Installation, raw: bytes) -> None:
    settings = installation.settings
    address = settings.server_address
    with smtplib.SMTP(settings.mail.host, settings.mail.port, timeout=ANSWER_SECONDS) as smtp:
        if settings.starttls.certificate:
            # The certificate is for the name that others know this server by.
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            smtp.starttls(context=context)
        smtp.sendmail(address, [address], raw)


def _send_by_lmtp(installation: Installation, raw: bytes) -> None:
    lmtp = installation.settings.lmtp
    address = installation.settings.server_address
    # smtplib takes an absolute path for a Unix socket.
    host = str(installation.settings.path(lmtp.socket).absolute()) if lmtp.socket else lmtp.host
    with smtplib.LMTP(host, lmtp.port, timeout=ANSWER_SECONDS) as client:
        client.sendmail(address, [address], raw)


def _send_by_pipe(installation: Installation, raw: bytes) -> None:
    address = installation.settings.server_address
    command = [sys.executable, "-m", "pbem", "deliver", "--sender", address, "--recipient", address]
    folder = str(installation.settings.instance.absolute())
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            command, input=raw, capture_output=True, timeout=30,
            env={**os.environ, "ARK_INSTANCE": folder},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise NotTakenError("deliver did not end within 30 s") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
        raise NotTakenError(f"deliver ended with status {done.returncode}: {said[-1][:300]}")


def _send_by_webhook(installation: Installation, raw: bytes) -> None:
    settings = installation.settings
    address = settings.server_address
    query = urlencode({"sender": address, "recipient": address})
    timestamp = str(int(installation.clock().timestamp()))
    request = urllib.request.Request(
        f"http://{settings.web.host}:{settings.web.port}/webhook/mail?{query}",
        data=raw,
        headers={
            "Content-Type": "message/rfc822",
            "X-Ark-Timestamp": timestamp,
            "X-Ark-Signature": signature(settings.webhook.secret, timestamp, query.encode(), raw),
        },
    )
    try:
        urllib.request.urlopen(request, timeout=ANSWER_SECONDS).close()  # noqa: S310
    except urllib.error.HTTPError as error:
        error.close()
        raise NotTakenError(f"the webhook answers {error.code}") from None


def _send_by_relay(installation: Installation, raw: bytes) -> None:
    outcome = send_by_relay(installation.settings, raw)
    if outcome.state != "sent":
        raise NotTakenError(f"no loop mail: the relay does not take it ({outcome.detail})")


def _where(settings: Settings, what: str) -> str:
    """Where a way in is, for the operator."""
    lmtp = settings.lmtp
    return {
        "smtp": f"{settings.mail.host}:{settings.mail.port}",
        "lmtp": lmtp.socket or f"{lmtp.host}:{lmtp.port}",
        "webhook": f"{settings.web.host}:{settings.web.port}",
    }.get(what, what)


def _broken(installation: Installation) -> str | None:
    """Why the server's reader cannot read the mailbox; None when it can."""
    with installation.store.read() as session:
        query = select(Mailbox).where(Mailbox.name == installation.settings.imap.name)
        row = session.exec(query).first()
    if row is None:
        return "it has not got to it yet"
    return row.error or "unknown" if row.state == "broken" else None


def _left_alone(installation: Installation) -> str:
    """How many mails the reader has left in the mailbox."""
    query = (
        select(MailboxEntry.verdict, func.count())
        .join(Mailbox, col(Mailbox.id) == col(MailboxEntry.mailbox_id))
        .where(Mailbox.name == installation.settings.imap.name)
        .group_by(MailboxEntry.verdict)
    )
    with installation.store.read() as session:
        counts: dict[str, int] = dict(session.exec(query).all())
    left = {"of no concern": counts.get("no concern"), "too large": counts.get("too large")}
    told = [f"{count} {what}" for what, count in left.items() if count]
    return f" (left alone: {', '.join(told)})" if told else ""
