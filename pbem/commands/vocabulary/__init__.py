"""The words of the language, one file a tongue; cards in files of their own.

To add a language: write a `Tongue`, list it here, add its one-line helps and messages.
"""

from functools import cache

from pbem.commands.vocabulary.chinese import CHINESE
from pbem.commands.vocabulary.english import ENGLISH
from pbem.commands.vocabulary.german import GERMAN
from pbem.commands.vocabulary.tongue import Tongue, forms

TONGUES: tuple[Tongue, ...] = (ENGLISH, GERMAN, CHINESE)

LANGUAGES: dict[str, tuple[Tongue, int]] = {
    "en": (ENGLISH, 0),
    "zh-Hant": (CHINESE, 0),
    "zh-Hans": (CHINESE, 1),
    "de": (GERMAN, 0),
}
"""Language code to its tongue and the script of its forms."""

#: The cards that are named without the number of their copy.
NUMBERED = ("dates", "grain")


@cache  # said again and again in every letter and page
def printed(text: str, script: int) -> str:
    """The form that is printed: the first one, in the script asked for."""
    first = forms(text)[0]
    return first[min(script, len(first) - 1)]


__all__ = ["LANGUAGES", "NUMBERED", "TONGUES", "Tongue", "forms", "printed"]
