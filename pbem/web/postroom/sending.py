"""Out through real SMTP, and a short wait for what the server makes of it."""

import re
import smtplib
import time
from email.message import EmailMessage

from sqlmodel import col, select

from pbem.store import Game, Letter, Mail
from pbem.web import installation

SMTP_SECONDS = 5.0
WAIT_SECONDS = 3.0
_PAUSE = 0.05
_SMTP_NOTED = re.compile(r"^SMTP: \S+:(\d+)$", re.MULTILINE)


class NotTaken(Exception):
    """The mail server does not take the mail; the text says why and what to do."""


def smtp_port() -> int:
    """Where the installation's mail server listens.  Where the settings leave the choice to
    the machine (port 0), the run command has noted what it came to."""
    settings = installation().settings
    if settings.mail.port:
        return settings.mail.port
    try:
        noted = (settings.instance / "addresses.txt").read_text("utf-8")
    except OSError:
        noted = ""
    found = _SMTP_NOTED.search(noted)
    if found is None:
        raise NotTaken("The mail server is not running: start it with “python -m pbem run”.")
    return int(found[1])


def send(message: EmailMessage, sender: str, recipient: str) -> None:
    """Hand the mail to the installation's own SMTP server.  Raises `NotTaken`."""
    host, port = installation().settings.mail.host, smtp_port()
    try:
        with smtplib.SMTP(host, port, timeout=SMTP_SECONDS) as smtp:
            smtp.send_message(message, sender, [recipient])
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = next(iter(error.recipients.values()))
        raise NotTaken(f"The mail server refuses {recipient}: {code} {_text(answer)}") from None
    except smtplib.SMTPResponseException as error:
        said = _text(error.smtp_error)
        raise NotTaken(f"The mail server refuses the mail: {error.smtp_code} {said}") from None
    except (OSError, smtplib.SMTPException) as error:
        raise NotTaken(
            f"The mail server at {host}:{port} does not answer ({error}). Is the server running?"
        ) from None


def newest_letter_id() -> int:
    """The number of the newest letter to anybody: what comes later is new."""
    with installation().store.read() as session:
        return session.exec(select(Letter.id).order_by(col(Letter.id).desc()).limit(1)).first() or 0


def wait_for_answer(message_id: str, to_address: str, after: int) -> bool:
    """Wait until the mail has been read and the bots have moved; False when that takes
    longer than a reader of the page should wait."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        if _settled(message_id, to_address, after):
            return True
        time.sleep(_PAUSE)
    return False


def _settled(message_id: str, to_address: str, after: int) -> bool:
    with installation().store.read() as session:
        mail = session.exec(
            select(Mail).where(Mail.message_id == message_id).order_by(col(Mail.id).desc()).limit(1)
        ).first()
        if mail is None or mail.state == "new":
            return False
        if mail.game_id is not None:
            game = session.get(Game, mail.game_id)
            if game is not None and game.bot_waits:
                return False
        came = session.exec(
            select(Letter.id).where(Letter.to_address == to_address, col(Letter.id) > after)
        ).first()
        return came is not None or mail.state != "done"


def _text(answer: bytes | str) -> str:
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
