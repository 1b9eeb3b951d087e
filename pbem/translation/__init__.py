"""Sentences in the reader's language.

``with speaking("de"):`` sets the language of everything said inside; `_` and `ngettext`
look a sentence up in its catalogue.  Placeholders are named, in braces, and filled after
the lookup: ``_("{name} took {card}.", name=…, card=…)``.  A sentence no catalogue knows
is said in English.  A sentence of a table is marked with `later` and said by `_` when it
is needed.  In Jinja templates `_` and `ngettext` are the same (`pbem.translation.markup`).
"""

from pbem.translation.catalogues import LANGUAGES, catalogue
from pbem.translation.listing import capitalised, clauses, either, listing, sentences, series
from pbem.translation.speaking import _, language, later, ngettext, speaking

__all__ = [
    "LANGUAGES",
    "_",
    "capitalised",
    "catalogue",
    "clauses",
    "either",
    "language",
    "later",
    "listing",
    "ngettext",
    "sentences",
    "series",
    "speaking",
]
