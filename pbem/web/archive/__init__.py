"""The finished games: public, with everything that happened and the record to check it."""

import pbem.web.archive.downloads
import pbem.web.archive.ended
import pbem.web.archive.feed
import pbem.web.archive.players
import pbem.web.archive.statistics  # noqa: F401 - all put their pages on the blueprint
from pbem.web.archive.routes import blueprint

__all__ = ["blueprint"]
