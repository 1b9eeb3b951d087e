"""Which addresses are our own."""

from dataclasses import dataclass
from typing import Self

from pbem.settings import Settings


@dataclass(frozen=True)
class OwnAddresses:
    """The addresses of an installation.

    In `domain` the local part `server` and those that begin with one of the prefixes are
    ours: reply addresses (``t-…``) and the letters' return paths (``b-…``, VERP).
    `others` are whole addresses elsewhere that we send from (a mailbox read by IMAP)."""

    domain: str
    server: str = "ark"
    reply_prefix: str = "t-"
    return_prefix: str = "b-"
    others: frozenset[str] = frozenset()

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The addresses of the installation with these settings."""
        return cls(settings.mail.domain, settings.mail.server)

    def _local(self, address: str) -> str | None:
        local, at, domain = address.lower().strip().rpartition("@")
        return local if at and domain.rstrip(".") == self.domain.lower() else None

    def is_own(self, address: str) -> bool:
        """Whether we send from this address."""
        local = self._local(address)
        if local is None:
            return address.lower().strip() in self.others
        local = local.partition("+")[0]
        return local == self.server or local.startswith((self.reply_prefix, self.return_prefix))

    def is_return_path(self, address: str) -> bool:
        """Whether bounces of our letters come to this address."""
        local = self._local(address)
        return local is not None and local.startswith(self.return_prefix)
