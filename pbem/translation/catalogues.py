"""The catalogues: one gettext file a language, read when it is first asked for."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGES = ("en", "de", "zh-Hant", "zh-Hans")
FOLDER = Path(__file__).parent / "catalogues"


@cache
def catalogue(language: str) -> NullTranslations:
    """The sentences of a language; those of an unknown one are the English originals.

    Read from the text form, so that no compiled copy can be older than what it was
    compiled from."""
    path = FOLDER / f"{language}.po"
    if language not in LANGUAGES or not path.exists():
        return NullTranslations()
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=language.replace("-", "_")))
    compiled.seek(0)
    return GNUTranslations(compiled)
