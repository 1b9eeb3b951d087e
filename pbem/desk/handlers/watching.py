"""`observe N`: a game of other people, as far as its table lets everybody watch."""

from pbem.commands import Line
from pbem.desk.counter import Counter, Handler
from pbem.desk.orders import AnswerLine, answered, refused
from pbem.translation import _


def observe(counter: Counter, line: Line) -> AnswerLine:
    """Where to watch.  A game that nobody may watch is answered like one that does not exist."""
    number, game = counter.game_named(line)
    if game is None or game.watch_turns is None or game.status != "running":
        sentence = _("Game {number} is not open to watch.", number=number)
        return refused(line, "not-open", sentence)
    address = counter.site.watch_url(number)
    return answered(line, _("Game {number} can be watched here: {address}", number=number,
                            address=address))  # fmt: skip


HANDLERS: dict[str, Handler] = {"observe": observe}
