"""Work on many rows in units that end soon, so that whoever waits to write waits for none of
them long."""

import time

LONGEST_UNIT = 0.03  # seconds: then no further piece is begun in it, for turns may wait
REST_SECONDS = 0.002  # between units, for whoever waits to write


class Span:
    """The time that one unit of work has."""

    def __init__(self) -> None:
        self._ends = time.monotonic() + LONGEST_UNIT

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self._ends


def rest() -> None:
    """Let others write, between two units."""
    time.sleep(REST_SECONDS)
