"""`/privacy` and `/imprint`: what is kept of whom, and who answers for this server."""

from pbem.web.legal.routes import blueprint

__all__ = ["blueprint"]
