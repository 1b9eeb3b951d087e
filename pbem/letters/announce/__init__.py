"""Who gets which letter when something has happened.

Each function queues letters in the caller's unit of work; bots get none.
"""

from pbem.letters.announce.answers import answer, confirm, opened, stranger, test_report
from pbem.letters.announce.arriving import sent_elsewhere, unreachable
from pbem.letters.announce.clock import (
    absence,
    deadline_missed,
    digest,
    pace,
    reminder,
    reminders,
    withdraw_reminder,
    withdraw_reminders,
)
from pbem.letters.announce.invitations import (
    declined,
    expired,
    invitation,
    invitation_reminder,
    withdrawn,
)
from pbem.letters.announce.moderators import sign_in, template_failed
from pbem.letters.announce.people import (
    address_changed,
    address_confirm,
    address_taken,
    forgotten,
    my_data,
    resend_all,
)
from pbem.letters.announce.seats import (
    ask,
    ended,
    halted,
    paused,
    played_for_you,
    seat_decision,
    seat_lost,
    seat_news,
    silence,
    substitute_wanted,
    substitute_welcome,
    vote,
    vote_over,
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
    "ask",
    "confirm",
    "deadline_missed",
    "declined",
    "digest",
    "ended",
    "expired",
    "forgotten",
    "game_begins",
    "game_over",
    "halted",
    "invitation",
    "invitation_reminder",
    "message",
    "message_to_moderator",
    "my_data",
    "opened",
    "pace",
    "paused",
    "played_for_you",
    "reminder",
    "reminders",
    "resend",
    "resend_all",
    "resigned",
    "seat_decision",
    "seat_lost",
    "seat_news",
    "sent_elsewhere",
    "sign_in",
    "silence",
    "stranger",
    "substitute_wanted",
    "substitute_welcome",
    "template_failed",
    "test_report",
    "unreachable",
    "vote",
    "vote_over",
    "withdraw_reminder",
    "withdraw_reminders",
    "withdrawn",
]
