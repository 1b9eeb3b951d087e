"""The player's pages: behind a personal link from the mail, without account or password."""

from pbem.web.play.routes import blueprint

__all__ = ["blueprint"]
