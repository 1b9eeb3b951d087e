"""Tables, migrations and the unit of work."""

from pbem.store.models import (
    Address,
    Blocked,
    Deed,
    Event,
    Game,
    Invitation,
    Letter,
    Mail,
    Pending,
    Person,
    Seat,
    Tenure,
    Token,
)
from pbem.store.session import Store

__all__ = [
    "Address",
    "Blocked",
    "Deed",
    "Event",
    "Game",
    "Invitation",
    "Letter",
    "Mail",
    "Pending",
    "Person",
    "Seat",
    "Store",
    "Tenure",
    "Token",
]
