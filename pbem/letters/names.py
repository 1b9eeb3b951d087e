"""Names that people gave, made fit for a letter."""

from collections.abc import Iterable

from pbem.letters.plain import clean

MOST = 24  # commands.md 3.13


def table_name(name: str, most: int = MOST) -> str:
    """One clean line.  Its words hang together by no-break spaces, so that no line of a
    letter can end up as a name that reads like a command."""
    return clean(name, most) or "somebody"


def table_names(names: Iterable[str]) -> list[str]:
    return [table_name(name) for name in names]
