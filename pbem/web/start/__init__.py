"""The start page, and what machines ask for."""

from pbem.web.start.routes import blueprint

__all__ = ["blueprint"]
