"""Negations, conditions and doubts (commands.md 1.3, 3.7): they keep a text from acting."""

import re

from pbem.commands.normalise import fold
from pbem.commands.vocabulary import TONGUES
from pbem.commands.words import spellings


def _words() -> str:
    forms = {
        spelling
        for tongue in TONGUES
        for form in tongue.stop_words.split(",")
        if form.strip()
        for spelling in spellings(form)
    }
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


def _characters(listed: str) -> str:
    forms = {fold(form) for form in listed.replace("|", ",").split(",") if form.strip()}
    return "|".join(sorted(forms, key=len, reverse=True))


_INNOCENT = re.compile("|".join(filter(None, (_characters(tongue.innocent) for tongue in TONGUES))))
_STOP = re.compile(
    rf"(?<![\w'])(?:{_words()})(?![\w']|-\w)|"
    + "|".join(filter(None, (_characters(tongue.stop_characters) for tongue in TONGUES)))
)


def stop_word(folded: str) -> str | None:
    """The first word of a folded text that may turn its meaning round, or None."""
    found = _STOP.search(_INNOCENT.sub(" ", folded))
    return found.group() if found else None
