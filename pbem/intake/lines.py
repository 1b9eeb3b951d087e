"""A mail's text as lines, each with what is known about it before its words are looked at."""

import re
import unicodedata
from dataclasses import dataclass

MAX_LINES = 12_000
MAX_LINE = 4_000  # characters; no command is longer, and longer lines cost time

OTHERS_MARK = "│"  # in front of other people's words in our letters

QUOTE, SIGNATURE, ATTRIBUTION, FORWARD = "quote", "signature", "attribution", "forward"


@dataclass(slots=True)
class TextLine:
    """`text` is without quote marks and trailing blanks; `depth` counts the marks (or, in
    HTML, the block quotes around the line)."""

    text: str
    depth: int = 0
    role: str = ""  # what the HTML says it is: signature, attribution, forward
    container: int = 0  # the number of the quote container it lies in, 0 = none

    @property
    def is_marked(self) -> bool:
        """Whether a mail program marked it as a quote: our own mark of other people's words
        says nothing about the mail it stands in."""
        return self.depth > 0 and not self.text.lstrip().startswith(OTHERS_MARK)

    @property
    def indent(self) -> int:
        """Blanks in front."""
        return len(self.text) - len(self.text.lstrip())


_LINE_END = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)
# What a webmail page in a charset without our marks (GBK, Big5, ISO-8859-1) sends for them.
_REFERENCES = {"&#8250;": "›", f"&#{ord(OTHERS_MARK)};": OTHERS_MARK}
_ODD_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f]")
# Marks people's programs put in front of what they quote: > and |, alone or repeated, full
# width too, and up to four initials before the first (`AB> `).
_QUOTE_MARKS = ">|＞｜»"
_MARKS = _QUOTE_MARKS + OTHERS_MARK
_QUOTE_MARK = re.compile(
    rf"\s{{0,20}}(?:[A-Za-z]{{1,4}}(?=>)(?!>[A-Za-z/]))?((?:[{_QUOTE_MARKS}]\s?)+)"
)
# Quotation marks around a line (commands.md 1.4), not a mark in front of it.
_GUILLEMETS = re.compile(r"\s{0,20}»[^»«]+«[\s.!。！]*$")
# A table turned into text: 163.com writes the header block of a quote so.
_TABLE_ROW = re.compile(r"\s{0,8}\|[^|]*+\|(?:[^|]*+\|)*\s*$")


def split(text: str, keep_blanks: bool = False) -> list[str]:
    """The lines of a text, without control and invisible characters, blanks at the end
    stripped (unless `keep_blanks`), every space but the ideographic one a plain space.

    At most a line more than `MAX_LINES`, so that the reader knows there are more."""
    text = _ODD_SPACE.sub(" ", text) if not text.isascii() else text
    if "&#" in text:
        for reference, mark in _REFERENCES.items():
            text = text.replace(reference, mark)
    lines = _LINE_END.split(text, MAX_LINES)[: MAX_LINES + 1]
    if not text.isprintable():
        lines = [line if line.isprintable() else _INVISIBLE.sub("", line) for line in lines]
    if keep_blanks:
        return [_shortened(line) for line in lines]
    return [_shortened(line.rstrip()) for line in lines]


def is_blank(text: str) -> bool:
    """Whether a reader sees nothing."""
    return not any(split(text[:20_000]))


def _shortened(line: str) -> str:
    return line if len(line) <= MAX_LINE else line[:MAX_LINE] + "…"


def fold(text: str) -> str:
    """A text as it is compared with word lists: case, the shape of apostrophes and the dot
    of a Turkish capital i aside."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFC", text.replace("’", "'")).casefold()
    return text.replace("i\u0307", "i")


def is_table_row(line: str) -> bool:
    """Whether the line is a row of a table drawn with bars; no command looks so."""
    return _TABLE_ROW.match(line) is not None


def unmark(line: str) -> TextLine:
    """A line of plain text with its quote marks counted and taken away."""
    if line.isascii() and ">" not in line and "|" not in line:
        return TextLine(line)  # most lines
    if _GUILLEMETS.match(line):
        return TextLine(line)
    head = line[:20].lstrip()
    if head[:1] not in _MARKS and ">" not in head[:6]:
        return TextLine(line)
    match = _QUOTE_MARK.match(line)
    if match is not None and not _TABLE_ROW.match(line):
        return TextLine(line[match.end() :].rstrip(), len("".join(match[1].split())))
    if line.lstrip().startswith(OTHERS_MARK):
        return TextLine(line, 1)
    return TextLine(line)
