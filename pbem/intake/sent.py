"""Texts this seat has already been sent, or has written, ready to be found again in a mail.

What a mail program does to a quoted letter (wrapping at any width, marks in front, other
quotation marks and dashes, no-break spaces, rewritten links) changes no word of it.  So
texts are compared as streams of words.  The mark of an example is a word too: ``› take fox``
in a letter and ``take fox`` typed by a player are different.
"""

import re
import sys
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.intake.html_text import html_lines

MARK = "›"
_MARKS = "›│"
_GRAM = 3
_MAX_PLACES = 6  # places of the same three words that are looked at
_OWN_MAIL_LINES = 12

_LINK = re.compile(
    r"<(?:mailto:|https?:)[^>\s]{0,4000}+>|\[?(?:(?:https?|ftp|mailto|cid|tel):|www\.)[^\s\]]{0,4000}+\]?",
    re.IGNORECASE,
)
# Chinese, Japanese and Korean may be wrapped at any character: each is a word.
_WORD = re.compile(
    "[›│\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
    "|[^\\W_\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
# A mail program whose charset lacks the mark writes a question mark for it.
_LOST_MARK = re.compile(r"\s*\? (?=\S)")


def words(line: str) -> list[str]:
    """The words of a line as they are compared: folded, without punctuation and links."""
    if "://" in line or ":" in line or "www." in line:
        line = _LINK.sub(" ", line)
    if line.isascii():
        if line.startswith("? "):
            line = MARK + line[1:]
        return _WORD.findall(line.lower())
    line = unicodedata.normalize("NFKC", line).casefold()
    if _LOST_MARK.match(line):
        line = line.replace("?", MARK, 1)
    return _WORD.findall(line.replace("│", MARK))


class SentText:
    """One text: its words, where its lines begin, and an index of both."""

    __slots__ = ("grams", "is_letter", "line_of", "lines", "marked", "starts", "words")

    def __init__(self, text: str) -> None:
        rows = [row for row in map(words, text.split("\n")) if row]
        self.words: list[str] = [sys.intern(word) for row in rows for word in row]
        self.starts: list[int] = []
        self.line_of: list[int] = []
        self.marked = [row[0] == MARK for row in rows]
        self.lines: dict[tuple[str, ...], list[int]] = {}
        for number, row in enumerate(rows):
            self.starts.append(len(self.line_of))
            self.line_of += [number] * len(row)
            places = self.lines.setdefault(tuple(row), [])
            if len(places) < _MAX_PLACES:
                places.append(number)
        self.starts.append(len(self.words))
        self.grams: dict[tuple[str, ...], list[int]] = {}
        for place, gram in enumerate(zip(self.words, self.words[1:], self.words[2:], strict=False)):
            found = self.grams.setdefault(gram, [])
            if len(found) < _MAX_PLACES:
                found.append(place)
        # Short texts without an example are the player's own earlier mails.  They are
        # looked for in quotes only: whoever sends the same commands again means them.
        self.is_letter = any(self.marked) or len(rows) > _OWN_MAIL_LINES

    def is_example(self, row: Sequence[str]) -> bool:
        """Whether the words are those of an example, its mark left out."""
        return (MARK, *row) in self.lines


@lru_cache(maxsize=1024)
def sent_text(text: str) -> SentText:
    """The index of a text; kept, because every mail of a seat is compared with its letters."""
    return SentText(text)


def letter_texts(plain: str, html: str | None) -> list[str]:
    """What a quote of a letter may consist of: its plain part, and the text a mail program
    makes of its HTML part, the mark of an example on the line of the example."""
    if not html:
        return [plain]
    lines = [line.text for line in html_lines(html)[0] if line.text]
    joined: list[str] = []
    for before, line in pairwise(["", *lines]):
        if before.strip() in _MARKS and before.strip():
            joined[-1] = f"{before.strip()} {line}"
        else:
            joined.append(line)
    return [plain, "\n".join(joined)]
