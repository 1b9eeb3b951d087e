"""The people of a simulated year, and how they behave."""

import math
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

ZONES = (
    "Europe/Berlin", "America/New_York", "Asia/Hong_Kong", "Australia/Lord_Howe",
    "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Auckland", "America/St_Johns", "UTC",
)  # fmt: skip
KINDS = ("prompt", "prompt", "prompt", "slow", "slow", "absent", "lost", "bouncing", "quitter")
MEDIAN_HOURS = {"prompt": 7.0, "slow": 34.0, "absent": 10.0, "lost": 9.0, "bouncing": 9.0,
                "quitter": 12.0}  # fmt: skip


@dataclass
class Player:
    """Somebody who plays, and when he does not."""

    person_id: int
    kind: str
    zone: str
    night: tuple[int, int] | None  # local hours
    deaf: list[tuple[datetime, datetime]] = field(default_factory=list)  # reads no mail
    away: list[tuple[datetime, datetime]] = field(default_factory=list)  # and has said so
    substitute: bool = False

    def answers_at(self, since: datetime, chance: random.Random) -> datetime:
        """When he answers what he was asked at `since`."""
        median = MEDIAN_HOURS[self.kind]
        at = since + timedelta(hours=min(200.0, median * math.exp(chance.gauss(0, 0.9))))
        for start, end in sorted(self.deaf + self.away):
            if start <= at < end:
                at = end + timedelta(minutes=chance.randrange(600))
        return self._awake(at, chance)

    def _awake(self, at: datetime, chance: random.Random) -> datetime:
        if self.night is None:
            return at
        start, end = self.night
        local = at.astimezone(ZoneInfo(self.zone))
        if local.hour >= start or local.hour < end:
            return at + timedelta(hours=(end - local.hour) % 24, minutes=chance.randrange(60))
        return at


def made_up(person_id: int, start: datetime, days: int, chance: random.Random) -> Player:
    """A player of some kind, his troubles spread over the time to come."""
    kind = chance.choice(KINDS)
    night = chance.choice([None, (22, 7), (23, 6)])
    player = Player(person_id, kind, chance.choice(ZONES), night)

    def some_day(first: float, last: float) -> datetime:
        return start + timedelta(days=days * chance.uniform(first, last))

    if kind == "lost":
        gone = some_day(0.05, 0.5)
        back = gone + timedelta(days=chance.choice([12, 25, 1000]))
        player.deaf.append((gone, back))
    elif kind == "bouncing":
        for _ in range(max(1, days // 60)):
            gone = some_day(0, 0.9)
            player.deaf.append((gone, gone + timedelta(days=chance.uniform(1, 9))))
    player.substitute = kind in ("prompt", "slow") and chance.random() < 0.3
    return player
