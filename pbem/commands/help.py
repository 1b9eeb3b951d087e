"""The help, made from the registry of commands: one line a command, or more about one."""

from collections.abc import Collection, Mapping

from pbem.commands.forms import Form, in_script, spoken_syntax
from pbem.commands.requests.registry import REQUESTS
from pbem.commands.speech import spoken_command
from pbem.commands.starting import HELPS as STARTING
from pbem.commands.starting import START, WORDS
from pbem.commands.vocabulary import TONGUES, forms
from pbem.commands.vocabulary.helps_chinese import HELPS as CHINESE
from pbem.commands.vocabulary.helps_english import HELPS as ENGLISH
from pbem.commands.vocabulary.helps_german import HELPS as GERMAN

MARK = "›"
"""What every form in a letter begins with: such a line is never a command (1.1)."""

_HELPS: Mapping[str, Mapping[str, str]] = {
    "en": ENGLISH,
    "de": GERMAN,
    "zh-Hant": CHINESE,
    "zh-Hans": CHINESE,
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


def overview(
    language: str = "en", served: Collection[str] | None = None, *, starts: bool = False
) -> list[str]:
    """All commands, or those that are served here, one line each; `starts`: it is for somebody
    who can begin a game, and says first how."""
    known = [_line(one, language) for one in SYNTAX if served is None or one in served]
    return [_starting(language), *known] if starts else known


def command_help(command: str, language: str = "en") -> list[str]:
    """More about one command: its form, what it does, its words in every language; [] if there
    is no such command."""
    if command not in SYNTAX and command != START:
        return []
    lines = [_starting(language) if command == START else _line(command, language)]
    if command == "play":
        lines.append(
            f"{MARK} {_form(command, language)} + {spoken_syntax('CARD CABIN …', language)}"
        )
    # short lines, so that no mail program breaks them: a lone "status" would be a command
    for tongue, starting in zip(TONGUES, WORDS, strict=True):
        listed = starting if command == START else tongue.commands[command]
        words = [form for scripts in forms(listed) for form in scripts]
        lines.append(f"= {', '.join(dict.fromkeys(words))}")
    return lines


def _starting(language: str) -> str:
    return f"{MARK} {spoken_command(START, language)}: {STARTING.get(language, STARTING['en'])}"


def _line(command: str, language: str) -> str:
    helps = _HELPS.get(language, ENGLISH)
    return f"{MARK} {_form(command, language)}: {in_script(helps[command], language)}"


def _form(command: str, language: str) -> str:
    return Form(command, SYNTAX[command]).spoken(language)
