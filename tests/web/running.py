"""The harbour with everything at work: mail, jobs and pages, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jinja2 import BytecodeCache

from pbem.app import create_app
from pbem.intake.smtp import SmtpServer
from pbem.jobs.embedded import Jobs
from pbem.web.server import WebServer, WebSocket
from tests.web.harbour import Harbour


@contextmanager
def at_work(
    harbour: Harbour, compiled: BytecodeCache | None = None, *, in_background: bool = True
) -> Iterator[str]:
    """As the run command puts it together; yields the address of the pages.  Without what
    works in the background, letters stay in the outbox and bots do not move."""
    installation = harbour.installation
    jobs = Jobs(installation)
    installation.nudge.listen(jobs.ring)
    smtp = SmtpServer(installation, on_mail=installation.nudge)
    smtp.start()
    taken = WebSocket(installation.settings.web)
    app = create_app(installation)
    app.jinja_env.bytecode_cache = compiled
    web = WebServer(app, installation.settings.web, taken)
    noted = installation.settings.instance / "addresses.txt"
    noted.write_text(f"Web: http://127.0.0.1:{taken.port}\nSMTP: 127.0.0.1:{smtp.port}\n", "utf-8")
    web.start()
    if in_background:
        jobs.start()
    try:
        yield f"http://127.0.0.1:{taken.port}"
    finally:
        if in_background:
            jobs.stop()
        web.stop()
        taken.close()
        smtp.stop()
