"""The player's pages: behind a personal link from the mail, without account or password."""

import pbem.web.play.changes
import pbem.web.play.completing
import pbem.web.play.held
import pbem.web.play.mails
import pbem.web.play.messages
import pbem.web.play.preferences
import pbem.web.play.proving
import pbem.web.play.seats  # noqa: F401 - all put their pages on the blueprint
from pbem.web.play.routes import blueprint

__all__ = ["blueprint"]
