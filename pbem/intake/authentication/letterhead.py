"""The header block, read strictly: does it say one thing, whoever reads it?

A forger hides behind what two programs read differently: two From fields, a group, an
encoded address, a blank line that is none.  What is verified must be what is read, so a
header block that could be taken in two ways proves nothing.
"""

import re
from dataclasses import dataclass

from pbem.intake.headers import MAX_FIELDS, decode_value, mailbox

MOST_BYTES = 131_072  # of a header block that is looked at
ONCE = frozenset(
    b"from sender reply-to to cc date subject message-id in-reply-to references mime-version"
    b" content-type content-transfer-encoding".split()
)
"""Fields that stand once at most (RFC 5322 3.6, RFC 2045)."""

_FIELD = re.compile(rb"([!-9;-~]{1,120}):")
_BETWEEN = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")  # control characters; bare CR among them
_MBOX = re.compile(rb">?From [^\n]*\n")
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}"
_DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\.?"
_ADDRESS = rf"({_ATOM}@({_DOMAIN}))"
_BARE = re.compile(rf"\s*{_ADDRESS}\s*")
_NAMED = re.compile(rf"[^<>@:;,]*<\s*{_ADDRESS}\s*>\s*")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')


class Irregular(ValueError):
    """The header block can be read in more than one way; the text says how."""


@dataclass(frozen=True)
class Letterhead:
    """A header block that can be read in one way only.  ``fields`` are (name in lower
    case, value as it stands, folded), in order; ``raw`` is the mail with LF line ends and
    without an mbox line before it."""

    fields: tuple[tuple[str, bytes], ...]
    address: str
    domain: str
    raw: bytes

    def all(self, name: str) -> list[bytes]:
        """The values of every field of this name, from the top."""
        return [value for field, value in self.fields if field == name]


def read_letterhead(raw: bytes) -> Letterhead:
    """Raises `Irregular`."""
    raw = raw.replace(b"\r\n", b"\n")
    raw = raw[match.end() :] if (match := _MBOX.match(raw)) else raw
    end = raw.find(b"\n\n", 0, MOST_BYTES)
    block = raw if end < 0 else raw[:end]
    if len(block) > MOST_BYTES:
        raise Irregular("its header block is too long")
    if _BETWEEN.search(block):
        raise Irregular("there are control characters in its header block")
    fields = _fields(block)
    if len(fields) > MAX_FIELDS:
        raise Irregular("its header block has too many lines")
    names = [name.encode() for name, _ in fields]
    for name in sorted(ONCE):
        if names.count(name) > 1:
            raise Irregular(f"it has several {name.decode().capitalize()} lines")
    values = [value for name, value in fields if name == "from"]
    if not values:
        raise Irregular("it has no From line")
    address, domain = _author(values[0])
    return Letterhead(tuple(fields), address, domain, raw)


def _fields(block: bytes) -> list[tuple[str, bytes]]:
    fields: list[tuple[str, list[bytes]]] = []
    for line in block.split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            if not fields or not line.strip():
                raise Irregular("a line of its header block is blank, but not empty")
            fields[-1][1].append(line)
        elif (match := _FIELD.match(line)) is not None:
            fields.append((match[1].decode("ascii").lower(), [line[match.end() :]]))
        else:
            raise Irregular("a line of its header block is no header")
    return [(name, b"\n".join(lines)) for name, lines in fields]


def _author(value: bytes) -> tuple[str, str]:
    """The one address of From, and its domain."""
    text = value.decode("latin-1").replace("\n", "")
    text = _without_comments(_QUOTED.sub(lambda found: "q" * len(found[0]), text))
    found = _BARE.fullmatch(text) or _NAMED.fullmatch(text)
    if found is None:
        raise Irregular("its From line does not name one address")
    address, domain = found[1].lower().rstrip("."), found[2].lower().rstrip(".")
    if mailbox(decode_value(value))[1] != address:
        raise Irregular("its From line can be read as two addresses")
    return address, domain


def _without_comments(text: str) -> str:
    """Without what stands in parentheses, nested ones too (RFC 5322 3.2.2)."""
    kept, depth = [], 0
    for character in text[:4096]:
        if character == "(":
            depth += 1
        elif character == ")" and depth:
            depth -= 1
        elif not depth:
            kept.append(character)
    return "".join(kept) if not depth else ""
