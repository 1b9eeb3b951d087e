"""Reports that a letter did not arrive, as the servers of other people send them."""

from pbem.installation import Installation
from pbem.store import Letter, Mail
from tests.intake.mails import deposit, drain, stored

REPORT = """\
From: MAILER-DAEMON@mx.example.org
To: {to}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Your mail could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ann@example.org
Action: {action}
Status: {status}
--b
Content-Type: text/rfc822-headers

Message-ID: {message_id}
--b--
"""


def bounce(installation: Installation, letter: Letter, to: str, **facts: str) -> Mail:
    """A report that a letter came back, sent to `to` and dealt with."""
    facts = {"action": "failed", "status": "5.1.1", "message_id": letter.message_id} | facts
    raw = REPORT.format(to=to, **facts).encode()
    number = deposit(installation, raw, to, sender="")
    drain(installation)
    return stored(installation, number)
