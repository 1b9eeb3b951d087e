"""What was added below or above the new text: signatures, footers, disclaimers, banners.

Everything works on `labels`: one a line, "" for new text, else the name under which the
line is cut.  Lines that are already cut are never looked at again.
"""

import re
from collections.abc import Sequence

from pbem.intake.lines import SIGNATURE, TextLine, fold
from pbem.intake.trailer_words import (
    BANNER,
    BANNER_GOES_ON,
    DISCLAIMER,
    FOOTER,
    LIST_FOOTER,
    LIST_RULE,
)

FOOTER_CUT, DISCLAIMER_CUT, BANNER_CUT, LIST_CUT = "footer", "disclaimer", "banner", "list-footer"

MAX_NEW_LINES = 1_000  # a mail with more is refused unread (commands.md 1.9): no need to look
_MAX_PATTERN = 800  # characters of a line or paragraph the patterns look at
_MAX_BANNER = 6  # lines
_MAX_SIGNATURE = 12  # lines
_DELIMITERS = frozenset({"--", "- --", "—", "––"})
_RULE = re.compile(r"[\s*_=\-#]{3,}")
_LINK = re.compile(r"\s*[<\[(]?https?://[^\s>\])]+[>\])]?")
_CALL = re.compile(
    r"\b(?:tel|phone|mobile?|fax|cell|office|direct|telefon|handy|tél|móvil|mob)\b\.?\s*[:.+(0-9]"
    r"|\+\d[\d\s()/.-]{6,30}\d|\b[\w.+-]{1,64}@[\w-]{1,64}\.\w",
    re.IGNORECASE,
)
_CONTACT = re.compile(rf"{_CALL.pattern}|\bwww\.\w|https?://", re.IGNORECASE)


def cut_trailers(lines: Sequence[TextLine], labels: list[str], sender_name: str) -> None:
    """Label every line that is no text of the sender's."""
    text = _Text(lines, labels)
    if len(text.new()) > MAX_NEW_LINES:
        text.cut_signature()
        if len(text.new()) > MAX_NEW_LINES:
            return
    text.cut_banners()
    text.cut_list_footers()
    text.cut_signature()
    text.cut_disclaimers()
    text.cut_footers()
    text.cut_undelimited_signature(sender_name)


