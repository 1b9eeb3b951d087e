"""The harbour with everything at work: mail, jobs and pages, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.app import create_app
from pbem.intake.smtp import SmtpServer
from pbem.jobs.embedded import Jobs
from pbem.web.server import WebServer, WebSocket
from tests.web.harbour import Harbour


@contextmanager
def at_work(harbour: Harbour) -> Iterator[str]:
    """As the run command puts it together; yields the address of the pages."""
    installation = harbour.installation
    jobs = Jobs(installation)
    installation.nudge.listen(jobs.ring)
    smtp = SmtpServer(installation, on_mail=installation.nudge)
    smtp.start()
    taken = WebSocket(installation.settings.web)
    web = WebServer(create_app(installation), installation.settings.web, taken)
    noted = installation.settings.instance / "addresses.txt"
    noted.write_text(f"Web: http://127.0.0.1:{taken.port}\nSMTP: 127.0.0.1:{smtp.port}\n", "utf-8")
    web.start()
    jobs.start()
    try:
        yield f"http://127.0.0.1:{taken.port}"
    finally:
        jobs.stop()
        web.stop()
        taken.close()
        smtp.stop()
