"""From the sources to the catalogues: ``python -m pbem.translation`` (`make catalogues`).

Every sentence in the code and the templates gets an entry in each language's file; one
that is not used any more goes.  The files are sorted by where a sentence stands, without
line numbers, so that a change of the code changes little in them.
"""

import os
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from pbem.translation.catalogues import LANGUAGES, ORIGINAL, locale_of, path_of

ROOT = Path(__file__).parents[2]
FOLDERS = ("pbem", "mail_templates")
METHODS = [("**.py", "python"), ("**.txt", "jinja2"), ("**.html", "jinja2"), ("**.svg", "jinja2")]
KEYWORDS = {"_": None, "later": None, "ngettext": (1, 2)}
OPTIONS = {"jinja2": {"silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}}
COMMENT = "i18n:"
"""A comment that begins so and stands above a sentence is shown to translators."""
WIDTH = 96


def extracted() -> Catalog:
    """Every sentence of the sources, untranslated."""
    catalog = Catalog(charset="utf-8", fuzzy=False)
    options = {pattern: OPTIONS.get(method, {}) for pattern, method in METHODS}
    for folder in FOLDERS:
        found = extract_from_dir(
            ROOT / folder, METHODS, options, KEYWORDS, (COMMENT,), strip_comment_tags=True,
            directory_filter=_is_source,
        )  # fmt: skip
        for name, _line, message, comments, context in found:
            path = (Path(folder) / name).as_posix()
            catalog.add(message, None, [(path, 0)], (), comments, context=context)
    return catalog


def _is_source(folder: str | os.PathLike[str]) -> bool:
    """Not only what Babel takes for one: the parts the letters share stand in `_base`."""
    return not Path(folder).name.startswith((".", "__"))


def written(language: str) -> Catalog:
    """The catalogue of a language as it is kept."""
    path = path_of(language)
    if not path.exists():
        return Catalog(locale=locale_of(language))
    with path.open("rb") as file:
        return read_po(file, locale=locale_of(language))


def updated(language: str, sources: Catalog) -> bytes:
    """The file of a language, with an entry for each sentence of the sources and no other."""
    kept = written(language)
    catalog = Catalog(locale=locale_of(language), fuzzy=False)
    for message in sources:
        if message.id:
            before = kept.get(message.id)
            said = None if before is None or before.fuzzy else before.string
            catalog.add(
                message.id, said, message.locations, (), message.auto_comments,
                () if before is None else before.user_comments,
            )  # fmt: skip
    text = BytesIO()
    write_po(text, catalog, width=WIDTH, sort_by_file=True, include_lineno=False, omit_header=True)
    return _head(language) + text.getvalue()


def update() -> None:
    """Bring every catalogue up to date with the sources."""
    sources = extracted()
    for language in LANGUAGES:
        if language != ORIGINAL:
            path_of(language).write_bytes(updated(language, sources))


def _head(language: str) -> bytes:
    """The entry gettext needs; without dates, which would change with every update."""
    locale = locale_of(language)
    forms = Catalog(locale=locale).plural_forms
    lines = (
        f"Language: {locale}",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {forms}",
    )
    head = "".join(f'"{line}\\n"\n' for line in lines)
    return f'msgid ""\nmsgstr ""\n{head}\n'.encode()
