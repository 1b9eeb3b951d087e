"""The moderators' dashboard: what needs a human, games, people, mails, numbers, audit.

Whoever plays at a table sees of it what his seat sees (`closed`, `game_page`); nothing is
done by looking, and all that is done is written into the audit.
"""

from pbem.web.moderator import (
    account,
    actions,
    audit,
    games,
    machine,
    mailboxes,
    mailroom,
    numbers,
    outbox,
    people,
    signing_in,
    staff,
    today,
    words,
)
from pbem.web.moderator.guard import blueprint

__all__ = [
    "account",
    "actions",
    "audit",
    "blueprint",
    "games",
    "machine",
    "mailboxes",
    "mailroom",
    "numbers",
    "outbox",
    "people",
    "signing_in",
    "staff",
    "today",
    "words",
]
