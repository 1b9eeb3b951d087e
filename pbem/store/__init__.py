"""Tables, migrations and the unit of work."""

from pbem.store.models import (
    Address,
    Audit,
    Blocked,
    Deed,
    Event,
    Game,
    Invitation,
    Letter,
    Mail,
    Pause,
    Pending,
    Person,
    Role,
    Seat,
    Sitting,
    Tenure,
    Token,
)
from pbem.store.session import Store

__all__ = [
    "Address",
    "Audit",
    "Blocked",
    "Deed",
    "Event",
    "Game",
    "Invitation",
    "Letter",
    "Mail",
    "Pause",
    "Pending",
    "Person",
    "Role",
    "Seat",
    "Sitting",
    "Store",
    "Tenure",
    "Token",
]
