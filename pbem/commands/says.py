"""`say` takes the rest of its own line, or the lines below it (commands.md 3.13)."""

import re
from collections.abc import Callable, Collection, Sequence

from pbem.commands import lexicon
from pbem.commands.faults import ambiguous
from pbem.commands.normalise import clean, fold, is_blank, own_words
from pbem.commands.settling import UnsettledLine
from pbem.commands.statements import Statement
from pbem.commands.words import split_words

_ENDS_WITH_COLON = re.compile(r"[^:：﹕]*[:：﹕]\s*[*\"'”’»」』]?")
_LONGEST_HEAD = 400
"""Characters in which the recipients of a message must end."""


def is_say(cleaned: str) -> bool:
    """Does the line begin with `say`?"""
    words = split_words(fold(cleaned[:_LONGEST_HEAD]))
    found = lexicon.COMMANDS.match(words, lexicon.skip_opening(words))
    return bool(found and "say" in found[1])


def say_block(
    lines: Sequence[str],
    at: int,
    breaks: Collection[int],
    read: Callable[[str, str | None], Statement],
) -> tuple[int, UnsettledLine]:
    """The message that begins at line `at`: how many lines it takes, and its draft.

    With nothing behind the colon the following lines up to an empty one are the text; if one of
    them reads like a turn, nothing is sent.
    """
    head, own = clean(lines[at]), own_words(lines[at])
    if not _ENDS_WITH_COLON.fullmatch(own):
        return 1, _draft(lines[at].strip(), read(head, own))
    end = at + 1
    while end < len(lines) and not is_blank(lines[end]) and end not in breaks:
        end += 1
    body = lines[at + 1 : end]
    message = "\n".join([head, *(line.strip() for line in body)])
    statement = read(message, None)
    text = "\n".join(line.strip() for line in lines[at:end])
    draft = _draft(text, statement)
    if not statement.fault:
        turns = [line.strip() for line in body if read(clean(line), None).turn]
        if turns:
            readings = (message, *turns)
            draft = UnsettledLine(text, statement, fault=ambiguous("say-turn", readings))
    return end - at, draft


def _draft(text: str, statement: Statement) -> UnsettledLine:
    return UnsettledLine(text, statement, fault=statement.fault)
