"""Where the server that runs listens: it has noted that, and the settings of a command may
say something else (another environment, or a port left to the machine)."""

import re

from pbem.jobs.embedded import AlreadyRunning, Lock
from pbem.settings import Settings

NOTED = "addresses.txt"
_LINE = re.compile(r"^(Web|SMTP|LMTP): (?:http://)?(\S+):([0-9]{1,5})$", re.MULTILINE)
_GROUPS = {"Web": "web", "SMTP": "mail", "LMTP": "lmtp"}


def as_it_listens(settings: Settings) -> Settings:
    """The settings with the addresses of the server that runs on their instance folder;
    unchanged where none runs."""
    try:
        noted = (settings.instance / NOTED).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return settings
    changed = {}
    for what, host, port in _LINE.findall(noted):
        group = getattr(settings, _GROUPS[what])
        found = group.model_copy(update={"host": host, "port": int(port)})
        if found != group:
            changed[_GROUPS[what]] = found
    if not changed or not serves(settings):
        return settings  # the note is of a server that has ended
    return settings.model_copy(update=changed)


def serves(settings: Settings) -> bool:
    """Whether a server holds the lock of this instance folder."""
    lock = Lock(settings.instance)
    try:
        lock.acquire()
    except AlreadyRunning:
        return True
    lock.release()
    return False
