"""The tables, a module a subject."""

from pbem.store.models.archive import (
    Category,
    DriveOut,
    FinishedGame,
    FinishedSeat,
    Profile,
    Rating,
    Recount,
    Statistic,
)
from pbem.store.models.channels import Hook
from pbem.store.models.clock import Absence, Heartbeat, Outage, Reminder, Wait
from pbem.store.models.games import Deed, Event, Game, Invitation, Pending, Seat, Tenure
from pbem.store.models.lookups import DailyFigures, GameName, PersonName
from pbem.store.models.mail import Letter, Mail, Token
from pbem.store.models.mailboxes import Mailbox, MailboxEntry
from pbem.store.models.moderation import Audit, BulkAction, BulkGame, Pause, Role, Sitting
from pbem.store.models.people import (
    Address,
    AddressChange,
    Blocked,
    EarlierName,
    Erasure,
    Person,
)
from pbem.store.models.preferences import TablePreference
from pbem.store.models.site import SiteText, UploadedDeck
from pbem.store.models.staff import Deputy, Leave, RecoveryCode, SecondFactor
from pbem.store.models.tables import Ballot, Reliability, SeatOffer, Vote

__all__ = [
    "Absence",
    "Address",
    "AddressChange",
    "Audit",
    "Ballot",
    "Blocked",
    "BulkAction",
    "BulkGame",
    "Category",
    "DailyFigures",
    "Deed",
    "Deputy",
    "DriveOut",
    "EarlierName",
    "Erasure",
    "Event",
    "FinishedGame",
    "FinishedSeat",
    "Game",
    "GameName",
    "Heartbeat",
    "Hook",
    "Invitation",
    "Leave",
    "Letter",
    "Mail",
    "Mailbox",
    "MailboxEntry",
    "Outage",
    "Pause",
    "Pending",
    "Person",
    "PersonName",
    "Profile",
    "Rating",
    "Recount",
    "RecoveryCode",
    "Reliability",
    "Reminder",
    "Role",
    "Seat",
    "SeatOffer",
    "SecondFactor",
    "SiteText",
    "Sitting",
    "Statistic",
    "TablePreference",
    "Tenure",
    "Token",
    "UploadedDeck",
    "Vote",
    "Wait",
]
