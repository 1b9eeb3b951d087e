"""Header blocks: read tolerantly, decoded, never written again (RFC 5322, 2045, 2047, 2231)."""

import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from pbem.intake import charsets, transfer

MAX_BLOCK = 262_144  # bytes of a header block that are read
MAX_FIELDS = 1_000
MAX_VALUE = 65_536  # bytes of one field
_MAX_LINES = 20_000

_FIELD = re.compile(rb"([!-9;-~]{1,120})[ \t]*:")
_MBOX = re.compile(rb">?From ")


class Headers:
    """The fields of one header block, in order, undecoded until they are asked for."""

    __slots__ = ("_decoded", "_fields")

    def __init__(self, fields: list[tuple[str, bytes]]) -> None:
        self._fields = fields
        self._decoded: dict[str, list[str]] = {}

    def __bool__(self) -> bool:
        return bool(self._fields)

    def __contains__(self, name: str) -> bool:
        return any(field == name for field, _ in self._fields)

    def names(self) -> Iterator[str]:
        """The names of the fields, lower case."""
        return (name for name, _ in self._fields)

    def all(self, name: str) -> list[str]:
        """The values of every field of this (lower-case) name: unfolded, decoded, one line each."""
        values = self._decoded.get(name)
        if values is None:
            values = [decode_value(value) for field, value in self._fields if field == name]
            self._decoded[name] = values
        return values

    def first(self, name: str) -> str:
        """The first field of this name, "" when there is none."""
        values = self.all(name)
        return values[0] if values else ""

    def raw(self, name: str) -> str:
        """The first field of this name, one character a byte: boundaries are bytes."""
        for field, value in self._fields:
            if field == name:
                return value.decode("latin-1")
        return ""


def parse(data: bytes, start: int, end: int) -> tuple[Headers, int]:
    """The header block at `start` and where the body begins.  Line ends are LF.

    A line that is no field ends the block and is the body's first (RFC 5322 knows no such
    line, mail programs do); what is beyond the caps is skipped."""
    fields: list[tuple[str, bytes]] = []
    pieces: list[bytes] = []
    position = start
    for _ in range(_MAX_LINES):
        stop = data.find(b"\n", position, end)
        after = stop + 1 if stop >= 0 else end
        line = data[position : min(stop if stop >= 0 else end, position + MAX_VALUE)]
        if not line.strip():
            _finish(fields, pieces)
            return Headers(fields), after
        if position - start > MAX_BLOCK or len(fields) >= MAX_FIELDS:
            break
        if line[0] in b" \t":
            if pieces:
                pieces.append(line)
        elif (match := _FIELD.match(line)) is not None:
            _finish(fields, pieces)
            pieces = [match[1], line[match.end() :]]
        elif not (_MBOX.match(line) and not fields and not pieces):
            _finish(fields, pieces)
            return Headers(fields), position
        position = after
        if position >= end:
            _finish(fields, pieces)
            return Headers(fields), end
    _finish(fields, pieces)
    blank = data.find(b"\n\n", position, end)
    return Headers(fields), blank + 2 if blank >= 0 else end


def _finish(fields: list[tuple[str, bytes]], pieces: list[bytes]) -> None:
    if pieces:
        name, *rest = pieces
        fields.append((name.decode("latin-1").lower(), b"".join(rest)[:MAX_VALUE].strip()))
        pieces.clear()


# The text of an encoded word may not hold a space (RFC 2047 2), but some programs write one.
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\n]*)\?=")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def decode_value(value: bytes) -> str:
    """A field's value as one line of text: encoded words decoded, raw 8-bit text guessed."""
    text = charsets.decode(value)
    if "=?" in text:
        text = _decode_words(text)
    return _CONTROL.sub(" ", text).strip() if not text.isprintable() else text.strip()


def _decode_words(text: str) -> str:
    out: list[str] = []
    pending: list[bytes] = []
    pending_charset = ""
    position = 0
    for match in _WORD.finditer(text):
        between = text[position : match.start()]
        charset = match[1].partition("*")[0]  # RFC 2231 5 adds a language
        if not pending or between.strip() or charset.lower() != pending_charset.lower():
            out.append(charsets.decode(b"".join(pending), pending_charset))
            pending = []
        if between.strip() or position == 0:  # space between encoded words is not text
            out.append(between)
        # Bytes of words side by side are joined before they are decoded: some programs
        # cut a character in two.
        pending.append(_word_bytes(match[2], match[3]))
        pending_charset = charset
        position = match.end()
    out.append(charsets.decode(b"".join(pending), pending_charset))
    out.append(text[position:])
    return "".join(out)


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("latin-1", "replace")
    if encoding in "bB":
        return transfer.undo(data, "base64")
    return transfer.undo(data.replace(b"_", b" "), "quoted-printable")


_PARAMETER = re.compile(r';([^\s=;"]{1,100})=("(?:[^"\\]|\\.)*+"?|[^;]*+)')
_AROUND = re.compile(r"\s*([;=])\s*")
_SECTION = re.compile(r"([^*]+)(?:\*(\d{1,3}))?(\*)?")


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """A structured value as ``(value, parameters)``, both names in lower case.

    `value` comes from `Headers.raw`; so one character of the result is one byte."""
    value = value[:8192]
    head, semicolon, tail = value.partition(";")
    found: dict[str, str] = {}
    sections: dict[str, dict[int, str]] = {}
    for match in _PARAMETER.finditer(_AROUND.sub(r"\1", semicolon + tail)):
        name, text = match[1].lower(), match[2].strip()
        if text.startswith('"'):
            text = re.sub(r"\\(.)", r"\1", text.strip('"'))
        section = _SECTION.fullmatch(name)
        if section is None or (section[2] is None and section[3] is None):
            found.setdefault(name, text)
            continue
        if section[3]:
            if section[2] in (None, "0") and text.count("'") >= 2:
                text = text.split("'", 2)[2]
            text = unquote_to_bytes(text.encode("latin-1", "replace")).decode("latin-1")
        sections.setdefault(section[1], {})[int(section[2] or 0)] = text
    for name, pieces in sections.items():
        found.setdefault(name, "".join(pieces[number] for number in sorted(pieces)))
    return head.split("(")[0].strip().lower(), found


# An address is looked for at the beginning of a word only: linear however long the field.
_ADDRESS = re.compile(r'(?<![^\s<>"(),:;@\[\]])[^\s<>"(),:;@\[\]]{1,256}+@[\w.-]{1,255}')
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,998}+>")


def addresses(value: str) -> list[str]:
    """Every address in an address field, lower case, in order, each once."""
    return list(dict.fromkeys(found.lower().rstrip(".") for found in _ADDRESS.findall(value)))


def mailbox(value: str) -> tuple[str, str]:
    """The first mailbox of a field as ``(display name, address)``, the address in lower case."""
    value = value[:4096]
    before, angle, rest = value.rpartition("<")
    if angle and (found := addresses(rest)):
        return before.strip().strip('"').replace('\\"', '"').strip(), found[0]
    found = addresses(value)
    comment = value.partition("(")[2].partition(")")[0]
    return comment.strip(), found[0] if found else ""


def message_ids(value: str) -> list[str]:
    """Every Message-ID in a field, with its angle brackets, in order, each once."""
    return list(dict.fromkeys(_MESSAGE_ID.findall(value)))
