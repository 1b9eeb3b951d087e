"""The new text of a mail: what is left when everything else is cut (commands.md 1.1).

In doubt the text goes where it cannot be executed:

- what is marked (``>``, ``|``, ``│``, a block quote) is a quote, whoever wrote it;
- below the introduction of a bare quote only what lies between lines known to be ours is
  new; when nothing there is known, nothing there is new;
- below a forward's header and below ``-- `` nothing is read;
- a sent line on its own, without further evidence, is left in the text: it is no command.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.intake.introductions import HEADER, Introduction, attributions_above, introductions
from pbem.intake.lines import ATTRIBUTION, FORWARD, QUOTE, TextLine, is_table_row
from pbem.intake.quotes import Subtraction
from pbem.intake.sent import words
from pbem.intake.trailers import cut_trailers

CUTS = ("quote", "signature", "footer", "disclaimer", "banner", "list-footer", "forward")
MAX_BARE = 1_500  # lines without a quote mark that are looked at
_ENOUGH_KNOWN = 0.5  # of the words of a bare quote: then the others are answers


@dataclass(frozen=True, slots=True)
class NewText:
    """`text`: the new lines joined with LF; `cut`: what was taken away, in the order of
    `CUTS`; `breaks`: the numbers (from 0) of lines above which quoted text was cut."""

    text: str
    cut: tuple[str, ...] = ()
    breaks: tuple[int, ...] = ()


def new_text(
    lines: Sequence[TextLine],
    sent: Sequence[str] = (),
    sender_name: str = "",
    is_forward: bool = False,
) -> NewText:
    """Cut a mail's lines.  `is_forward`: the subject says that the mail was forwarded."""
    end = _analysed(lines)
    head = lines[:end]
    labels = [QUOTE if line.depth or is_table_row(line.text) else "" for line in head]
    found = introductions(head)
    subtraction = Subtraction(head, sent, {one.last for one in found})
    quoted = subtraction.quoted
    for number in quoted:
        labels[number] = QUOTE
    for one in attributions_above(head, quoted) if quoted else ():
        labels[one.first : one.last + 1] = [QUOTE] * (one.last + 1 - one.first)
    for number, line in enumerate(head):
        if line.role == FORWARD and line.text:
            labels[number] = FORWARD
    for at, introduction in enumerate(found):
        following = found[at + 1].first if at + 1 < len(found) else end
        if not _cut_introduced(head, labels, introduction, following, is_forward, subtraction):
            break
    _cut_containers(head, labels)
    _cut_between(head, labels)
    cut_trailers(head, labels, sender_name)
    # So many lines are a long bare quote that goes on, or are refused unread for their number
    # (commands.md 1.9).
    last = next((n for n in range(end - 1, -1, -1) if head[n].text), -1)
    rest = labels[last] if last >= 0 else ""
    labels += [QUOTE if line.depth else rest for line in lines[end:]]
    return _kept(lines, labels)


def _analysed(lines: Sequence[TextLine]) -> int:
    """How many lines are looked at: up to `MAX_BARE` without a quote mark."""
    if len(lines) <= MAX_BARE:
        return len(lines)
    bare = 0
    for number, line in enumerate(lines):
        bare += bool(line.text) and not line.depth
        if bare > MAX_BARE:
            return number
    return len(lines)


def _kept(lines: Sequence[TextLine], labels: list[str]) -> NewText:
    """The lines without a label.  Blank lines beside what was cut go with it; of several in
    a row elsewhere one is kept."""
    kept: list[str] = []
    breaks: list[int] = []
    was_blank = was_cut = was_quoted = False
    for line, label in zip(lines, labels, strict=True):
        if label:
            was_cut = True
            was_quoted = was_quoted or label == QUOTE
        elif not line.text:
            was_blank = True
        else:
            if kept and was_quoted:
                breaks.append(len(kept))
            elif kept and was_blank and not was_cut:
                kept.append("")
            kept.append(line.text)
            was_blank = was_cut = was_quoted = False
    names = set(labels)
    cut = tuple(name for name in CUTS if name in names)
    return NewText("\n".join(kept), cut, tuple(breaks))


def _cut_introduced(
    lines: Sequence[TextLine],
    labels: list[str],
    introduction: Introduction,
    end: int,
    is_forward: bool,
    subtraction: Subtraction,
) -> bool:
    """Cut an introduction and the quote below it, up to `end`; False: all below is cut."""
    first, below = introduction.first, introduction.last + 1
    if introduction.kind == FORWARD or (introduction.kind == HEADER and is_forward):
        for number in range(first, len(lines)):
            if lines[number].text:
                labels[number] = FORWARD
        return False
    for number in range(first, below):
        if lines[number].text:
            labels[number] = QUOTE
    if introduction.kind == ATTRIBUTION and (container := lines[below - 1].container):
        inside = next((n for n in range(below, end) if lines[n].container != container), end)
        end = inside
    region = [number for number in range(below, end) if lines[number].text]
    if not region:
        return True
    marked = [number for number in region if lines[number].is_marked]
    if lines[region[0]].is_marked or 2 * len(marked) > len(region):
        return True  # the quote is marked: what is not marked is new
    base = lines[region[0]].indent
    indented = [number for number in region if lines[number].indent >= max(base, 1)]
    if introduction.kind == ATTRIBUTION and base and 2 * len(indented) > len(region):
        for number in indented:
            labels[number] = labels[number] or QUOTE
        return True
    answered_above = any(_is_new(lines, labels, n) for n in range(first))
    _cut_bare(labels, region, answered_above, subtraction)
    return True


def _cut_bare(
    labels: list[str], region: list[int], answered_above: bool, subtraction: Subtraction
) -> None:
    """Cut a bare quote.  Lines between known ones are answers, unless most is unknown and
    the answer stands above already."""
    known = sum(subtraction.size(n) for n in region if n in subtraction.quoted)
    unknown = sum(subtraction.size(n) for n in region if not labels[n])
    if known and (known >= _ENOUGH_KNOWN * (known + unknown) or not answered_above):
        return
    for number in region:
        labels[number] = labels[number] or QUOTE


def _cut_containers(lines: Sequence[TextLine], labels: list[str]) -> None:
    """Cut quote containers of the HTML in which nothing at all was recognised."""
    by_container: dict[int, list[int]] = {}
    for number, line in enumerate(lines):
        if line.container and line.text:
            by_container.setdefault(line.container, []).append(number)
    for numbers in by_container.values():
        if not any(labels[number] for number in numbers):
            for number in numbers:
                labels[number] = QUOTE


def _cut_between(lines: Sequence[TextLine], labels: list[str]) -> None:
    """Rules and links have no words to compare.  Between cut lines, and below the last line
    of a bare quote, they belong to these; so does a link right under a quoted line, which
    was broken before it."""
    above = -1
    pending: list[int] = []
    for number, line in enumerate(lines):
        if not line.text:
            continue
        if labels[number] or (0 <= above == number - 1 and _is_link(line.text)):
            for wordless in pending:
                labels[wordless] = labels[above]
            labels[number] = labels[number] or labels[above]
            above = number
            pending = []
        elif above >= 0 and not words(line.text):
            pending.append(number)
        else:
            above = -1
            pending = []
    if above >= 0 and not lines[above].depth:
        for wordless in pending:
            if lines[wordless].text != "--":
                labels[wordless] = labels[above]


def _is_link(text: str) -> bool:
    return "://" in text and not words(text)


def _is_new(lines: Sequence[TextLine], labels: list[str], number: int) -> bool:
    return not labels[number] and bool(lines[number].text)
