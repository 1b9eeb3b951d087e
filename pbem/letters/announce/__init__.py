"""Who gets which letter when something has happened.

Each function queues letters in the caller's unit of work; bots get none.
"""

from pbem.letters.announce.answers import answer, confirm, opened, stranger, test_report
from pbem.letters.announce.invitations import (
    declined,
    expired,
    invitation,
    invitation_reminder,
    withdrawn,
)
from pbem.letters.announce.moderators import sign_in
from pbem.letters.announce.table import (
    after_turn,
    deadline_missed,
    game_begins,
    game_over,
    message,
    message_to_moderator,
    reminder,
    resend,
    resigned,
)

__all__ = [
    "after_turn",
    "answer",
    "confirm",
    "deadline_missed",
    "declined",
    "expired",
    "game_begins",
    "game_over",
    "invitation",
    "invitation_reminder",
    "message",
    "message_to_moderator",
    "opened",
    "reminder",
    "resend",
    "resigned",
    "sign_in",
    "stranger",
    "test_report",
    "withdrawn",
]
