"""What mail programs do to the letter they quote."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

Lines = Sequence[str]


def marked(text: str) -> list[str]:
    """`> ` in front, the blank at the end of empty lines left out."""
    return [f"> {line}".rstrip() for line in text.split("\n")]


def marked_tight(text: str) -> list[str]:
    """`>` without a blank (Outlook Express, old web mail)."""
    return [f">{line}" for line in text.split("\n")]


def barred(text: str) -> list[str]:
    return [f"| {line}" for line in text.split("\n")]


def indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.split("\n")]


def bare(text: str) -> list[str]:
    return text.split("\n")


def spaced(text: str) -> list[str]:
    """A blank line after each (Outlook's plain text from HTML)."""
    return [piece for line in text.split("\n") if line for piece in (line, "")]


def no_break(text: str) -> list[str]:
    """No-break spaces for every second blank, trailing blanks on each line."""
    return [line.replace("  ", " \xa0").replace(" a ", "\xa0a ") + "  " for line in bare(text)]


def typographic(text: str) -> list[str]:
    """Other quotation marks and dashes than were sent."""
    for old, new in (('"', "”"), ("'", "’"), ("–", "-"), ("...", "…")):
        text = text.replace(old, new)
    return text.split("\n")


def linked(text: str) -> list[str]:
    """Links rewritten by a scanner, and addresses doubled as Outlook does."""
    wrapped = text.replace(
        "https://ark.example.org/p/",
        "https://eur02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fark.example.org%2Fp%2F",
    )
    return wrapped.replace("On the web:", "On the web:<https://urldefense.com/v3/__x__;!!a>").split(
        "\n"
    )


def _wrap(line: str, width: int) -> list[str]:
    """Broken at blanks only: mail programs keep an address whole."""
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]


def rewrapped(width: int) -> Callable[[str], list[str]]:
    """Every line broken anew at a width; indents lost."""

    def quote(text: str) -> list[str]:
        return [piece for line in text.split("\n") for piece in _wrap(line.strip(), width)]

    return quote


def broken_marks(width: int) -> Callable[[str], list[str]]:
    """`> ` in front, then broken at a width: the rest of a line stands without its mark."""

    def quote(text: str) -> list[str]:
        return [piece for line in marked(text) for piece in _wrap(line, width)]

    return quote


def joined(text: str) -> list[str]:
    """Lines of a paragraph joined, as a phone does that re-flows text."""
    paragraphs = text.split("\n\n")
    return [piece for one in paragraphs for piece in (" ".join(one.split("\n")), "")]


@dataclass(frozen=True)
class Reply:
    """A body, and the new text in it."""

    body: str
    new: str


def top(answer: Lines, introduction: Lines, quoted: Lines) -> Reply:
    body = [*answer, "", *introduction, *quoted]
    return Reply("\n".join(body), "\n".join(answer))


def bottom(answer: Lines, introduction: Lines, quoted: Lines) -> Reply:
    body = [*introduction, *quoted, "", *answer, ""]
    return Reply("\n".join(body), "\n".join(answer))


def inline(answer: Lines, introduction: Lines, quoted: Lines) -> Reply:
    """Every line of the answer between quoted lines, without blank lines around it."""
    lines = [*introduction]
    step = max(len(quoted) // (len(answer) + 1), 1)
    # Not inside a paragraph that was broken, and not at a blank line.
    start = 0
    for number, text in enumerate(answer, 1):
        lines += [*quoted[start : number * step], text]
        start = number * step
    return Reply("\n".join([*lines, *quoted[start:]]), "\n".join(answer))


def inline_spaced(answer: Lines, introduction: Lines, quoted: Lines) -> Reply:
    """The same with a blank line around each."""
    step = max(len(quoted) // (len(answer) + 1), 1)
    lines = [*introduction]
    start = 0
    for number, text in enumerate(answer, 1):
        lines += [*quoted[start : number * step], "", text, ""]
        start = number * step
    return Reply("\n".join([*lines, *quoted[start:]]), "\n".join(answer))


POSITIONS: dict[str, Callable[[Lines, Lines, Lines], Reply]] = {
    "top": top,
    "bottom": bottom,
    "inline": inline,
    "inline-spaced": inline_spaced,
}


def html_lines(lines: Lines, element: str = "div") -> str:
    return "".join(f"<{element}>{escape(line) or '<br>'}</{element}>\r\n" for line in lines)
