"""Return paths: every letter has its own (VERP), so that a bounce tells by the address
it comes to which letter did not arrive."""

import base64
import hmac
import re

from pbem.store.tokens import Keys

_LOCAL_PART = re.compile(r"b-([0-9]{1,15})-([a-z2-7]{16})")


def return_path(keys: Keys, domain: str, letter_id: int) -> str:
    """The envelope sender of a letter: ``b-LETTER-SIGNATURE@domain``.

    Signed with 80 bits, so that nobody can make up bounces of other people's letters."""
    return f"b-{letter_id}-{_signature(keys, letter_id)}@{domain}"


def letter_of(keys: Keys, local_part: str) -> int | None:
    """The letter whose return path has this local part (in any case); None: not ours."""
    match = _LOCAL_PART.fullmatch(local_part.lower())
    if match is None:
        return None
    letter_id = int(match[1])
    return letter_id if hmac.compare_digest(match[2], _signature(keys, letter_id)) else None


def _signature(keys: Keys, letter_id: int) -> str:
    return base64.b32encode(keys.derive("bounce", str(letter_id))).decode().lower()[:16]
