"""The form of a command, with its words and placeholders in a language: ``nimm KARTE``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.commands.speech import command_word, none_word, option_word, setting_word
from pbem.commands.vocabulary import LANGUAGES
from pbem.commands.vocabulary.helps_chinese import PLACEHOLDERS as CHINESE
from pbem.commands.vocabulary.helps_english import PLACEHOLDERS as ENGLISH
from pbem.commands.vocabulary.helps_german import PLACEHOLDERS as GERMAN

_PLACEHOLDERS: Mapping[str, Mapping[str, str]] = {
    "en": ENGLISH,
    "de": GERMAN,
    "zh-Hant": CHINESE,
    "zh-Hans": CHINESE,
}
_WORD = re.compile("[A-Za-z]+")


@dataclass(frozen=True)
class Form:
    """A command's word, and in English what stands behind it."""

    command: str
    syntax: str

    def spoken(self, language: str) -> str:
        """The whole form in a language."""
        word = command_word(self.command, language)
        return f"{word} {spoken_syntax(self.syntax, language)}".strip()

    def __str__(self) -> str:
        return self.spoken("en")


def spoken_syntax(syntax: str, language: str) -> str:
    """What stands behind a command, with its words and placeholders in the language."""
    placeholders = _PLACEHOLDERS.get(language, ENGLISH)
    tongue, _ = LANGUAGES.get(language, LANGUAGES["en"])

    def spoken(found: re.Match[str]) -> str:
        word = found.group()
        if word.isupper():
            return in_script(placeholders.get(word, word), language)
        if word in tongue.options:
            return option_word(word, language)
        if word == "none":
            return none_word(language)
        return setting_word(word, language) if word in tongue.settings else word

    return _WORD.sub(spoken, syntax)


def in_script(text: str, language: str) -> str:
    """The half of ``traditional|simplified`` that this language is written in."""
    _, script = LANGUAGES.get(language, LANGUAGES["en"])
    scripts = text.split("|")
    return scripts[min(script, len(scripts) - 1)]
