"""Several things in one sentence: ``a, b and c``, as each language writes that."""

from collections.abc import Iterable

from pbem.translation.speaking import _


class Listed(str):
    """A list whose parts still take a form of their own: ``{cards:den}`` gives it to each."""

    _parts: list[str]
    _last: str

    def __new__(cls, parts: Iterable[str], last: str) -> "Listed":
        kept = list(parts)
        listed = super().__new__(cls, _joined(kept, last))
        listed._parts, listed._last = kept, last
        return listed

    def __format__(self, form: str) -> str:
        if not form:
            return str(self)
        return _joined([format(part, form) for part in self._parts], self._last)


def listing(parts: Iterable[str]) -> Listed:
    """``a``, ``a and b``, ``a, b and c``."""
    return Listed(parts, "and")


def either(parts: Iterable[str]) -> Listed:
    """``a``, ``a or b``, ``a, b or c``."""
    return Listed(parts, "or")


def _joined(parts: list[str], last: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    some = parts[0]
    for part in parts[1:-1]:
        some = _("{some}, {next}", some=some, next=part)
    if last == "or":
        return _("{some} or {last}", some=some, last=parts[-1])
    return _("{some} and {last}", some=some, last=parts[-1])
