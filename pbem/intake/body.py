"""Which parts of a mail hold its text, and that text as lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import unescape

from pbem.intake.flowed import unflow
from pbem.intake.html_text import html_lines
from pbem.intake.lines import MAX_LINES, TextLine, split, unmark
from pbem.intake.mime import Part, Walk
from pbem.intake.parts import shown_parts

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

    lines: list[TextLine]
    complete: bool = True
    used: list[Part] = field(default_factory=list)
    is_encrypted: bool = False  # inline PGP

    @property
    def is_blank(self) -> bool:
        return not any(line.text for line in self.lines)


def read_bodies(walk: Walk) -> list[Body]:
    """What may be the text of a mail, the likeliest first: that of the plain parts, then
    that of HTML parts which stand beside them without being another form of them (a list
    puts a plain footer under an HTML mail).  There is always one, if only a blank one."""
    parts = shown_parts(walk)
    bodies = []
    for content_type in ("text/plain", "text/html"):
        body = _joined(walk, [part for part in parts if part.content_type == content_type])
        if not body.is_blank:
            bodies.append(body)
    return bodies or [_joined(walk, parts)]


def _joined(walk: Walk, parts: Sequence[Part]) -> Body:
    body = Body([])
    for part in parts:
        text = walk.text(part)
        body.complete &= not walk.is_cut(part)
        body.used.append(part)
        if body.lines:
            body.lines.append(TextLine(""))
        if part.content_type == "text/html":
            lines, complete = html_lines(text)
            body.complete &= complete
            body.lines += [_marked(line) for line in lines]
        else:
            body.lines += _plain_lines(text, part)
        if len(body.lines) > MAX_LINES or _size(body.lines) > MAX_CHARACTERS:
            body.complete = False
            del body.lines[MAX_LINES:]
            break
    body.lines = _without_armor(body)
    return body


def _size(lines: list[TextLine]) -> int:
    return sum(len(line.text) for line in lines)


def _marked(line: TextLine) -> TextLine:
    """A line of HTML or flowed text with a quote mark that these do not know."""
    marked = unmark(line.text)
    return (
        replace(line, text=marked.text, depth=line.depth + marked.depth) if marked.depth else line
    )


def _without_quoted_end(text: str) -> str:
    """A text of too many lines without the marked ones that are too many at its end: nothing
    there is new, and what stands above a very long quote is the answer to it."""
    if text.count("\n") < MAX_LINES:
        return text
    text = text.rstrip()
    end, lines = len(text), text.count("\n") + 1
    while lines > MAX_LINES:  # from its end, line by line, for such a text may be very long
        begin = text.rfind("\n", 0, end) + 1
        if not (text.startswith(">", begin, end) or text[begin:end].isspace() or begin == end):
            break
        end, lines = begin - 1, lines - 1
    return text[:end]


def _plain_lines(text: str, part: Part) -> list[TextLine]:
    text = _without_quoted_end(text)
    if "&nbsp;" in text or "&gt;" in text:
        text = unescape(text)  # HTML half turned into text: QQ's, and some gateways'
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


def _without_armor(body: Body) -> list[TextLine]:
    """Cleartext signatures (RFC 9580 7): the lines around the text taken away, its dashes
    unescaped."""
    lines = body.lines
    if not any(line.text.startswith("-----") for line in lines):
        return lines
    out: list[TextLine] = []
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
