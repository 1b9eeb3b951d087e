"""A reader for processes of their own, which import this and no test."""

import os
import signal
import time

from pbem.installation import Installation
from pbem.intake.handling import Understood, read_mail
from pbem.store import Mail

HANGS, DIES = b"please hang", b"please die"


def fragile(installation: Installation, mail_id: int) -> Understood:
    """Two mails do to it what no mail should be able to do."""
    with installation.store.read() as session:
        raw = session.get_one(Mail, mail_id).raw
    if HANGS in raw:
        time.sleep(600)
    if DIES in raw:
        os.kill(os.getpid(), signal.SIGKILL)
    return read_mail(installation, mail_id)
