"""What a table has agreed on about time, read from its row."""

from pbem.store.models import Game
from pbem.timing import GameOptions, PerTurn


def options_of(game: Game) -> GameOptions:
    """The options of a game; of one that was opened without any, the usual ones."""
    if game.options is not None:
        return GameOptions.from_json(game.options)
    return GameOptions(control=PerTurn(seconds=max(1, game.turn_seconds)))
