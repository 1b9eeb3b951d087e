"""Who gets which letter when something has happened.

Each function queues letters in the caller's unit of work; bots get none.
"""

from pbem.letters.announce.answers import answer, confirm, opened, stranger, test_report
from pbem.letters.announce.arriving import sent_elsewhere, unreachable
from pbem.letters.announce.clock import absence, deadline_missed, pace, reminder, reminders
from pbem.letters.announce.invitations import (
    declined,
    expired,
    invitation,
    invitation_reminder,
    withdrawn,
)
from pbem.letters.announce.moderators import sign_in
from pbem.letters.announce.people import (
    address_changed,
    address_confirm,
    address_taken,
    forgotten,
    my_data,
    resend_all,
)
from pbem.letters.announce.table import (
    after_turn,
    game_begins,
    game_over,
    message,
    message_to_moderator,
    resend,
    resigned,
)

__all__ = [
    "absence",
    "address_changed",
    "address_confirm",
    "address_taken",
    "after_turn",
    "answer",
    "confirm",
    "deadline_missed",
    "declined",
    "expired",
    "forgotten",
    "game_begins",
    "game_over",
    "invitation",
    "invitation_reminder",
    "message",
    "message_to_moderator",
    "my_data",
    "opened",
    "pace",
    "reminder",
    "reminders",
    "resend",
    "resend_all",
    "resigned",
    "sent_elsewhere",
    "sign_in",
    "stranger",
    "test_report",
    "unreachable",
    "withdrawn",
]
