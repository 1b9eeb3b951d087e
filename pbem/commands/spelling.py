"""Words with one typing error: found by the words that one deletion makes of them.

A typing error never acts (3.1); what is found here only makes suggestions, and tells a misspelt
command from prose. One error is a letter missing, added, changed, or two neighbours exchanged.
"""

from collections.abc import Iterable

_LONGEST = 24
_SHORTEST = 3


def _deletions(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


class Speller:
    """The words of a list that are one typing error away from a given one."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = {word for word in words if _SHORTEST <= len(word) <= _LONGEST}
        self._by_deletion: dict[str, list[str]] = {}
        for word in sorted(self._words):
            for shorter in _deletions(word):
                self._by_deletion.setdefault(shorter, []).append(word)

    def near(self, word: str) -> list[str]:
        """The listed words one typing error away; [] for a listed, short or very long word."""
        if word in self._words or not _SHORTEST - 1 <= len(word) <= _LONGEST + 1:
            return []
        shorter = _deletions(word)
        found = [candidate for candidate in shorter if candidate in self._words]
        found += self._by_deletion.get(word, ())
        for form in shorter:
            found += self._by_deletion.get(form, ())
        return [near for near in dict.fromkeys(sorted(found)) if _one_error(word, near)]


def _one_error(written: str, meant: str) -> bool:
    """Exactly one letter added, missing, changed, or two neighbours exchanged."""
    if abs(len(written) - len(meant)) > 1:
        return False
    start = 0
    while start < min(len(written), len(meant)) and written[start] == meant[start]:
        start += 1
    left, right = written[start:], meant[start:]
    return (
        left[1:] == right[1:]
        or left[1:] == right
        or left == right[1:]
        or (left[1:2] + left[:1] == right[:2] and left[2:] == right[2:])
    )
