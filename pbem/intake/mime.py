"""The parts of a mail, found by a walk of our own.

The standard library's parser recurses once a level and takes seconds on a mail of 100,000
parts, so the walk is capped: depth, number of parts, bytes looked through.  What lies
beyond a cap is left alone, and `Walk.capped` says so.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.intake import charsets, transfer
from pbem.intake.headers import Headers, decode_value, parameters, parse

MAX_DEPTH = 16
MAX_PARTS = 300
MAX_SCANNED = 100_000_000  # bytes, each level of nesting counted anew
MAX_TEXT = 1_500_000  # encoded bytes of a part that is read

_MAX_PREAMBLE = 65_536  # bytes
_BOUNDARY_TAIL = rb"(--)?[ \t]*+(?=\n|\Z)"
_FOUND_BOUNDARY = re.compile(rb"\n--([^\s\n][^\n]{0,200})\n(?=[Cc]ontent-[Tt])")


@dataclass(slots=True)
class Part:
    """One part: its headers, and where its body lies in the mail's bytes."""

    headers: Headers
    start: int
    end: int
    depth: int
    content_type: str = "text/plain"
    parameters: dict[str, str] = field(default_factory=dict)
    disposition: str = ""
    filename: str = ""
    children: list["Part"] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Bytes of the body as it was sent."""
        return self.end - self.start

    def walk(self) -> Iterator["Part"]:
        """This part and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


class Walk:
    """A mail taken apart.  `data` is the mail with LF line ends, `root` its outermost part."""

    def __init__(self, raw: bytes) -> None:
        if b"\r" in raw:
            # Some gateways double the CR of every line end.
            raw = raw.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        raw = raw.removeprefix(BOM_UTF8)  # an editor's, in front of a mail saved as a file
        self.data = b"\n" + raw  # every line begins behind a line end: a literal to look for
        self.capped = False
        self._texts: dict[int, str] = {}
        self._parts = 0
        self._scanned = 0
        start = 1
        while self.data.startswith((b"\n", b" \n"), start) and start < 20:
            start += 1  # blank lines before the header block are a relay's doing
        self.root = self._part(start, len(self.data), 0, "text/plain")

    def body(self, part: Part) -> bytes:
        """A part's body, its transfer encoding undone."""
        data = self.data[part.start : min(part.end, part.start + MAX_TEXT)]
        return transfer.undo(data, part.headers.raw("content-transfer-encoding"))

    def text(self, part: Part) -> str:
        """A part's body as text."""
        text = self._texts.get(id(part))
        if text is None:
            text = charsets.decode(self.body(part), part.parameters.get("charset", ""))
            self._texts[id(part)] = text
        return text

    def is_cut(self, part: Part) -> bool:
        """Whether `text` gives the beginning of the part only."""
        return part.size > MAX_TEXT

    def _part(self, start: int, end: int, depth: int, default: str) -> Part:
        self._parts += 1
        headers, body = parse(self.data, start, end)
        part = Part(headers, body, end, depth)
        kind, part.parameters = parameters(headers.raw("content-type"))
        part.content_type = kind if kind.count("/") == 1 else default
        part.disposition, disposition = parameters(headers.raw("content-disposition"))
        name = disposition.get("filename") or part.parameters.get("name", "")
        part.filename = decode_value(name.encode("latin-1", "replace"))[:200]
        if part.content_type.startswith("multipart/"):
            self._split(part)
        return part

    def _split(self, part: Part) -> None:
        if part.depth >= MAX_DEPTH or self._scanned > MAX_SCANNED:
            self.capped = True
            return
        self._scanned += part.size
        boundary = part.parameters.get("boundary", "").encode("latin-1", "replace")
        spans = self._spans(part, boundary) if boundary else []
        if not spans and (guessed := self._guess_boundary(part)):
            spans = self._spans(part, guessed)
        default = "message/rfc822" if part.content_type == "multipart/digest" else "text/plain"
        for start, end in spans:
            if self._parts >= MAX_PARTS:
                self.capped = True
                return
            part.children.append(self._part(start, end, part.depth + 1, default))
        if not spans:
            part.content_type = "text/plain"  # a multipart without parts is plain text

    def _guess_boundary(self, part: Part) -> bytes:
        """What looks like the boundary of a part that names none, or another."""
        end = min(part.end, part.start + _MAX_PREAMBLE)
        found = _FOUND_BOUNDARY.search(self.data, part.start - 1, end)
        return found[1].rstrip() if found else b""

    def _spans(self, part: Part, boundary: bytes) -> list[tuple[int, int]]:
        """Where the parts between the boundary's lines lie.  Line ends before them belong
        to the boundary (RFC 2046 5.1.1)."""
        pattern = re.compile(rb"\n--" + re.escape(boundary) + _BOUNDARY_TAIL)
        spans: list[tuple[int, int]] = []
        start = -1
        # One byte earlier: the line end of the header block may be the boundary's own.
        for match in pattern.finditer(self.data, part.start - 1, part.end):
            if start >= 0:
                spans.append((start, max(start, match.start())))
            start = match.end() + 1
            if match[1] or len(spans) >= MAX_PARTS:
                start = -1
                break
        if 0 <= start < part.end:
            spans.append((start, part.end))  # cut off on the way: the last part has no end
        return spans
