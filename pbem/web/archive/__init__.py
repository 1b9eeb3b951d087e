"""The finished games: public, with everything that happened and the record to check it."""

from pbem.web.archive.routes import blueprint

__all__ = ["blueprint"]
