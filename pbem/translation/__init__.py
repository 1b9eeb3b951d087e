"""Sentences in the reader's language.

``with speaking("de"):`` sets the language of everything said inside; `_` and `ngettext`
look a sentence up in its catalogue.  Placeholders are named, in braces, and filled after
the lookup: ``_("{name} took {card}.", name=…, card=…)``.  A sentence no catalogue knows
is said in English.
"""

from pbem.translation.catalogues import LANGUAGES, catalogue
from pbem.translation.speaking import _, language, ngettext, speaking

__all__ = ["LANGUAGES", "_", "catalogue", "language", "ngettext", "speaking"]
