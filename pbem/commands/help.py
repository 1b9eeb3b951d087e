"""The help, made from the registry of commands: one line a command, or more about one."""

import re
from collections.abc import Collection, Mapping

from pbem.commands.requests.registry import REQUESTS
from pbem.commands.speech import command_word, none_word, option_word, setting_word
from pbem.commands.vocabulary import LANGUAGES, TONGUES, forms
from pbem.commands.vocabulary.helps_chinese import HELPS as CHINESE
from pbem.commands.vocabulary.helps_chinese import PLACEHOLDERS as IN_CHINESE
from pbem.commands.vocabulary.helps_english import HELPS as ENGLISH
from pbem.commands.vocabulary.helps_english import PLACEHOLDERS as IN_ENGLISH
from pbem.commands.vocabulary.helps_german import HELPS as GERMAN
from pbem.commands.vocabulary.helps_german import PLACEHOLDERS as IN_GERMAN

MARK = "›"
"""What every form in a letter begins with: such a line is never a command (1.1)."""

_HELPS: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "en": (ENGLISH, IN_ENGLISH),
    "de": (GERMAN, IN_GERMAN),
    "zh-Hant": (CHINESE, IN_CHINESE),
    "zh-Hans": (CHINESE, IN_CHINESE),
}
_TURN_FORMS = {
    "take": "CARD",
    "play": "CARD CABIN [out CARD] [mark KIND] [take CARD]",
    "pet": "CARD|none",
    "pass": "",
    "preview": "TURN",
}
SYNTAX: dict[str, str] = _TURN_FORMS | {
    command: request.syntax for command, request in REQUESTS.items()
}
"""The form of each command behind its word, in English."""

_WORD = re.compile("[A-Za-z]+")


def overview(language: str = "en", served: Collection[str] | None = None) -> list[str]:
    """All commands, or those that are served here, one line each."""
    return [_line(one, language) for one in SYNTAX if served is None or one in served]


def command_help(command: str, language: str = "en") -> list[str]:
    """More about one command: its form, what it does, its words in every language; [] if there
    is no such command."""
    if command not in SYNTAX:
        return []
    lines = [_line(command, language)]
    if command == "play":
        lines.append(f"{MARK} {_form(command, language)} + {_spoken('CARD CABIN …', language)}")
    # short lines, so that no mail program breaks them: a lone "status" would be a command
    for tongue in TONGUES:
        words = [form for scripts in forms(tongue.commands[command]) for form in scripts]
        lines.append(f"= {', '.join(dict.fromkeys(words))}")
    return lines


def _line(command: str, language: str) -> str:
    helps, _ = _HELPS.get(language, _HELPS["en"])
    return f"{MARK} {_form(command, language)}: {_script(helps[command], language)}"


def _form(command: str, language: str) -> str:
    syntax = _spoken(SYNTAX[command], language)
    return f"{command_word(command, language)} {syntax}".strip()


def _spoken(syntax: str, language: str) -> str:
    """The form with its words and placeholders in the language."""
    _, placeholders = _HELPS.get(language, _HELPS["en"])
    tongue, _ = LANGUAGES.get(language, LANGUAGES["en"])

    def spoken(found: re.Match[str]) -> str:
        word = found.group()
        if word.isupper():
            return _script(placeholders.get(word, word), language)
        if word in tongue.options:
            return option_word(word, language)
        if word == "none":
            return none_word(language)
        return setting_word(word, language) if word in tongue.settings else word

    return _WORD.sub(spoken, syntax)


def _script(text: str, language: str) -> str:
    _, script = LANGUAGES.get(language, LANGUAGES["en"])
    scripts = text.split("|")
    return scripts[min(script, len(scripts) - 1)]
