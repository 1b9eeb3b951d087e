"""Which domains belong together (RFC 7489 3.1, 3.2)."""

from functools import cache
from importlib.resources import files

from publicsuffix2 import PublicSuffixList


@cache
def _suffixes() -> PublicSuffixList:
    """The public suffix list that authheaders brings; publicsuffix2's own is from 2019,
    and an old list takes neighbours under a newer suffix for one organisation."""
    text = (files("authheaders") / "public_suffix_list.txt").read_text("utf-8")
    return PublicSuffixList(text.splitlines())


def fold_domain(domain: str) -> str:
    return domain.strip().rstrip(".").lower()


def organisation(domain: str) -> str:
    """The organisational domain: the public suffix and one label."""
    domain = fold_domain(domain)
    found = _suffixes().get_sld(domain) if domain else None
    return found or domain


def aligned(one: str, other: str, strict: bool = False) -> bool:
    """Whether two domains are the same organisation's; `strict`: the same."""
    one, other = fold_domain(one), fold_domain(other)
    if not one or not other:
        return False
    return one == other or (not strict and organisation(one) == organisation(other))
