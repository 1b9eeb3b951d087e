"""The language of what is being said: of one answer, one letter, one page.

It is kept beside the call stack (a context variable) instead of in every signature; each
thread and each unit of work has its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pbem.translation.catalogues import catalogue

_language: ContextVar[str] = ContextVar("language", default="en")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything inside in this language."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def language() -> str:
    """The language things are said in here."""
    return _language.get()


def _(sentence: str, **values: object) -> str:
    """A sentence in the language spoken here, its named placeholders filled."""
    said = catalogue(_language.get()).gettext(sentence)
    return said.format_map(values) if values else said


def ngettext(one: str, many: str, count: int, **values: object) -> str:
    """The sentence for this number of things; ``{count}`` may stand in it."""
    said = catalogue(_language.get()).ngettext(one, many, count)
    return said.format_map({"count": count, **values})
