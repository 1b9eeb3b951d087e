"""What was added below or above the new text: signatures, footers, disclaimers, banners.

Everything works on `labels`: one a line, "" for new text, else the name under which the
line is cut.  Lines that are already cut are never looked at again.
"""

import re
from collections.abc import Sequence

from pbem.intake.lines import SIGNATURE, Line, fold
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
_CALL = re.compile(
    r"\b(?:tel|phone|mobile?|fax|cell|office|direct|telefon|handy|tél|móvil|mob)\b\.?\s*[:.+(0-9]"
    r"|\+\d[\d\s()/.-]{6,30}\d|\b[\w.+-]{1,64}@[\w-]{1,64}\.\w",
    re.IGNORECASE,
)
_CONTACT = re.compile(rf"{_CALL.pattern}|\bwww\.\w|https?://", re.IGNORECASE)


def cut_trailers(lines: Sequence[Line], labels: list[str], sender_name: str) -> None:
    """Label every line that is no text of the sender's."""
    if _count_new(lines, labels) > MAX_NEW_LINES:
        _cut_signature(lines, labels)
        if _count_new(lines, labels) > MAX_NEW_LINES:
            return
    _cut_banners(lines, labels)
    _cut_list_footers(lines, labels)
    _cut_signature(lines, labels)
    _cut_disclaimers(lines, labels)
    _cut_footers(lines, labels)
    _cut_undelimited_signature(lines, labels, sender_name)


def _count_new(lines: Sequence[Line], labels: list[str]) -> int:
    return sum(1 for line, label in zip(lines, labels, strict=True) if line.text and not label)


def _is_new(lines: Sequence[Line], labels: list[str], number: int) -> bool:
    return 0 <= number < len(lines) and not labels[number] and bool(lines[number].text)


def _folded(line: Line) -> str:
    return fold(line.text[:_MAX_PATTERN])


def _paragraph_end(lines: Sequence[Line], labels: list[str], number: int) -> int:
    """Behind the last line of the new paragraph that goes on at `number`."""
    while _is_new(lines, labels, number):
        number += 1
    return number


def _block_end(lines: Sequence[Line], labels: list[str], number: int) -> int:
    """Behind the last line before the next one that is cut already."""
    while number < len(lines) and not labels[number]:
        number += 1
    return number


def _label(lines: Sequence[Line], labels: list[str], first: int, end: int, name: str) -> None:
    for number in range(first, end):
        if not labels[number] and lines[number].text:
            labels[number] = name


def _cut_banners(lines: Sequence[Line], labels: list[str]) -> None:
    """A banner: its first line, and the lines after it that go on with it."""
    number = 0
    while number < len(lines):
        if not _is_new(lines, labels, number) or not _opens_banner(lines, labels, number):
            number += 1
            continue
        end = number + 1
        while end < number + _MAX_BANNER and _is_new(lines, labels, end):
            if not _goes_on_banner(lines[end - 1], lines[end]):
                break
            end += 1
        _label(lines, labels, number, end, BANNER_CUT)
        number = end


def _opens_banner(lines: Sequence[Line], labels: list[str], number: int) -> bool:
    folded = _folded(lines[number])
    if BANNER.match(folded):
        return not DISCLAIMER.match(folded)
    if not _is_new(lines, labels, number + 1):
        return False
    # Broken in the middle: "CAUTION:" on a line of its own, or wrapped early.
    joined = f"{folded} {_folded(lines[number + 1])}"
    match = BANNER.match(joined)
    return match is not None and match.end() > len(folded) and not DISCLAIMER.match(joined)


def _goes_on_banner(above: Line, line: Line) -> bool:
    """Whether a line goes on with the banner above: never one that only might, for it may
    be the command."""
    before = _folded(above)
    matches = BANNER_GOES_ON.finditer(f"{before} {_folded(line)}")
    return any(match.end() > len(before) + 1 for match in matches)


def _cut_list_footers(lines: Sequence[Line], labels: list[str]) -> None:
    number = 0
    while number < len(lines):
        if not _is_new(lines, labels, number):
            number += 1
            continue
        text = lines[number].text.strip()
        first = number
        if LIST_RULE.fullmatch(text) or text == "--":
            window = [at for at in range(number + 1, number + 5) if _is_new(lines, labels, at)]
            is_footer = any(LIST_FOOTER.match(_folded(lines[at])) for at in window)
        else:
            is_footer = LIST_FOOTER.match(_folded(lines[number])) is not None
        if is_footer:
            end = _block_end(lines, labels, number)
            _label(lines, labels, first, end, LIST_CUT)
            number = end
        else:
            number += 1


