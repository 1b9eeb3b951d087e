"""Mails as mail programs write them, around any letter: at least 500 layouts, each with the
new text it holds.

    for layout in layouts(SAMPLE):
        assert read_message(layout.raw, sent).text == layout.new
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice

from tests.mails import html_clients, quoting, structures, trailers
from tests.mails.clients import MARKING, introductions
from tests.mails.languages import LANGUAGES, Language
from tests.mails.quoting import POSITIONS, Reply
from tests.mails.sample import Letter
from tests.mails.wire import FORMS, HEADERS, Form, part

ANSWERS: tuple[tuple[str, ...], ...] = (
    ("take horse",),
    ("Hi all,", "take horse", "Thanks, Cy"),
    ("play polar bear R8 take dog",),
    ("preview play tyranno R1",),
    ("play tyranno R1", "play polar bear R8"),
    ("# a comment", "say all: who wrote: that?", "pass"),
    ("拿馬", "謝謝"),
    ("nimm Pferd", "Viele Grüße"),
    ("1. take horse",),
    ("say Bo: wait, I think – no!", "take horse"),
)

FAMILIES = 7
"""Kinds of layouts: marked quotes, header blocks, bare ones, …"""


@dataclass(frozen=True)
class Layout:
    """`needs_sent`: the quote is bare and nothing introduces it, or the answer lies inside
    a bare one; only a reader that knows the letters can tell."""

    name: str
    raw: bytes
    new: str
    cut: frozenset[str] = field(default=frozenset({"quote"}))
    needs_sent: bool = False


def layouts(letter: Letter, families: Sequence[int] | None = None) -> Iterator[Layout]:
    """Every layout, in a fixed order; or those of some families, by their number."""
    makers: tuple[Callable[[], Iterable[Made]], ...] = (
        lambda: _marked(letter),
        lambda: _header_blocks(letter),
        lambda: _bare(letter),
        lambda: _rewrapped(letter),
        lambda: html_clients.replies(letter, ANSWERS),
        lambda: trailers.replies(letter),
        lambda: structures.replies(letter),
    )
    assert len(makers) == FAMILIES
    chosen = range(FAMILIES) if families is None else families
    made = [one for number in chosen for one in makers[number]()]
    names = [name for name, *_ in made]
    assert len(set(names)) == len(names), "two layouts of one name"
    for number, (name, body, new, cut, needs_sent) in enumerate(made):
        head = HEADERS.format(
            name=letter.sender_name,
            address=letter.address,
            subject=f"Re: {letter.subject}",
            message_id=letter.message_id,
            number=number,
        )
        yield Layout(name, head.encode() + body, new, frozenset(cut), needs_sent)


Made = tuple[str, bytes, str, Sequence[str], bool]


def _made(name: str, reply: Reply, form: Form, needs_sent: bool = False) -> Made:
    return (f"{name}/{form.name}", part(reply.body, form), reply.new, ["quote"], needs_sent)


def _wrap(line: str, width: int) -> list[str]:
    """A line broken at a width, as Gmail breaks its introduction."""
    pieces = [""]
    for word in line.split(" "):
        if pieces[-1] and len(pieces[-1]) + 1 + len(word) > width:
            pieces.append(word)
        else:
            pieces[-1] = f"{pieces[-1]} {word}" if pieces[-1] else word
    return pieces


def _fits(form: Form, *texts: str) -> bool:
    try:
        "".join(texts).encode(form.charset)
    except UnicodeEncodeError:
        return False
    return True


def _marked(letter: Letter) -> Iterator[Made]:
    """Quotes with marks, introduced in every language, wrapped over two lines or not."""
    positions, answers = cycle(POSITIONS.items()), cycle(ANSWERS)
    forms = cycle(FORMS)
    styles = cycle((quoting.marked, quoting.marked_tight, quoting.barred, quoting.indented))
    names = {"name": letter.sender_name, "address": letter.address}
    for language in LANGUAGES:
        for kind in ("gmail", "apple", "thunderbird"):
            line = getattr(language, kind).format(**names)
            for wrapped, width in (("one", 500), ("wrapped", 72), ("narrow", 56)):
                introduction = _wrap(line, width)
                if wrapped != "one" and len(introduction) == 1:
                    continue
                position, place = next(positions)
                form, style = next(forms), next(styles)
                if style is quoting.indented and form.flowed:
                    style = quoting.marked  # blanks in front do not survive that
                if style is quoting.barred and form.flowed:
                    style = quoting.marked
                answer = next(answers)
                blank = [] if wrapped == "narrow" else [""]
                reply = place(answer, [*introduction, *blank], style(letter.text))
                name = f"{kind}/{language.code}/{wrapped}/{position}/{style.__name__}"
                yield _made(name, reply, form)


def header_block(language: Language, letter: Letter) -> list[str]:
    """Outlook's fields in a language."""
    sender, sent, to, subject = language.labels
    return [
        f"{sender}{letter.sender_name} <{letter.address}>",
        f"{sent}{language.date}",
        f"{to}Cy Miller <cy@example.net>",
        f"{subject}{letter.subject}",
    ]


