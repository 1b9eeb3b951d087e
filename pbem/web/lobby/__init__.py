"""Before a game and beside it: opening a table, taking a place at an open one, watching, and
having the link to one's pages mailed."""

import pbem.web.lobby.linking
import pbem.web.lobby.opening
import pbem.web.lobby.watching  # noqa: F401 - all put their pages on the blueprint
from pbem.web.lobby.routes import blueprint

__all__ = ["blueprint"]
