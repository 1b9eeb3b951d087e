"""Making a turn by choosing: a card, a cabin, the options, a second card, and a look at
what it comes to.

Everything chosen so far stands in the address of the page (`choice`), so that it works with
links alone, in any tab, and with the back button.  What may be chosen next, and why not,
comes from the engine on a position imagined from the seat's own view (`steps`, `plays`).
In the end the turn goes to the desk as the line a mail would hold.
"""

from pbem.web.play.turn.board import Fresh, TurnBoard
from pbem.web.play.turn.choice import Choice
from pbem.web.play.turn.steps import Link, board_of

__all__ = ["Choice", "Fresh", "Link", "TurnBoard", "board_of"]
