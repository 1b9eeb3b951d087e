"""What letters need of an installation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from pbem.settings import Settings
from pbem.store.tokens import Keys

Ring = Callable[[Session, Sequence[int]], None]
"""Says, in the unit of work that writes them, that these letters are to be delivered."""


def silently(session: Session, letters: Sequence[int]) -> None:
    """On one machine the outbox says it, to whoever delivers in the same process."""


@dataclass(frozen=True)
class Site:
    """Settings and keys of the installation a letter comes from, and how its post is rung for."""

    settings: Settings
    keys: Keys
    ring: Ring = silently

    @property
    def rules_url(self) -> str:
        return f"{self.settings.base_url}/rules"

    def page_url(self, token: str, game_id: int | None = None) -> str:
        """A person's own page, or his page of a table; whoever has the token is that person."""
        page = f"{self.settings.base_url}/p/{token}"
        return page if game_id is None else f"{page}/{game_id}"

    def act_url(self, what: str, token: str) -> str:
        """A page with one button, for whoever has the token: `address`, `undo`."""
        return f"{self.settings.base_url}/{what}/{token}"

    def sign_in_url(self, token: str) -> str:
        """Where a moderator signs in with a link's token."""
        return f"{self.settings.base_url}/moderator/sign-in/{token}"

    def unsubscribe_url(self, token: str, what: str) -> str:
        """Where one click ends letters of one kind: `reminders`, `news`, `talk`."""
        return f"{self.settings.base_url}/unsubscribe/{token}/{what}"

    def game_url(self, game_id: int) -> str:
        """The public page of a finished game."""
        return f"{self.settings.base_url}/games/{game_id}"

    def watch_url(self, game_id: int) -> str:
        """The public page of a running game that everybody may watch."""
        return f"{self.settings.base_url}/watch/{game_id}"

    def reply_address(self, token: str) -> str:
        return f"t-{token}@{self.settings.mail.domain}"