def _cut_signature(lines: Sequence[Line], labels: list[str]) -> None:
    """Below a line ``-- `` nothing is read; so does what the HTML calls a signature."""
    for number, line in enumerate(lines):
        if line.role == SIGNATURE and _is_new(lines, labels, number):
            labels[number] = _footer_or(SIGNATURE, line)
    for number, line in enumerate(lines):
        if labels[number] in ("", SIGNATURE) and line.text in ("--", "- --", "—", "––"):
            _label(lines, labels, number, len(lines), SIGNATURE)
            return


def _footer_or(name: str, line: Line) -> str:
    return FOOTER_CUT if FOOTER.fullmatch(_folded(line)) else name


def _cut_footers(lines: Sequence[Line], labels: list[str]) -> None:
    """Lines of mobile programs, where they end a text: nothing new but blanks below them
    up to the next line that is cut."""
    for number in range(len(lines) - 1, -1, -1):
        if not _is_new(lines, labels, number) or len(lines[number].text) > 200:
            continue
        text = _without_links(_folded(lines[number]))
        if FOOTER.fullmatch(text) and _ends_text(lines, labels, number):
            labels[number] = FOOTER_CUT


def _ends_text(lines: Sequence[Line], labels: list[str], number: int) -> bool:
    for at in range(number + 1, len(lines)):
        if labels[at]:
            return True
        if lines[at].text:
            return False
    return True


_LINK = re.compile(r"\s*[<\[(]?https?://[^\s>\])]+[>\])]?")


def _without_links(text: str) -> str:
    return _LINK.sub("", text).strip()


def _cut_disclaimers(lines: Sequence[Line], labels: list[str]) -> None:
    """A disclaimer's paragraph; what is below it too, if there was text above it."""
    number = 0
    seen_text = False
    while number < len(lines):
        if not _is_new(lines, labels, number):
            number += 1
            continue
        end = _paragraph_end(lines, labels, number)
        first = next(
            (
                at
                for at in range(number, min(end, number + 40))
                if DISCLAIMER.match(_joined(lines, at, end))
            ),
            None,
        )
        if first is None:
            seen_text = True
            number = end
            continue
        if seen_text or first > number:
            end = _block_end(lines, labels, first)
        rule = first - 1
        if _is_new(lines, labels, rule) and re.fullmatch(r"[\s*_=\-#]{3,}", lines[rule].text):
            first = rule
        _label(lines, labels, first, end, DISCLAIMER_CUT)
        number = end


def _joined(lines: Sequence[Line], first: int, end: int) -> str:
    """The beginning of a paragraph as one line."""
    return fold(" ".join(line.text[:300] for line in lines[first : min(end, first + 6)]))


def _cut_undelimited_signature(lines: Sequence[Line], labels: list[str], sender_name: str) -> None:
    """A block at the end that begins with the sender's name and says how to reach him, or
    a paragraph at the end that says so twice."""
    last = next((n for n in range(len(lines) - 1, -1, -1) if _is_new(lines, labels, n)), None)
    if last is None:
        return
    names = set(re.findall(r"\w{2,}", fold(sender_name)))
    contacts = calls = 0
    for first in range(last, max(last - 12, 0), -1):
        text = lines[first].text[:200]
        if labels[first] or (contacts > 1 and not text):
            return
        contacts += bool(_CONTACT.search(text))
        calls += bool(_CALL.search(text))
        row = re.findall(r"\w+", fold(text[:100]))
        is_name = 2 <= len(row) <= 4 and names and names <= set(row)
        is_block = contacts > 1 and calls and not lines[first - 1].text
        if (contacts and is_name) or (is_block and _has_text_above(lines, labels, first)):
            _label(lines, labels, first, last + 1, SIGNATURE)
            return


def _has_text_above(lines: Sequence[Line], labels: list[str], number: int) -> bool:
    return any(_is_new(lines, labels, above) for above in range(number))
