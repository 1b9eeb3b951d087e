"""Plain text for letters: cleaned of what could break out of it, and wrapped.

Whatever people wrote (names, messages, subjects) goes through here before it is put
into a letter.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pbem.commands import could_be_command, openings, would_parse
from pbem.commands.speech import option_word
from pbem.translation import LANGUAGES, _

WIDTH = 72
QUOTED_WIDTH = 40  # no piece of a re-wrapped line of somebody's words loses its mark
LONGEST_ENDING = WIDTH - QUOTED_WIDTH  # what is left of a line that is wrapped again
LONGEST_WITH_TAKE = 40  # the tail of such an example would be a command of its own
QUOTE_MARK = "│ "
EXAMPLE_MARK = "› "
LONGEST_COMMAND_WORD = 6  # words, or characters of Chinese
NO_BREAK, JOINER = "\u00a0", "\u2060"  # a space, and no space, at which no line is broken

STRONG, WEAK = "\x02", "\x03"
"""Around what is emphasised in a sentence; taken out of everything people wrote."""

_INVISIBLE = dict.fromkeys(
    (
        *range(0x20), *range(0x7F, 0xA0),  # control characters
        0x061C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF,
        *range(0x202A, 0x202F), *range(0x2066, 0x206A),  # direction embeddings and overrides
        *range(0xD800, 0xE000), *range(0xE0000, 0xE0080),  # lone surrogates, tags
    )
)  # fmt: skip
_LINE_ENDS = re.compile(r"\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_REPLY = re.compile(r"\s*(?:re|aw|sv|vs|回复|回覆|答复|答覆)\s*(?:\[\d+\])?\s*[:：]\s*", re.I)


def clean_lines(text: str) -> list[str]:
    """The lines of a text without control characters and direction overrides."""
    lines = _LINE_ENDS.sub("\n", text.replace("\t", " ")).split("\n")
    return [line.translate(_INVISIBLE).rstrip() for line in lines]


def clean(text: str, most: int = 200) -> str:
    """A text as one clean line of at most `most` characters."""
    line = " ".join(" ".join(clean_lines(text)).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def reply_subject(subject: str) -> str:
    """The subject of an answer: one ``Re:`` in front, however many there were."""
    subject = clean(subject)
    while match := _REPLY.match(subject):
        subject = subject[match.end() :]
    subject = subject or _("your mail")
    return f"Re: {subject}"


def width(text: str) -> int:
    """Columns of a monospaced font; Han characters and the like take two."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide


def wrap(text: str, columns: int = WIDTH, indent: str = "") -> list[str]:
    """A paragraph in lines of at most `columns`; later lines begin with `indent`.

    A word that is longer than that has a line of its own (an address must stay whole); Chinese
    is broken between its characters.  No line ends in words that are a command by themselves:
    a mail program that wraps it again could leave them on a line of their own."""
    columns_of = len if text.isascii() else width
    if columns_of(text) <= columns:
        return [text]
    lines: list[str] = []
    line: list[str] = []
    used = 0
    for word in _words(text):
        wide = columns_of(word)
        if used + wide > columns and line and used + columns_of(word.rstrip(" ")) > columns:
            kept = _safe_end(line)
            lines.append("".join(line[:kept]).rstrip(" "))
            line = [indent + line[kept], *line[kept + 1 :]] if kept < len(line) else []
            if not line:
                word, wide = indent + word, len(indent) + wide
            used = sum(map(columns_of, line))
        used += wide
        line.append(word)
    lines.append("".join(line).rstrip(" "))
    return lines


_NOT_FIRST = f"，。、；：？！）」』》】”’…%{JOINER}{NO_BREAK}"
_NOT_LAST = f"（「『《【“‘{JOINER}{NO_BREAK}"
"""Punctuation that keeps to the character before it, and to the one behind it."""
_BREAKS = re.compile(
    f"(?<= )(?=[^ ])"
    f"|(?<=[\u2e80-\ua4cf\uf900-\ufaff\uff00-\uffef{_NOT_FIRST}])(?=[^ {_NOT_FIRST}])"
    f"(?<![{_NOT_LAST}])"
    f"|(?<=[^ {_NOT_LAST}])(?=[\u2e80-\u2fff\u3040-\ua4cf\uf900-\ufaff])"
)
"""Where a line may be broken: behind a space, and on either side of a Han character."""


def _words(text: str) -> list[str]:
    """The pieces between which a line may be broken, each with the spaces behind it."""
    if text.isascii():
        return re.findall(r" *[^ ]+ *", text)
    return _BREAKS.split(text)


def _safe_end(words: Sequence[str]) -> int:
    """How many of the words may make a line."""
    for end in range(len(words), max(0, len(words) - 3), -1):
        if not any(_are_command(words[end - n : end]) for n in (1, 2) if n < end):
            return end
    return len(words)


def _are_command(words: Sequence[str]) -> bool:
    """Whether these pieces of a line are a command by themselves."""
    return could_be_command(words) and _is_command("".join(words))


@lru_cache(maxsize=8192)
def _is_command(text: str) -> bool:
    return would_parse(text)


