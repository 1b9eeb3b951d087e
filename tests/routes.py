"""Every test of the pages puts an application of its own together, and most of what that takes
is werkzeug's compiling, for each address, of a function that writes it.  Here all applications
share these functions; which one belongs to an address follows from its rule alone."""

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

Builder = Callable[..., tuple[str, str]]


def share() -> None:
    """From now on, in this process."""
    compiled: dict[tuple[Any, ...], Builder] = {}
    plain = Rule._compile_builder

    def once(rule: Rule, append_unknown: bool = True) -> Builder:
        key = rule.rule, tuple(rule._trace), repr(rule.defaults), append_unknown
        if key not in compiled:
            compiled[key] = plain(rule, append_unknown)
        return compiled[key]

    Rule._compile_builder = once  # type: ignore[method-assign]
