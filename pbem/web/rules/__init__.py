"""The rules of Ark, and the commands, as pages to read."""

from pbem.web.rules.routes import blueprint

__all__ = ["blueprint"]
