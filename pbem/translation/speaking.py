"""The language of what is being said: of one answer, one letter, one page.

It is kept beside the call stack (a context variable) instead of in every signature; each
thread and each unit of work has its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pbem.translation.catalogues import ORIGINAL, catalogue

_language: ContextVar[str] = ContextVar("language", default=ORIGINAL)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything inside in this language."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def speak(language: str) -> None:
    """Say everything in this language from here on, up to the end of what `speaking` began."""
    _language.set(language)


def language() -> str:
    """The language things are said in here."""
    return _language.get()


def translated(sentence: str) -> str:
    """A sentence in the language spoken here, its placeholders as they are."""
    return catalogue(_language.get()).gettext(sentence)


def translated_for(one: str, many: str, count: int) -> str:
    """The sentence for this number of things, its placeholders as they are."""
    return catalogue(_language.get()).ngettext(one, many, count)


def _(sentence: str, /, **values: object) -> str:
    """A sentence in the language spoken here, its named placeholders filled."""
    said = translated(sentence)
    return said.format_map(values) if values else said


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """The sentence for this number of things; ``{count}`` may stand in it."""
    return translated_for(one, many, count).format_map({"count": count, **values})


def later(sentence: str) -> str:
    """Mark a sentence of a table for the catalogues; it is said by `_` when it is needed."""
    return sentence
