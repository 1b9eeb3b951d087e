"""Letters on the web: those a player got, ending some, and ways beside mail."""

from pbem.web.letterbox import calendar, letters, unsubscribing, ways
from pbem.web.letterbox.blueprint import blueprint

__all__ = ["blueprint", "calendar", "letters", "unsubscribing", "ways"]
