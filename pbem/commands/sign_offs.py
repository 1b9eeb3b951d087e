"""Closing phrases and the sender's own name: below them a text is left unread (commands.md 1.3)."""

from collections.abc import Sequence
from functools import lru_cache

from pbem.commands import lexicon
from pbem.commands.normalise import fold
from pbem.commands.vocabulary import TONGUES
from pbem.commands.words import Phrases, Word, split_words

_CLOSINGS: Phrases[str] = Phrases(
    (form, "closing")
    for tongue in TONGUES
    for form in tongue.sign_offs.replace("|", ",").split(",")
)
_ADDRESSEES: Phrases[str] = Phrases(
    (form, "addressee")
    for tongue in TONGUES
    for form in tongue.addressees.replace("|", ",").split(",")
)
_MOST_WORDS = 12
_SIGNS = ",.!-~&/:()"


def is_sign_off(cleaned: str, sender: str | None) -> bool:
    """Is the line nothing but closing phrases and the sender's own name?"""
    if len(cleaned) > 100:
        return False
    words = split_words(fold(cleaned))
    if not words or len(words) > _MOST_WORDS:
        return False
    own = _own_names(sender) if sender else None
    at, closed, named = 0, False, False
    while at < len(words):
        if found := _CLOSINGS.match(words, at):
            closed = True
        elif own and (found := own.match(words, at)):
            named = True
        elif closed and (found := _ADDRESSEES.match(words, at) or _link(words, at)):
            pass
        elif words[at].text in _SIGNS:
            found = (1, [])
        else:
            return False
        at += found[0]
    return closed or named


def _link(words: Sequence[Word], at: int) -> tuple[int, list[str]] | None:
    """The "and" between two closing phrases."""
    found = lexicon.JOINERS.match(words, at)
    return found if found and at + found[0] < len(words) else None


@lru_cache(maxsize=256)
def _own_names(sender: str) -> Phrases[str]:
    """The sender's names, whole and in parts; command words are no name."""
    names = [name.strip() for name in sender.split(",") if name.strip()]
    parts = [part for name in names for part in name.split() if _is_name(part)]
    turned = [" ".join(reversed(name.split())) for name in names]
    return Phrases((name, "own") for name in [*names, *turned, *parts] if split_words(fold(name)))


def _is_name(part: str) -> bool:
    words = split_words(fold(part))
    return bool(words) and len(part) > 1 and not lexicon.COMMANDS.match(words, 0)
