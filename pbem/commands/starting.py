"""`start`: the organiser begins before everybody has answered.

It is a command only at a table that has not begun, and only as the whole line; anywhere
else these words are ordinary ones, and a line such as "start of the week is fine" stays
prose.  So the list of all commands leaves it out (`pbem.commands.help`)."""

from collections.abc import Sequence

from pbem.commands.vocabulary import forms
from pbem.commands.words import Word, spell

START = "start"
PRINTED = {"en": "start", "de": "starte", "zh-Hant": "開始", "zh-Hans": "开始"}
HELPS = {
    "en": "the game begins with all who have accepted, three or more; for whoever opened the table",
    "de": "die Partie fängt mit allen an, die angenommen haben, mindestens drei; für den, der "
    "den Tisch eröffnet hat",
    "zh-Hant": "由開桌的人決定：已接受的人（至少三位）就此開局",
    "zh-Hans": "由开桌的人决定：已接受的人（至少三位）就此开局",
}
WORDS = (
    "start, begin, start now, begin now",
    "starte, beginne, los, starten",
    "開始|开始, 開始遊戲|开始游戏",
)
"""What to say for it, by tongue, as `vocabulary` lists the words of commands: few enough that no
mail program breaks the line that lists them, for each by itself is the command."""
_FORMS = frozenset(
    {form for listed in WORDS for scripts in forms(listed) for form in scripts}
    | {"start game", "begin game", "beginnen", "starte spiel", "beginne spiel"}
)


def is_start(words: Sequence[Word]) -> bool:
    """Is this whole line the order to begin?"""
    return spell([word for word in words if word.kind != "sign"]).strip() in _FORMS
