"""What a moderator who plays must not read: as the registry of actions has it."""

from pbem.moderation.closed import OPENED, Closed, open_as_owner

__all__ = ["OPENED", "Closed", "open_as_owner"]