class _Text:
    """The lines of a mail and their labels, while these are put on."""

    def __init__(self, lines: Sequence[TextLine], labels: list[str]) -> None:
        self._lines = lines
        self._labels = labels
        self._new = [number for number, line in enumerate(lines) if line.text]

    def new(self) -> list[int]:
        """The lines with text that are not cut."""
        self._new = [number for number in self._new if not self._labels[number]]
        return self._new

    def _is_new(self, number: int) -> bool:
        if not 0 <= number < len(self._lines):
            return False
        return not self._labels[number] and bool(self._lines[number].text)

    def _folded(self, number: int) -> str:
        return fold(self._lines[number].text[:_MAX_PATTERN])

    def _paragraph_end(self, number: int) -> int:
        """Behind the last line of the new paragraph that goes on at `number`."""
        while self._is_new(number):
            number += 1
        return number

    def _block_end(self, number: int) -> int:
        """Behind the last line before the next one that is cut already."""
        while number < len(self._lines) and not self._labels[number]:
            number += 1
        return number

    def _cut(self, first: int, end: int, name: str) -> None:
        for number in range(first, end):
            if self._is_new(number):
                self._labels[number] = name

    # --- banners

    def cut_banners(self) -> None:
        """A banner: its first line, and the lines after it that go on with it."""
        for number in self.new():
            if self._is_new(number) and self._opens_banner(number):
                end = number + 1
                while end < number + _MAX_BANNER and self._goes_on_banner(end):
                    end += 1
                self._cut(number, end, BANNER_CUT)

    def _opens_banner(self, number: int) -> bool:
        folded = self._folded(number)
        if BANNER.match(folded):
            return not DISCLAIMER.match(folded)
        if not self._is_new(number + 1):
            return False
        # Broken in the middle: "CAUTION:" on a line of its own, or wrapped early.
        joined = f"{folded} {self._folded(number + 1)}"
        match = BANNER.match(joined)
        return match is not None and match.end() > len(folded) and not DISCLAIMER.match(joined)

    def _goes_on_banner(self, number: int) -> bool:
        """Whether a line goes on with the banner above: never one that only might, for it
        may be the command."""
        if not self._is_new(number):
            return False
        above = self._folded(number - 1)
        matches = BANNER_GOES_ON.finditer(f"{above} {self._folded(number)}")
        return any(match.end() > len(above) + 1 for match in matches)

    # --- lists

    def cut_list_footers(self) -> None:
        """What a mailing list puts under a mail, with the rule above it."""
        for number in self.new():
            if self._is_new(number) and self._opens_list_footer(number):
                self._cut(number, self._block_end(number), LIST_CUT)

    def _opens_list_footer(self, number: int) -> bool:
        text = self._lines[number].text.strip()
        if LIST_RULE.fullmatch(text) or text == "--":
            below = filter(self._is_new, range(number + 1, number + 5))
            return any(LIST_FOOTER.match(self._folded(at)) for at in below)
        return LIST_FOOTER.match(self._folded(number)) is not None

    # --- signatures

    def cut_signature(self) -> None:
        """What the HTML calls a signature; below a line ``-- `` nothing is read."""
        for number in self.new():
            if self._lines[number].role == SIGNATURE:
                is_footer = FOOTER.fullmatch(self._folded(number))
                self._labels[number] = FOOTER_CUT if is_footer else SIGNATURE
        for number, line in enumerate(self._lines):
            if line.text in _DELIMITERS and self._labels[number] in ("", SIGNATURE):
                self._cut(number, len(self._lines), SIGNATURE)
                return

    def cut_undelimited_signature(self, sender_name: str) -> None:
        """A block at the end that begins with the sender's name and says how to reach him,
        or a paragraph at the end that says so twice."""
        new = self.new()
        if not new:
            return
        last = new[-1]
        names = set(re.findall(r"\w{2,}", fold(sender_name)))
        contacts = calls = 0
        for first in range(last, max(last - _MAX_SIGNATURE, 0), -1):
            text = self._lines[first].text[:200]
            if self._labels[first] or (contacts > 1 and not text):
                return
            contacts += bool(_CONTACT.search(text))
            calls += bool(_CALL.search(text))
            row = re.findall(r"\w+", fold(text[:100]))
            is_name = 2 <= len(row) <= 4 and names and names <= set(row)
            is_block = contacts > 1 and calls and not self._lines[first - 1].text
            if (contacts and is_name) or (is_block and new[0] < first):
                self._cut(first, last + 1, SIGNATURE)
                return

    # --- footers and disclaimers

    def cut_footers(self) -> None:
        """Lines of mobile programs, where they end a text: nothing new but blanks below
        them up to the next line that is cut."""
        below = len(self._lines)  # the next new line
        for number in reversed(self.new()):
            ends_text = below == len(self._lines) or any(self._labels[number + 1 : below])
            text = _LINK.sub("", self._folded(number)).strip()
            if ends_text and len(text) <= 200 and FOOTER.fullmatch(text):
                self._labels[number] = FOOTER_CUT
            else:
                below = number

    def cut_disclaimers(self) -> None:
        """A disclaimer's paragraph; what is below it too, if there was text above it."""
        seen_text = False
        behind = 0
        for number in self.new():
            if number < behind:
                continue
            end = behind = self._paragraph_end(number)
            first = next(filter(self._opens_disclaimer, range(number, min(end, number + 40))), None)
            if first is None:
                seen_text = True
                continue
            if seen_text or first > number:
                end = behind = self._block_end(first)
            if self._is_new(first - 1) and _RULE.fullmatch(self._lines[first - 1].text):
                first -= 1
            self._cut(first, end, DISCLAIMER_CUT)

    def _opens_disclaimer(self, number: int) -> bool:
        """Whether a disclaimer begins here; it may be broken over some lines."""
        end = number + 1
        while end < number + _MAX_BANNER and self._is_new(end):
            end += 1
        joined = fold(" ".join(line.text[:300] for line in self._lines[number:end]))
        return DISCLAIMER.match(joined) is not None
