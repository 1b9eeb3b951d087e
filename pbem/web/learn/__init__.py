"""Learning the game: legal and illegal examples, the cards, and a first table with bots."""

from pbem.web.learn.routes import blueprint

__all__ = ["blueprint"]
