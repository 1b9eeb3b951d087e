"""What a check of the doctor finds, and that no check hangs."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from pbem.installation import Installation

RUNNING = "Is the server running?"
LONGEST_CHECK = 60.0


@dataclass(frozen=True)
class Finding:
    """What one check has found, and whether all is well there."""

    what: str
    ok: bool
    text: str


Check = Callable[[Installation], Finding]


def bounded(check: Check, what: str, installation: Installation) -> Finding:
    """The finding of a check, or that it gave none in time: whoever is asked may hang, or
    answer a byte a minute."""
    found: list[Finding] = []

    def run() -> None:
        try:
            found.append(check(installation))
        except Exception as error:  # noqa: BLE001 - a check that fails has found something
            said = " ".join(str(error).split())[:300]
            found.append(Finding(what, False, f"{type(error).__name__}: {said}"))

    thread = threading.Thread(target=run, name=f"check-{what}", daemon=True)
    thread.start()
    thread.join(LONGEST_CHECK)
    return found[0] if found else Finding(what, False, f"no answer in {LONGEST_CHECK:.0f} s")


def nobody_serves(what: str) -> Finding:
    return Finding(what, False, f"no server runs on this instance folder. {RUNNING}")
