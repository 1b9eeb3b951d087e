"""What a new table agrees on about time."""

from pbem.settings import Settings
from pbem.timing import Control, GameOptions, PerTurn, parse_control


def options_for(settings: Settings, time: int | str | None = None) -> GameOptions:
    """The options of a new game: the time somebody chose (seconds for each turn, or a
    control in its canonical words), all else from the settings of the server."""
    control: Control | None = None
    if isinstance(time, int):
        control = PerTurn(seconds=time)
    elif time is not None:
        control = parse_control(time, zone=settings.site.zone)
    return settings.games.options(control)


def seconds_of(control: Control) -> int:
    """A time per turn in seconds; 0 for the other controls (`Game.turn_seconds`)."""
    return control.seconds if isinstance(control, PerTurn) else 0
