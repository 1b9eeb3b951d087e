"""What a table has agreed on about time: one value, kept with the game as JSON."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pbem.timing.controls import Control

OnMiss = Literal["wait", "bot", "gather", "pass"]


class GameOptions(BaseModel):
    """Everything a game decides about time, lateness and leaving."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    control: Control
    free_hours: float = Field(8, ge=0, le=72)  # the first ones of each wait
    nights_count: bool = True  # hours of a player's quiet time
    weekends_count: bool = True  # his Saturdays and Sundays
    absence_days: int = Field(21, ge=0, le=366)  # a player and game
    automatic_absence_days: int = Field(7, ge=0, le=60)
    grace_hours: float = Field(24, ge=0, le=14 * 24)  # after a missed deadline, once a turn
    graces: int = Field(3, ge=0, le=100)  # a player and game
    on_miss: OnMiss = "wait"  # what happens when the grace is over, too
    misses_before_offer: int = Field(2, ge=1, le=20)  # in a row; then the seat is offered
    on_offer: Literal["substitute", "bot", "moderator"] = "substitute"  # to whom
    offer_days: float = Field(3, gt=0, le=30)  # until a bot takes it
    on_resign: Literal["bot", "minimal"] = "bot"  # minimal: first display card, no pet, pass
    play_forced: bool = True  # the only legal move, where the player opted in
    reliability_minimum: float | None = Field(None, ge=0, le=1)  # share of turns on time
    emergency_pause_hours: float = Field(24, ge=0, le=168)
    silence_days: float = Field(60, gt=0, le=400)  # then the game ends
    on_silence: Literal["none", "standings"] = "standings"  # what counts as its result
    moderator_hours: float = Field(72, gt=0, le=720)  # then the default happens

    @property
    def free(self) -> timedelta:
        return timedelta(hours=self.free_hours)

    @property
    def grace(self) -> timedelta:
        return timedelta(hours=self.grace_hours)

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "GameOptions":
        """Raises `pydantic.ValidationError` (a ValueError) for what is none."""
        return cls.model_validate(stored)
