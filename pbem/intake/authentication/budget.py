"""What may be spent on one mail's questions to the DNS."""

import time
from collections.abc import Callable

from pbem.resolver import LookupFailed, Resolver

QUERY_SECONDS = 3.0
MAIL_SECONDS = 6.0
"""How long one question, and all questions about one mail, may take."""
MOST_QUESTIONS = 10


class Budget:
    """A resolver for one mail: no more questions, and no more time, than are allowed.
    ``failed`` tells whether an answer was missing."""

    def __init__(
        self,
        resolver: Resolver,
        seconds: float = MAIL_SECONDS,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._resolver = resolver
        self._timer = timer
        self._end = timer() + seconds
        self._questions = 0
        self.failed = False

    def txt(self, name: str) -> tuple[bytes, ...]:
        """As `Resolver.txt`."""
        left = self._end - self._timer()
        self._questions += 1
        try:
            if left <= 0 or self._questions > MOST_QUESTIONS:
                raise LookupFailed(f"{name}: no time left for it")
            return self._resolver.txt(name, min(left, QUERY_SECONDS))
        except LookupFailed:
            self.failed = True
            raise
