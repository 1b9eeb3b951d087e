"""Names that people gave, made fit for a letter."""

from collections.abc import Iterable
from functools import lru_cache

from pbem.commands import would_parse
from pbem.letters.plain import clean
from pbem.translation import _

MOST = 24  # commands.md 3.13


@lru_cache(maxsize=4096)
def table_name(name: str, most: int = MOST) -> str:
    """One clean line that cannot make a command of the line it stands in, however a mail
    program wraps that: a name such as ``take fox`` becomes ``(take·fox)``."""
    cleaned = clean(name, most) or _("somebody")
    words = cleaned.split()
    endings = (" ".join(words[start:]) for start in range(len(words)))
    if any(would_parse(end) or would_parse(f"{end}: some words") for end in endings):
        return f"({'·'.join(words)})"
    return cleaned


def table_names(names: Iterable[str]) -> list[str]:
    return [table_name(name) for name in names]
