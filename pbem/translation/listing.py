"""Several things in one sentence: ``a, b and c``, as each language writes that."""

from collections.abc import Iterable

from pbem.translation.speaking import _, later, translated


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


def series(parts: Iterable[str]) -> str:
    """``a, b, c``; empty ones are left out."""
    return _in_a_row([part for part in parts if part])


def clauses(parts: Iterable[str]) -> str:
    """``a; b; c``: parts that may hold commas of their own; empty ones are left out."""
    return _strung(later("{some}; {next}"), [part for part in parts if part])


def sentences(parts: Iterable[str]) -> str:
    """Whole sentences, one behind the other; empty ones are left out."""
    told = ""
    for part in filter(None, parts):
        told = _("{sentence} {next}", sentence=told, next=part) if told else part
    return told


def capitalised(words: str) -> str:
    """Words that begin a sentence."""
    return words[:1].upper() + words[1:]


def _in_a_row(parts: list[str]) -> str:
    return _strung(later("{some}, {next}"), parts)


def _strung(pattern: str, parts: list[str]) -> str:
    """All parts by the pattern for `some` and the `next`, which is looked up once."""
    if len(parts) < 2:
        return parts[0] if parts else ""
    said = translated(pattern)
    if said.startswith("{some}") and said.endswith("{next}"):
        between = said.removeprefix("{some}").removesuffix("{next}")
        return between.join(map(format, parts))
    some = parts[0]
    for part in parts[1:]:
        some = said.format(some=some, next=part)
    return some


def _joined(parts: list[str], last: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    some = _in_a_row(parts[:-1])
    if last == "or":
        return _("{some} or {last}", some=some, last=parts[-1])
    return _("{some} and {last}", some=some, last=parts[-1])
