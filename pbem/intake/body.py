"""Which parts of a mail hold its text, and that text as lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pbem.intake.flowed import unflow
from pbem.intake.html_text import html_lines
from pbem.intake.lines import MAX_LINES, Line, split, unmark
from pbem.intake.mime import Part, Walk

MAX_CHARACTERS = 1_000_000  # of text that is read

_UU_BEGIN = re.compile(r"begin [0-7]{3,4} \S.*")
_UU_LINE = re.compile(r"M[!-`]{60}.{0,2}|[!-L][!-`]{4,60}.{0,2}|`?")
_PGP_SIGNED = re.compile(r"\s*-{5}BEGIN PGP SIGNED MESSAGE-{5}\s*")
_PGP_SIGNATURE = re.compile(r"\s*-{5}BEGIN PGP SIGNATURE-{5}\s*")
_PGP_END = re.compile(r"\s*-{5}END PGP SIGNATURE-{5}\s*")
_ARMOR_HEADER = re.compile(
    r"(?:Hash|Charset|Comment|Version|MessageID|NotDashEscaped):", re.IGNORECASE
)
_PGP_ENCRYPTED = re.compile(r"\s*-{5}BEGIN PGP MESSAGE-{5}\s*")


@dataclass(slots=True)
class Body:
    """The text of a mail.  `complete` is false when some of it was beyond the caps;
    `used` are the parts it was taken from."""

    lines: list[Line]
    complete: bool = True
    used: list[Part] = field(default_factory=list)
    is_encrypted: bool = False  # inline PGP

    @property
    def is_blank(self) -> bool:
        return not any(line.text for line in self.lines)


def read_body(walk: Walk) -> Body:
    """The text of the plain parts; that of the HTML parts when the plain ones are missing
    or blank (commands.md 1.2).  Attachments are not opened."""
    body = _joined(walk, _texts(walk.root, "text/plain"))
    if body.is_blank:
        rich = _joined(walk, _texts(walk.root, "text/html"))
        if not rich.is_blank or not body.used:
            body = rich
    if not body.used:
        # A text with a name is an attachment, unless it is all there is.
        named = [part for part in walk.root.walk() if _is_text(part) and not _is_attached(part)]
        body = _joined(walk, iter(named[:1]))
    body.lines = _without_armor(body)
    return body


def _is_text(part: Part) -> bool:
    return part.content_type in ("text/plain", "text/html") and not part.children


def _is_attached(part: Part) -> bool:
    return part.disposition == "attachment"


def _is_shown(part: Part) -> bool:
    return not _is_attached(part) and (not part.filename or part.depth == 0)


def _texts(part: Part, content_type: str) -> Iterator[Part]:
    """The parts with text of this type, in order, as a mail program would show them."""
    if part.children:
        children = part.children
        if part.content_type == "multipart/signed" or part.content_type == "multipart/related":
            children = [_start(part)]
        elif part.content_type == "multipart/report":
            children = children[:1]
        for child in children:
            yield from _texts(child, content_type)
    elif part.content_type == content_type and _is_shown(part):
        yield part


def _start(part: Part) -> Part:
    """The part of a multipart/related that is shown (RFC 2387), or that was signed."""
    start = part.parameters.get("start", "").strip("<> ")
    if start and part.content_type == "multipart/related":
        for child in part.children:
            if child.headers.raw("content-id").strip("<> ") == start:
                return child
    return part.children[0]


def _joined(walk: Walk, parts: Iterator[Part]) -> Body:
    body = Body([])
    characters = 0
    for part in parts:
        text = walk.text(part)
        body.complete &= not walk.is_cut(part)
        body.used.append(part)
        if body.lines:
            body.lines.append(Line(""))
        if part.content_type == "text/html":
            lines, complete = html_lines(text)
            body.complete &= complete
            body.lines += [_marked(line) for line in lines]
        else:
            body.lines += _plain_lines(text, part)
        characters += sum(len(line.text) for line in body.lines)
        if characters > MAX_CHARACTERS or len(body.lines) > MAX_LINES:
            body.complete = False
            del body.lines[MAX_LINES:]
            break
    return body


def _marked(line: Line) -> Line:
    """A line of HTML or flowed text with a quote mark that these do not know."""
    marked = unmark(line.text)
    return (
        replace(line, text=marked.text, depth=line.depth + marked.depth) if marked.depth else line
    )


def _plain_lines(text: str, part: Part) -> list[Line]:
    if part.parameters.get("format", "").lower() == "flowed":
        del_sp = part.parameters.get("delsp", "").lower() == "yes"
        return [_marked(line) for line in unflow(split(text, keep_blanks=True), del_sp)]
    return [unmark(line) for line in _without_uuencoded(split(text))]


def _without_uuencoded(lines: list[str]) -> list[str]:
    """The lines without attachments written into the text by uuencode."""
    if not any(line.startswith("begin ") for line in lines):
        return lines
    out: list[str] = []
    inside = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if not inside and _UU_BEGIN.fullmatch(line) and _UU_LINE.fullmatch(following):
            inside = True
        if not inside:
            out.append(line)
        elif line == "end":
            inside = False
    return out


def _without_armor(body: Body) -> list[Line]:
    """Cleartext signatures (RFC 9580 7): the lines around the text taken away, its dashes
    unescaped."""
    lines = body.lines
    if not any(line.text.startswith("-----") for line in lines):
        return lines
    out: list[Line] = []
    state = "text"
    for line in lines:
        text = line.text
        if not line.depth and text.startswith("-----"):
            if _PGP_SIGNED.fullmatch(text):
                state = "armor"
                continue
            if _PGP_SIGNATURE.fullmatch(text) and state == "signed":
                state = "signature"
                continue
            if _PGP_END.fullmatch(text) and state == "signature":
                state = "text"
                continue
            if _PGP_ENCRYPTED.fullmatch(text) and not any(before.text for before in out):
                body.is_encrypted = True
        if state == "signature":
            continue
        if state == "armor":
            if not text or not _ARMOR_HEADER.match(text):
                state = "signed"
            if not text or _ARMOR_HEADER.match(text):
                continue
        if state == "signed" and text.startswith("- "):
            line = replace(unmark(text[2:]), role=line.role)
        out.append(line)
    return out
