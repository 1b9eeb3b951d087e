"""Codes from a moderator's own device beside the link by mail (RFC 6238), and recovery codes.

The secret is derived from the installation's key and a nonce, so the database alone makes no
code; recovery codes are kept as keyed hashes.  Every code counts once.
"""

import base64
import hmac
import unicodedata
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pyotp
from sqlmodel import Session, col, delete, func, select

from pbem.store.models import RecoveryCode, SecondFactor
from pbem.store.tokens import Keys

STEP = 30  # seconds (RFC 6238 5.2)
DRIFT = 1  # steps by which a device's clock may be off
SECRET_BYTES = 20  # as long as the output of HMAC-SHA-1 (RFC 4226 R6)
RECOVERY_CODES = 10


def second_factor_of(session: Session, person_id: int) -> SecondFactor | None:
    """The second factor somebody has, or is about to have; None: he has none."""
    return session.get(SecondFactor, person_id)


def is_asked_for(session: Session, person_id: int) -> bool:
    """Whether signing in takes a code."""
    row = second_factor_of(session, person_id)
    return row is not None and row.confirmed_at is not None


def begin(
    session: Session, now: datetime, entropy: Callable[[int], bytes], person_id: int
) -> SecondFactor:
    """A new secret, not asked for until a code of it has confirmed it."""
    forget(session, person_id)
    row = SecondFactor(person_id=person_id, nonce=entropy(16).hex(), created_at=now)
    session.add(row)
    session.flush()
    return row


def secret_of(keys: Keys, row: SecondFactor) -> str:
    """The secret as a device takes it: base32."""
    raw = keys.derive("second-factor", f"{row.person_id}/{row.nonce}")[:SECRET_BYTES]
    return base64.b32encode(raw).decode("ascii")


def device_address(keys: Keys, row: SecondFactor, name: str, site: str) -> str:
    """The otpauth address that devices read."""
    return pyotp.TOTP(secret_of(keys, row)).provisioning_uri(name=name, issuer_name=site)


def confirm(
    session: Session, keys: Keys, now: datetime, entropy: Callable[[int], bytes],
    person_id: int, code: str,
) -> list[str] | None:  # fmt: skip
    """Switch it on with its first code; returns the recovery codes, which are never shown
    again, or None when the code is wrong."""
    row = second_factor_of(session, person_id)
    if row is None or row.confirmed_at is not None or not _counts(keys, row, now, code):
        return None
    row.confirmed_at = now
    session.add(row)
    codes = [base64.b32encode(entropy(10)).decode("ascii").lower() for _ in range(RECOVERY_CODES)]
    for one in codes:
        digest = _digest(keys, person_id, one)
        session.add(RecoveryCode(digest=digest, person_id=person_id, created_at=now))
    return ["-".join(one[at : at + 4] for at in range(0, 16, 4)) for one in codes]


def accepts(session: Session, keys: Keys, now: datetime, person_id: int, code: str) -> bool:
    """Take a code of the device, or a recovery code; whichever it is, it is used up.  The
    lock is for a code that is sent twice at once."""
    row = session.get(SecondFactor, person_id, with_for_update=True, populate_existing=True)
    if row is None or row.confirmed_at is None:
        return False
    if _counts(keys, row, now, code):
        session.add(row)
        return True
    spare = session.get(RecoveryCode, _digest(keys, person_id, _folded(code)))
    if spare is None or spare.used_at is not None:
        return False
    spare.used_at = now
    session.add(spare)
    return True


def spares_left(session: Session, person_id: int) -> int:
    """How many recovery codes are unused."""
    unused = (RecoveryCode.person_id == person_id, col(RecoveryCode.used_at).is_(None))
    return session.exec(select(func.count()).select_from(RecoveryCode).where(*unused)).one()


def forget(session: Session, person_id: int) -> bool:
    """Switch it off; True if it was on, or begun."""
    codes: Any = delete(RecoveryCode).where(col(RecoveryCode.person_id) == person_id)
    session.exec(codes)
    row = second_factor_of(session, person_id)
    if row is None:
        return False
    session.delete(row)
    session.flush()
    return True


def _counts(keys: Keys, row: SecondFactor, now: datetime, code: str) -> bool:
    """Whether it is a code of the device that has not counted yet; it has from now on."""
    device, here = pyotp.TOTP(secret_of(keys, row)), int(now.timestamp()) // STEP
    for step in range(here - DRIFT, here + DRIFT + 1):
        right = device.at(step * STEP)
        if step > row.step and hmac.compare_digest(right.encode(), _folded(code).encode()):
            row.step = step
            return True
    return False


def _folded(code: str) -> str:
    """A code as it is compared: without spaces and dashes, small, digits of any script."""
    kept = (unicodedata.normalize("NFKC", char) for char in code[:100] if char.isalnum())
    return "".join(kept).lower()


def _digest(keys: Keys, person_id: int, code: str) -> str:
    return keys.derive("recovery-code", f"{person_id}/{code}").hex()
