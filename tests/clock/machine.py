"""A machine for tests of the clock: off at times, its clock set by somebody."""

from dataclasses import dataclass
from datetime import timedelta

from pbem.clock import Steady, tick
from pbem.installation import Installation
from pbem.store import Heartbeat
from tests.conftest import HandClock


@dataclass
class Machine:
    """A machine whose clock can be set, and which can be off."""

    installation: Installation
    clock: HandClock
    boot: str = "first"
    seconds: float = 1000.0

    def runs(self, hours: float, step: float = 0.025) -> None:
        """The server is there, and looks often; long runs in one go look at the end."""
        for _ in range(3):
            self.passes(hours=hours / 3)
            with self.installation.store.work() as session:
                row = session.get(Heartbeat, 1)
                if row is not None and row.suspect_since is None:
                    row.at, row.steady = self.clock() - timedelta(seconds=5), self.seconds - 5
                    session.add(row)
            self.ticks()

    def passes(self, hours: float) -> None:
        """Time passes, whether the server is there or not."""
        self.clock.advance(hours=hours)
        self.seconds += hours * 3600

    def jumps(self, hours: float) -> None:
        """Somebody sets the machine's clock."""
        self.clock.advance(hours=hours)

    def restarts(self) -> None:
        self.boot, self.seconds = self.boot + "+", 10.0

    def ticks(self) -> int:
        return tick(self.installation, Steady(self.boot, self.seconds))
