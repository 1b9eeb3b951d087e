"""DKIM signatures of our own (RFC 6376), for installations whose relay does not sign.

The signature is made over the very bytes that go out: nothing is folded, encoded or added
afterwards but the dots that SMTP doubles and the receiving server takes away again.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import dkim

from pbem.settings import Settings, SettingsError

SIGNED = (
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
    "Auto-Submitted", "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post",
    "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
)  # fmt: skip
"""Headers that are signed where they stand; those of one-click must be (RFC 8058 4)."""
SMALLEST_KEY = 1024  # bits (RFC 8301 3.2)

Lookup = Callable[[str], bytes | None]
"""The text of a name's TXT record; None: there is none."""


class Signer:
    """Signs with one key.  `SettingsError` when it cannot be used."""

    def __init__(self, domain: str, selector: str, key: Path) -> None:
        self.domain, self.selector = domain, selector
        try:
            self._key = key.read_bytes().replace(b"\r\n", b"\n")
        except OSError as error:
            raise SettingsError(f"setting dkim.key: {key}: {error.strerror}") from None
        self._check(key)

    @property
    def record_name(self) -> str:
        """Where the public key is published."""
        return f"{self.selector}._domainkey.{self.domain}"

    def signed(self, message: bytes) -> bytes:
        """The message, with a DKIM-Signature in front."""
        signer = dkim.DKIM(message)
        present = {name.lower() for name, _ in signer.headers}
        # From once more than it stands there, so that none can be added (RFC 6376 5.4.2).
        names = [b"from", *(one for one in _SIGNED if one in present)]
        signature: bytes = signer.sign(
            self.selector.encode(),
            self.domain.encode(),
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=names,
        )
        return signature + message

    def is_published(self, lookup: Lookup) -> bool:
        """Whether the world finds the public key that belongs to ours."""
        probe = self.signed(b"From: <probe@" + self.domain.encode() + b">\r\n\r\n\r\n")

        def record(name: bytes, timeout: float = 5) -> bytes | None:
            return lookup(name.decode().rstrip("."))

        return bool(dkim.verify(probe, dnsfunc=record))

    def _check(self, key: Path) -> None:
        try:
            numbers = dkim.crypto.parse_pem_private_key(self._key)
            bits = numbers["modulus"].bit_length()
        except Exception:  # noqa: BLE001 - its parser fails in every way on what is no key
            raise SettingsError(f"setting dkim.key: {key} holds no RSA key in PEM form") from None
        if bits < SMALLEST_KEY:
            raise SettingsError(
                f"setting dkim.key: {key} has {bits} bits; nobody accepts less than {SMALLEST_KEY}"
            )


_SIGNED = tuple(name.lower().encode() for name in SIGNED)


def signer_of(settings: Settings) -> Signer | None:
    """The signer of an installation; None: it does not sign."""
    if not settings.dkim.selector:
        return None
    path = settings.path(settings.dkim.key)
    changed = path.stat().st_mtime_ns if path.exists() else 0
    domain = settings.dkim.domain or settings.mail.domain
    return _signer(domain, settings.dkim.selector, path, changed)


@lru_cache(maxsize=8)
def _signer(domain: str, selector: str, path: Path, _changed: int) -> Signer:
    return Signer(domain, selector, path)
