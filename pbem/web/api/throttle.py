"""How often one token, or one address without a good one, may ask: so many requests in a
minute of each process; then it has to wait for the next minute."""

import threading
from collections import Counter
from datetime import datetime

MOST_KEYS = 10_000


class Throttle:
    """Counts requests in fixed windows; `key` is whoever asks."""

    def __init__(self, limit: int, seconds: int = 60) -> None:
        self.limit = limit
        self.seconds = seconds
        self._window = 0
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def wait(self, key: str, now: datetime) -> int:
        """Count one request; 0 if it may go on, else the seconds after which one may again."""
        moment = int(now.timestamp())
        window = moment // self.seconds
        with self._lock:
            if window != self._window or len(self._counts) > MOST_KEYS:
                self._window, self._counts = window, Counter()
            self._counts[key] += 1
            if self._counts[key] <= self.limit:
                return 0
        return self.seconds - moment % self.seconds
