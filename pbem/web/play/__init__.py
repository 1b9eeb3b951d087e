"""The player's pages: behind a personal link from the mail, without account or password."""

import pbem.web.play.held
import pbem.web.play.mails  # noqa: F401 - both put their pages on the blueprint
from pbem.web.play.routes import blueprint

__all__ = ["blueprint"]
