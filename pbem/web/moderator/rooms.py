"""The rooms of the dashboard, as its navigation names them."""

from pbem.store.roles import Powers

Room = tuple[str, str, tuple[str, ...]]
"""The page, its name, and the pages that lie behind it."""

_ROOMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("today", "Today", ()),
    ("games", "Games", ("game",)),
    ("people", "People", ("person",)),
    ("inbox", "Mail room", ("mail", "source", "as_html", "preview", "act")),
    ("outbox", "Outbox", ("letter", "deliveries")),
    ("actions", "Actions", ("action_form", "preview_action", "do_action", "action_done")),
    ("numbers", "Numbers", ()),
    ("trail", "Audit", ()),
    ("machine", "Server", ("examine", "mailboxes")),
    ("staff", "Moderators", ()),
)
_EVERYWHERE = frozenset({"numbers", "machine"})
_OWNERS = frozenset({"staff"})


def rooms_of(powers: Powers) -> list[Room]:
    """The rooms that are open to a moderator."""
    return [
        (f"moderator.{page}", label, tuple(f"moderator.{one}" for one in inside))
        for page, label, inside in _ROOMS
        if (powers.everywhere or page not in _EVERYWHERE) and (powers.owner or page not in _OWNERS)
    ]