def _header_blocks(letter: Letter) -> Iterator[Made]:
    """Outlook: bare quotes below a header block, with and without a separator."""
    answers, forms = cycle(ANSWERS), cycle(FORMS)
    for language in LANGUAGES:
        block = header_block(language, letter)
        original = f"-----{language.original}-----"
        variants = {
            "outlook": ["_" * 32, *block, "", ""],
            "outlook-plain": [original, *block, ""],
            "outlook-none": ["", *block, ""],
            "outlook-starred": [f"*{line.replace(':', ':*', 1)}" for line in block] + [""],
            "outlook-cc": [
                *block[:3],
                "Cc: Bo <bo@example.com>; Di",
                "  <di@example.com>",
                block[3],
                "",
            ],
            "samsung": ["", f"-------- {language.original} --------", *block, ""],
        }
        for variant, introduction in variants.items():
            for position, needs_sent in (("top", False), ("inline", True), ("bottom", True)):
                if position != "top" and variant not in ("outlook", "outlook-plain"):
                    continue
                form, answer = next(forms), next(answers)
                style = quoting.spaced if variant == "outlook" else quoting.bare
                if variant == "outlook-cc" and form.flowed:
                    form = FORMS[0]
                reply = POSITIONS[position](answer, introduction, style(letter.text))
                yield _made(f"{variant}/{language.code}/{position}", reply, form, needs_sent)


def _bare(letter: Letter) -> Iterator[Made]:
    """Programs with forms of their own, and quotes nothing introduces."""
    answers = cycle(ANSWERS)
    address, name = letter.address, letter.sender_name
    for client, introduction in introductions(letter).items():
        for position in POSITIONS:
            reply = POSITIONS[position](next(answers), introduction, quoting.bare(letter.text))
            yield _made(f"{client}/{position}/bare", reply, FORMS[0], position != "top")
            if client in MARKING:
                reply = POSITIONS[position](
                    next(answers), introduction, quoting.marked(letter.text)
                )
                yield _made(f"{client}/{position}/marked", reply, FORMS[1])
    for position in ("top", "inline", "bottom"):
        lines = letter.text.split("\n")
        lines[0] = f"  On 2 Dec 2026 at 21:30, {name}<{address}> wrote:   {lines[0]}"
        reply = POSITIONS[position](next(answers), [], lines)
        yield _made(f"yahoo-joined/{position}", reply, FORMS[0], position != "top")
        reply = POSITIONS[position](next(answers), ["Ark wrote:", ""], quoting.bare(letter.text))
        yield _made(f"short/{position}/bare", reply, FORMS[0], True)
        reply = POSITIONS[position](next(answers), ["Ark wrote:", ""], quoting.marked(letter.text))
        yield _made(f"short/{position}/marked", reply, FORMS[0])
    for style in (
        quoting.bare,
        quoting.spaced,
        quoting.no_break,
        quoting.typographic,
        quoting.linked,
    ):
        for position in POSITIONS:
            reply = POSITIONS[position](next(answers), [], style(letter.text))
            yield _made(f"nothing/{style.__name__}/{position}", reply, FORMS[2], True)
    for example in letter.examples:
        # The mark is taken away in place: that is an answer, right between quoted lines.
        edited = letter.text.replace(f"› {example}\n", f"{example}\n", 1)
        yield _made(f"nothing/in-place/{example}", Reply(edited, example), FORMS[0], True)
        half = letter.text.partition(f"› {example}\n")[0]
        yield _made(f"nothing/cut-off/{example}", Reply(half + example, example), FORMS[0], True)


def _rewrapped(letter: Letter) -> Iterator[Made]:
    """The letter's lines broken anew, at every width from 40 columns."""
    answers = cycle(ANSWERS)
    introduction = [f"On 2 Dec 2026, at 21:30, {letter.sender_name} <{letter.address}> wrote:"]
    for width in (*range(40, 80, 3), 100):
        for position in ("top", "bottom"):
            quoted = quoting.rewrapped(width)(letter.text)
            reply = POSITIONS[position](next(answers), [], quoted)
            yield _made(f"rewrapped/{width}/{position}", reply, FORMS[0], True)
            quoted = quoting.broken_marks(width)(letter.text)
            reply = POSITIONS[position](next(answers), introduction, quoted)
            yield _made(f"broken/{width}/{position}", reply, FORMS[0], True)
    for position in ("top", "bottom"):
        reply = POSITIONS[position](next(answers), [], quoting.joined(letter.text))
        yield _made(f"joined/{position}", reply, FORMS[0], True)


def first(letter: Letter, count: int) -> list[Layout]:
    """Some layouts, for tests that need a few real mails."""
    return list(islice(layouts(letter), count))
