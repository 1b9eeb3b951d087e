"""The doctor's checks, each with one finding."""

import smtplib
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import make_msgid

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from pbem.cli.opening import first_line
from pbem.clock import is_stopped, late
from pbem.installation import Installation
from pbem.jobs.embedded import AlreadyRunning, Lock
from pbem.store import Mail, migrate

LOOP_SECONDS = 15.0
RUNNING = "Is the server running?"


@dataclass(frozen=True)
class Finding:
    what: str
    ok: bool
    text: str


def check_settings(installation: Installation) -> Finding:
    settings = installation.settings
    return Finding(
        "settings", True, f"instance folder {settings.instance}, mail domain {settings.mail.domain}"
    )


def check_database(installation: Installation) -> Finding:
    try:
        revision, newest = migrate.revision(installation.store), migrate.newest()
    except SQLAlchemyError as error:
        return Finding("database", False, first_line(error))
    if revision != newest:
        return Finding(
            "database", False,
            f"at revision {revision}, this version needs {newest}: run `python -m pbem upgrade`",
        )  # fmt: skip
    if missing := migrate.difference(installation.store):
        return Finding("database", False, f"differs from the models: {missing[0]}")
    return Finding("database", True, f"answers, at revision {revision}")


def check_web(installation: Installation) -> Finding:
    web = installation.settings.web
    if not _serves(installation):
        return Finding("pages", False, f"no server runs on this instance folder. {RUNNING}")
    address = f"http://{web.host}:{web.port}/health"
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return Finding("pages", answer.status == 200, f"{address} answers {answer.status}")
    except (urllib.error.URLError, OSError) as error:
        return Finding("pages", False, f"{address} does not answer ({error}). {RUNNING}")


def check_clock(installation: Installation) -> Finding:
    """Is anything late, and does the clock run at all?"""
    with installation.store.read() as session:
        found = late(session, installation.clock())
        stopped = is_stopped(session)
    if stopped:
        return Finding("clock", False, "stopped; `python -m pbem clock start` lets it run")
    return Finding("clock", not found, "; ".join(found) or "runs, and nothing is late")


def check_mail_loop(installation: Installation) -> Finding:
    """Send ourselves a mail, and wait until the inbox has dealt with it."""
    mail = installation.settings.mail
    if not _serves(installation):  # what listens there may be another installation's
        return Finding("mail", False, f"no server runs on this instance folder. {RUNNING}")
    message = EmailMessage()
    message["From"] = message["To"] = installation.settings.server_address
    message["Subject"] = "Loop mail of the doctor"
    message["Message-ID"] = make_msgid(domain=mail.domain)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("This mail only shows that mail arrives.\n")
    started = time.monotonic()
    try:
        with smtplib.SMTP(mail.host, mail.port, timeout=10) as smtp:
            smtp.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        taken = f"{mail.host}:{mail.port} does not take mail ({error}). {RUNNING}"
        return Finding("mail", False, taken)
    while time.monotonic() - started < LOOP_SECONDS:
        with installation.store.read() as session:
            state = _state_of(session, message["Message-ID"])
        if state not in (None, "new"):
            seconds = time.monotonic() - started
            return Finding("mail", True, f"a loop mail came back in {seconds:.1f} s ({state})")
        time.sleep(0.1)
    return Finding("mail", False, f"a loop mail was taken but not read within {LOOP_SECONDS:.0f} s")


def _serves(installation: Installation) -> bool:
    """Does a server hold the lock of this instance folder?"""
    lock = Lock(installation.settings.instance)
    try:
        lock.acquire()
    except AlreadyRunning:
        return True
    lock.release()
    return False


def _state_of(session: Session, message_id: str) -> str | None:
    return session.exec(
        select(Mail.state).where(Mail.message_id == message_id).order_by(col(Mail.id).desc())
    ).first()


CHECKS: tuple[Callable[[Installation], Finding], ...] = (
    check_settings,
    check_database,
    check_web,
    check_mail_loop,
    check_clock,
)