def paragraphs(text: str) -> str:
    """A whole letter with its long lines wrapped and its empty lines single.

    A line's own indent is kept; a list's lines (``· …``) go on indented.  Where a mail program
    that wraps a line again could leave a command at its end, it is kept from doing so."""
    out: list[str] = []
    for line in text.strip("\n").split("\n"):
        lines = _broken(line)
        if lines or (out and out[-1]):
            out += lines or ("",)
    return "\n".join(out)


@lru_cache(maxsize=8192)  # a letter shares most of its lines with the one before
def _broken(line: str) -> tuple[str, ...]:
    """A line of a letter as it goes out, in one line or several; none: it is empty."""
    line = line.rstrip() if line.isascii() else _WIDE_STOP.sub("", line.rstrip())
    if not line:
        return ()
    if len(line) <= WIDTH // 2 or (len(line) <= WIDTH and line.isascii()):
        return (_bound(line),)
    indent = line[: len(line) - len(line.lstrip(" "))]
    lines = wrap(_bound(line), WIDTH, indent or ("  " if line.startswith("· ") else ""))
    return tuple(map(_bound, lines))


_WIDE_STOP = re.compile(r"(?<=[，。、；：？！）」』】]) +(?=[^ ])")
"""The space between sentences, which full-width punctuation holds already."""


def _bound(line: str) -> str:
    """The line, unbreakable where a piece of it could be left that is a command by itself: in
    front of such an ending, and behind such words that follow a semicolon.  Our lines fit into
    72 columns, and mail is not wrapped below 40, so only endings of up to 32 can be left."""
    if width(line) <= QUOTED_WIDTH or line.startswith((QUOTE_MARK, EXAMPLE_MARK)):
        return line
    divided = ";" in line or "；" in line
    # An ending has no more characters than columns; where it begins is seen one before it.
    if not _ends_in_command(line[-LONGEST_ENDING - 1 :]):
        return _tied_behind_semicolons(line) if divided else line
    words = _words(line)
    _tie_endings(words)
    if divided:
        _tie_behind_semicolons(words)
    return "".join(words)


def _ends_in_command(text: str) -> bool:
    """Whether the text or an ending of it is a command by itself."""
    words = _words(text)
    return any(_is_command("".join(words[at:])) for at in openings(words))


def _tie_endings(words: list[str]) -> None:
    """Each short ending that is a command stays on one line with the word before it."""
    ending = ""
    for at in range(len(words) - 1, 0, -1):
        ending = words[at] + ending
        if width(ending) > LONGEST_ENDING:
            break
        if _is_command(ending):
            words[at - 1] = _tied(words[at - 1])


def _tied_behind_semicolons(line: str) -> str:
    words = _words(line)
    _tie_behind_semicolons(words)
    return "".join(words)


def _tie_behind_semicolons(words: list[str]) -> None:
    """A semicolon separates commands, so what follows one is a line of its own to the reader."""
    for at, word in enumerate(words):
        if word.rstrip(" ").endswith((";", "；")):
            for end in range(at + 1, min(at + 1 + LONGEST_COMMAND_WORD, len(words) - 1)):
                if _are_command(words[at + 1 : end + 1]):
                    words[end] = _tied(words[end])


def _tied(word: str) -> str:
    """A word that stays on one line with the next."""
    return word.rstrip(" ") + (NO_BREAK if word.endswith(" ") else JOINER)


def quote(text: str) -> list[str]:
    """Somebody's words, each line with the mark that keeps it from being a command.

    Lines are short, so that no client has to wrap one and leave a piece unmarked."""
    room = QUOTED_WIDTH - len(QUOTE_MARK)
    lines: list[str] = []
    for line in clean_lines(text):
        pieces = wrap(" ".join(line.split()), room)
        lines += [QUOTE_MARK + part for piece in pieces for part in _hard(piece, room)]
    return [line.rstrip() for line in lines]


def example_lines(command: str) -> list[str]:
    """A command as examples that no client wraps into another command: two plays on two
    lines; the option `take` of one that is too long is told beside it."""
    lines: list[str] = []
    for part in clean(command).split(" + "):
        line, taking = EXAMPLE_MARK + part, _TAKING.search(part)
        if taking and width(line) > LONGEST_WITH_TAKE:
            head, option = part[: taking.start()], taking[0].strip()
            lines += [EXAMPLE_MARK + head, _("(and in the same line: {option})", option=option)]
        else:
            lines.append(line)
    return lines


_TAKING = re.compile(rf" (?:{'|'.join(option_word('take', one) for one in LANGUAGES)}) \S[^+]*$")
"""The option `take` at the end of a play, in any language."""


def _hard(piece: str, room: int) -> Iterator[str]:
    """A piece cut into lines that fit, unless it is an address."""
    if width(piece) <= room or piece.startswith(("http://", "https://")):
        yield piece
        return
    start = 0
    for end in range(1, len(piece) + 1):
        if width(piece[start : end + 1]) > room or end == len(piece):
            yield piece[start:end]
            start = end
