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

from pbem.intake.html_text import html_lines

MARK = "›"
_MARKS = "›│"
GRAM = 3  # words by which a place is found
_MAX_PLACES = 6  # places of the same three words that are looked at

_LINK = re.compile(
    r"<(?:mailto:|https?:)[^>\s]{0,4000}+>|\[?(?:(?:https?|ftp|mailto|cid|tel):|www\.)[^\s\]]{0,4000}+\]?",
    re.IGNORECASE,
)
_MAYBE_LINK = re.compile(r"://|www\.|(?:mailto|cid|tel):", re.IGNORECASE)
# Chinese, Japanese and Korean may be wrapped at any character: each is a word.
_WORD = re.compile(
    "[›│\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
    "|[^\\W_\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
# A mail program whose charset lacks the mark writes a question mark for it.
_LOST_MARK = re.compile(r"\s*\? (?=\S)")


def words(line: str) -> list[str]:
    """The words of a line as they are compared: folded, without punctuation and links."""
    if _MAYBE_LINK.search(line):
        line = _LINK.sub(" ", line)
    if line.isascii():
        if line.startswith("? "):
            line = MARK + line[1:]
        return _WORD.findall(line.lower())
    line = unicodedata.normalize("NFKC", line).casefold()
    if _LOST_MARK.match(line):
        line = line.replace("?", MARK, 1)
    return _WORD.findall(line.replace("│", MARK))


def is_link(line: str) -> bool:
    """Whether a line is nothing but a link."""
    return bool(_MAYBE_LINK.search(line)) and _LINK.fullmatch(line.strip(" <>")) is not None


def number_of(row: Sequence[str]) -> int:
    """A number for some words; equal words, equal numbers.  Quicker to look up than the
    words, and nobody can make two that are alike: Python's hashes differ in every process."""
    return hash(tuple(row))


def grams(row: Sequence[str]) -> list[int]:
    """The numbers of the `GRAM` words at each place."""
    shifted = [row[by:] for by in range(GRAM)]
    return [hash(group) for group in zip(*shifted, strict=False)]


class SentText:
    """One text: its words, where its lines begin, and an index of both."""

    __slots__ = ("examples", "grams", "is_letter", "line_of", "lines", "marked", "starts", "words")

    def __init__(self, text: str, is_letter: bool) -> None:
        rows = [row for row in map(words, text.split("\n")) if row]
        self.words: list[str] = [sys.intern(word) for row in rows for word in row]
        self.starts: list[int] = []
        self.line_of: list[int] = []
        self.marked = [row[0] == MARK for row in rows]
        # The numbers of what stands behind a mark: typed without it, it is new text.
        self.examples = frozenset(number_of(row[1:]) for row in rows if row[0] == MARK)
        self.lines: dict[int, list[int]] = {}  # by the number of their words
        for number, row in enumerate(rows):
            self.starts.append(len(self.line_of))
            self.line_of += [number] * len(row)
            places = self.lines.setdefault(number_of(row), [])
            if len(places) < _MAX_PLACES:
                places.append(number)
        self.starts.append(len(self.words))
        self.grams: dict[int, list[int]] = {}
        for place, gram in enumerate(grams(self.words)):
            found = self.grams.setdefault(gram, [])
            if len(found) < _MAX_PLACES:
                found.append(place)
        # Texts that are no letters are the player's own earlier mails.  They are looked for
        # in quotes only: whoever sends the same commands again means them.
        self.is_letter = is_letter or any(self.marked)


class LetterText(str):
    """A text we sent, told apart from what the player wrote."""

    __slots__ = ()


def sent_text(text: str) -> SentText:
    """The index of a text; kept, because every mail of a seat is compared with its letters."""
    return _indexed(text, isinstance(text, LetterText))


_indexed = lru_cache(maxsize=1024)(SentText)


def letter_texts(plain: str, html: str | None) -> list[str]:
    """What a quote of a letter may consist of: its plain part, and the text a mail program
    makes of its HTML part.  Some show what was hidden in it (the line for the list of mails):
    then that is a text more."""
    texts = [plain]
    if html:
        texts += [_html_text(html, show_hidden=False), _html_text(html, show_hidden=True)]
    return [LetterText(text) for text in dict.fromkeys(texts)]


def _html_text(html: str, show_hidden: bool) -> str:
    """The text of a letter's HTML, the mark of an example on the line of the example."""
    joined: list[str] = []
    mark = ""
    for line in html_lines(html, show_hidden)[0]:
        if line.text.strip() in (*_MARKS,):
            mark = line.text.strip()
        elif line.text:
            joined.append(f"{mark} {line.text}" if mark else line.text)
            mark = ""
    return "\n".join(joined)
