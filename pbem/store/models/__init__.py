"""The tables, a module a subject."""

from pbem.store.models.channels import Hook
from pbem.store.models.games import Deed, Event, Game, Invitation, Pending, Seat, Tenure
from pbem.store.models.mail import Letter, Mail, Token
from pbem.store.models.moderation import Audit, Pause, Role, Sitting
from pbem.store.models.people import Address, AddressChange, Blocked, Erasure, Person

__all__ = [
    "Address",
    "AddressChange",
    "Audit",
    "Blocked",
    "Deed",
    "Erasure",
    "Event",
    "Game",
    "Hook",
    "Invitation",
    "Letter",
    "Mail",
    "Pause",
    "Pending",
    "Person",
    "Role",
    "Seat",
    "Sitting",
    "Tenure",
    "Token",
]
