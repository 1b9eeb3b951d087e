"""Authentication-Results, as our own mail server stamped them (RFC 8601).

Read tolerantly (comments, folding, versions, what Microsoft writes without an
authserv-id); what cannot be read says nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

NO_ID = "(none)"
"""The setting for servers that write no authserv-id at all, as Microsoft 365 does."""
MOST_STAMPS = 5
MOST_BYTES = 16_384  # of one stamp

_METHOD = re.compile(r"([a-z][a-z0-9_-]{0,30})\s*(?:/\s*\d+\s*)?=\s*([a-z]{1,20})(?![\w.@])")
_PROPERTY = re.compile(r'([a-z]{1,20})\.([a-z0-9_-]{1,40})\s*=\s*("(?:[^"\\]|\\.)*+"|[^\s;"]*+)')


@dataclass(frozen=True)
class MethodResult:
    """One method's result, ``properties`` by ``ptype.property``, all in lower case."""

    method: str
    result: str
    properties: dict[str, str] = field(default_factory=dict)

    def domain(self, *names: str) -> str:
        """The domain that the first given one of these properties names."""
        for name in names:
            if value := self.properties.get(name):
                return value.rpartition("@")[2].rstrip(".")
        return ""


def believed(values: Iterable[bytes], authserv_id: str) -> list[MethodResult] | None:
    """The outcomes that our own server stamped: those of the topmost Authentication-Results,
    as far down as they bear its id.  A sender can only put his own below.  None when the
    topmost one bears another id, or there is none: nothing is believed then."""
    found: list[MethodResult] | None = None
    for value in list(values)[:MOST_STAMPS]:
        name, outcomes = read_stamp(value)
        if name != authserv_id.lower():
            break
        found = [*(found or []), *outcomes]
    return found


def read_stamp(value: bytes) -> tuple[str, list[MethodResult]]:
    """The authserv-id (`NO_ID` where there is none) and the outcomes of one field's value;
    ``("", [])`` for what is none."""
    if len(value) > MOST_BYTES:
        return "", []
    text = _without_comments(value.decode("utf-8", "replace"))
    parts = _split(" ".join(text.lower().split()))
    if not parts:
        return "", []
    head = parts[0]
    if "=" in head:  # Microsoft: the results begin at once
        return NO_ID, _outcomes(parts)
    words = head.split()
    if not words or len(words) > 2 or (len(words) == 2 and not words[1].isdigit()):
        return "", []
    return words[0].strip('"'), _outcomes(parts[1:])


def _outcomes(parts: Sequence[str]) -> list[MethodResult]:
    found = []
    for part in parts:
        if (match := _METHOD.match(part)) is not None:
            properties: dict[str, str] = {}
            for kind, name, given in _PROPERTY.findall(part[match.end() :]):
                properties.setdefault(f"{kind}.{name}", given.strip('"'))
            found.append(MethodResult(match[1], match[2], properties))
    return found


def _without_comments(text: str) -> str:
    """Comments are a space; nested ones and quoted characters are minded."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\" and (quoted or depth):
            escaped = True
            if depth:
                continue
        elif character == '"' and not depth:
            quoted = not quoted
        elif not quoted and character == "(":
            depth += 1
            kept.append(" ")
            continue
        elif depth and character == ")":
            depth -= 1
            continue
        if not depth:
            kept.append(character)
    return "".join(kept)


def _split(text: str) -> list[str]:
    """At the semicolons outside of quotation marks."""
    parts: list[str] = [""]
    quoted = escaped = False
    for character in text:
        if character == ";" and not quoted:
            parts.append("")
            continue
        if character == '"' and not escaped:
            quoted = not quoted
        escaped = character == "\\" and not escaped
        parts[-1] += character
    return [part.strip() for part in parts if part.strip()]
