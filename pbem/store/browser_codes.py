"""The code that makes a browser known: six digits, worked out from the installation's key
and a number that the browser keeps.  The database holds nothing of it."""

from datetime import timedelta

from pbem.store.tokens import Keys

DIGITS = 6
CODE_LIVES = timedelta(minutes=15)


def code_of(keys: Keys, person_id: int, number: int) -> str:
    """The code that a letter brings to this person; `number` tells one from the next."""
    derived = keys.derive("browser-code", f"{person_id}/{number}")
    return str(int.from_bytes(derived[:8], "big") % 10**DIGITS).zfill(DIGITS)
