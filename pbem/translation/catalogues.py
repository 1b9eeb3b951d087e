"""The catalogues: one gettext file a language, read when it is first asked for."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

ORIGINAL = "en"
NAMES = {ORIGINAL: "English", "de": "Deutsch", "zh-Hant": "繁體中文", "zh-Hans": "简体中文"}
"""Each language by its own name."""
LANGUAGES = tuple(NAMES)
FOLDER = Path(__file__).parent / "catalogues"


def path_of(language: str) -> Path:
    """Where the sentences of a language are written down."""
    return FOLDER / f"{language}.po"


def locale_of(language: str) -> str:
    """The language as Babel names it: ``zh_Hant``."""
    return language.replace("-", "_")


@cache
def catalogue(language: str) -> NullTranslations:
    """The sentences of a language; those of an unknown one are the English originals.

    Read from the text form, so that no compiled copy can be older than what it was
    compiled from."""
    if language == ORIGINAL or language not in LANGUAGES:
        return NullTranslations()
    # Imported here: whoever speaks English only never waits for Babel.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with path_of(language).open("rb") as file:
        write_mo(compiled, read_po(file, locale=locale_of(language)))
    compiled.seek(0)
    return GNUTranslations(compiled)
