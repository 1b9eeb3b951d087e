"""What makes a browser known: a code of six digits, or what the link of a letter brings that
this browser has asked for.  Both are worked out from the installation's key and a number that
the browser keeps.  The database holds nothing of them."""

from datetime import timedelta

from pbem.store.tokens import Keys

DIGITS = 6
CODE_LIVES = timedelta(minutes=15)


def code_of(keys: Keys, person_id: int, number: int) -> str:
    """The code that a letter brings to this person; `number` tells one from the next."""
    derived = keys.derive("browser-code", f"{person_id}/{number}")
    return str(int.from_bytes(derived[:8], "big") % 10**DIGITS).zfill(DIGITS)


def asked_by(keys: Keys, person_id: int, number: int) -> str:
    """What stands in the link that was mailed to this person because the browser with this
    `number` asked for it.  Nobody types it, so it is too long to be guessed (64 bits)."""
    return keys.derive("asked-by", f"{person_id}/{number}").hex()[:16]
