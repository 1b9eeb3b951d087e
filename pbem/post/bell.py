"""A bell between threads of one process: rung when there is work, so that whoever does
it starts at once and not at the next sweep.  What is due is told by the tables alone;
a ring that is lost costs a second, never a letter."""

import threading


class Bell:
    """Rung by many, waited at by one."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def ring(self) -> None:
        self._event.set()

    def wait(self, timeout: float) -> bool:
        """Wait until the bell is rung (True) or `timeout` seconds have passed (False)."""
        rung = self._event.wait(timeout)
        self._event.clear()
        return rung
