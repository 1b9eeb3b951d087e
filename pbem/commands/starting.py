"""`start`: the organiser begins before everybody has answered.

It is a command only at a table that has not begun, and only as the whole line; anywhere
else these words are ordinary ones, and a line such as "start of the week is fine" stays
prose."""

from collections.abc import Sequence

from pbem.commands.words import Word, spell

START = "start"
PRINTED = {"en": "start", "de": "starte", "zh-Hant": "開始", "zh-Hans": "开始"}
_FORMS = frozenset(
    {"start", "begin", "start now", "begin now", "start game", "begin game"}
    | {"starte", "starten", "beginne", "beginnen", "starte spiel", "beginne spiel", "los"}
    | {"開始", "开始", "開始遊戲", "开始游戏"}
)


def is_start(words: Sequence[Word]) -> bool:
    """Is this whole line the order to begin?"""
    return spell([word for word in words if word.kind != "sign"]).strip() in _FORMS
