"""The JSON API: the archive for everybody, and the own seat for whoever has its token
(docs/api.md)."""

import pbem.web.api.archive
import pbem.web.api.seat
import pbem.web.api.tokens  # noqa: F401 - all put their pages on the blueprint
from pbem.web.api.blueprint import blueprint

__all__ = ["blueprint"]
