"""Taking what somebody was called, and his addresses, out of what is stored.

JSON holds what people said beside what only the program reads: of that a player's name takes
nothing away, for he may be called like a card or an action."""

import html
import re
from collections.abc import Sequence
from typing import Any

GONE = "(erased)"
FORMER = "a former player"


def spellings(needle: str) -> set[str]:
    """A text as it stands in plain text and in HTML."""
    return {needle, html.escape(needle)}


def pattern_of(addresses: Sequence[str], names: Sequence[str]) -> re.Pattern[str]:
    """What finds these addresses, as its group `address`, and these names."""
    parts = [rf"(?P<address>(?<![\w.+-])(?i:{_any_of(addresses)})(?![\w-]))"]
    if names:  # a whole word: Ann is not in Annual, nor a fox in Fox
        parts.append(rf"(?<!{_SPACED})(?:{_any_of(names)})(?!{_SPACED})")
    return re.compile("|".join(parts))


_SPACED = r"[^\W_\u2e80-\ud7ff\uf900-\ufaff]"
"""A character of a script that sets words apart: between Chinese ones a name ends anywhere."""


def _any_of(needles: Sequence[str]) -> str:
    """A pattern for one of these texts, the longest that fits; for none of none."""
    found = {one for needle in needles for one in spellings(needle)}
    return "|".join(map(re.escape, sorted(found, key=len, reverse=True))) or "(?!)"


_SAID = frozenset(
    {
        "after", "before", "block", "cut", "label", "message", "name", "names", "notes", "parts",
        "readings", "reason", "report", "said", "sender", "sentence", "sentences", "subject",
        "suggest", "text", "warnings", "words",
    }
)  # fmt: skip
"""Under these keys stands what people wrote, and what was said to them."""
_CODE = re.compile(r"[a-z0-9][a-z0-9T:.+,_ -]*")
"""A moment, or what has a name in the program only; under other keys it means nobody."""


def redacted(value: Any, pattern: re.Pattern[str], of_codes: re.Pattern[str]) -> Any:
    """What a column holds, with all hits replaced; of codes in JSON those of their own pattern."""
    if isinstance(value, str):
        return pattern.sub(lambda hit: GONE if hit["address"] else FORMER, value)
    if isinstance(value, list):
        return [redacted(one, _fit(one, pattern, of_codes), of_codes) for one in value]
    if isinstance(value, dict):
        return {
            key: redacted(one, pattern, pattern)
            if key in _SAID
            else redacted(one, _fit(one, pattern, of_codes), of_codes)
            for key, one in value.items()
        }
    return value


def _fit(value: Any, pattern: re.Pattern[str], of_codes: re.Pattern[str]) -> re.Pattern[str]:
    return of_codes if isinstance(value, str) and _CODE.fullmatch(value) else pattern
