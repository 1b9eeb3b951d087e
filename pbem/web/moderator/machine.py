"""`/moderator/server`: how the server itself is, and the doctor's checks."""

import os
import subprocess
import sys
from dataclasses import dataclass

from flask import render_template
from werkzeug.wrappers import Response as AnyResponse

from pbem.settings import Settings
from pbem.store.audit import note
from pbem.web import installation
from pbem.web.health import Health, health_of
from pbem.web.moderator.guard import blueprint, signed_in
from pbem.web.moderator.reach import everywhere

LONGEST = 150  # seconds: each way in has a minute at most
MOST_LINES = 40


@dataclass(frozen=True)
class Finding:
    """What one check has found."""

    ok: bool
    what: str
    text: str


@blueprint.get("/server")
def machine() -> str:
    """Clock, queues, disk, database, ways in."""
    everywhere(signed_in())
    return _page(None)


@blueprint.post("/server/examine")
def examine() -> AnyResponse | str:
    """Let the doctor look: each way in is tried with a mail of the server's own."""
    here, who = installation(), signed_in()
    everywhere(who)
    with here.store.work() as session:
        note(session, here.clock(), who.because(), "examine")
    return _page(findings(here.settings))


def findings(settings: Settings) -> list[Finding]:
    """What `python -m pbem doctor` says, run apart, so that a check that hangs ends alone."""
    command = [sys.executable, "-m", "pbem", "doctor"]
    environment = {**os.environ, "ARK_INSTANCE": str(settings.instance.absolute())}
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            command, capture_output=True, text=True, timeout=LONGEST, env=environment,
            errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return [Finding(False, "doctor", f"gave no answer in {LONGEST} seconds")]
    said = [line for line in done.stdout.splitlines() if line[:4] in ("ok  ", "FAIL")]
    if not said:
        last = (done.stderr.strip().splitlines() or ["said nothing"])[-1]
        return [Finding(False, "doctor", last[:300])]
    found = []
    for line in said[:MOST_LINES]:
        what, _, text = line[5:].partition(": ")
        found.append(Finding(line.startswith("ok"), what, text[:500]))
    return found


def _page(found: list[Finding] | None) -> str:
    here = installation()
    with here.store.read() as session:
        health: Health = health_of(session, here)
    return render_template(
        "moderator/server.html", health=health, findings=found, ways=_ways(here.settings)
    )


def _ways(settings: Settings) -> list[tuple[str, bool, str]]:
    """The ways in and out: name, whether it is on, where it is."""
    lmtp, imap, post = settings.lmtp, settings.imap, settings.post
    return [
        ("SMTP", settings.mail.smtp, f"{settings.mail.host}:{settings.mail.port}"),
        ("LMTP", lmtp.enabled, lmtp.socket or f"{lmtp.host}:{lmtp.port}"),
        ("IMAP", imap.enabled, imap.name if imap.enabled else ""),
        ("Pipe", settings.mail.pipe, "python -m pbem deliver"),
        ("Webhook", bool(settings.webhook.secret), "/webhook/mail"),
        ("Letters out", True, post.transport),
    ]
