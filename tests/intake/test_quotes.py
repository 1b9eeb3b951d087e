"""Quotes by subtraction: what counts as quoted, and what never does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.intake.lines import split, unmark
from pbem.intake.message import letter_texts, read_message
from pbem.intake.new_text import NewText, new_text
from tests.examples import examples
from tests.mails.quoting import rewrapped
from tests.mails.sample import SAMPLE, TEXT

SENT = letter_texts(SAMPLE.text, SAMPLE.html)
INTRODUCTION = "On Wed, 2 Dec 2026 at 21:30, Ark <t-abc@ark.example.org> wrote:"
BLOCK = "From: Ark\nSent: Wednesday\nTo: Cy\nSubject: Ark"


def read(text: str, *earlier: str, name: str = "") -> NewText:
    return new_text([unmark(line) for line in split(text)], [*SENT, *earlier], name)


def test_a_run_of_two_lines_is_a_quote() -> None:
    found = read(
        "DISPLAY (19 in the stack, 1 of 5 rain)\nsloth: 1, hot, plants, slow\n\ntake horse"
    )
    assert found == NewText("take horse", ("quote",), ())


def test_a_sent_line_alone_is_no_quote() -> None:
    assert read("sloth: 1, hot, plants, slow\n\ntake horse").cut == ()


def test_a_single_line_below_an_introduction_is_a_quote() -> None:
    for introduction in (INTRODUCTION, BLOCK):
        found = read(f"{introduction}\n\nsloth: 1, hot, plants, slow\n\ntake horse")
        assert (found.text, found.cut) == ("take horse", ("quote",))


def test_answers_between_single_lines() -> None:
    lines = TEXT.strip().split("\n")
    inline = "\n".join(piece for line in lines[9:19] for piece in (line, "take horse"))
    assert set(read(inline).text.split("\n")) <= {"take horse", ""}


@pytest.mark.parametrize("example", SAMPLE.examples)
@pytest.mark.parametrize(
    "place", ["top", "bottom", "in place", "alone", "below an introduction", "between"]
)
def test_a_typed_example_is_an_answer(example: str, place: str) -> None:
    marked = f"› {example}"
    text = {
        "top": f"{example}\n{TEXT}",
        "bottom": f"{TEXT}{example}",
        "in place": TEXT.replace(marked, example),
        "alone": example,
        "below an introduction": f"{INTRODUCTION}\n{example}\n{TEXT}",
        "between": TEXT.replace(marked, f"{marked}\n{example}"),
    }[place]
    assert read(text).text == example
    assert read(text, example).text == example or place == "below an introduction"


def test_an_example_copied_with_its_mark_stays() -> None:
    assert read(f"› take horse\n\n{INTRODUCTION}\n> {TEXT}").text.startswith("› take horse")
    assert read(f"{TEXT}\n› take horse").text == "› take horse"


def test_other_peoples_words_need_their_mark_too() -> None:
    typed = "if you take horse now, I\nplay the cat – promise!"
    assert read(typed).text == typed
    assert read("\n".join(f"│ {line}" for line in typed.split("\n"))).text == ""


def test_a_lost_mark_is_known() -> None:
    """A charset without the mark makes it a question mark, or a reference to the character."""
    for lost in ("? ", "&#8250; "):
        assert read(TEXT.replace("› ", lost) + "\ntake horse").text == "take horse"
    assert read("Nice move!\n&#9474; take horse").text == "Nice move!"


def test_the_players_own_earlier_mail() -> None:
    earlier = "take fox"
    chain = f"take horse\n\n{BLOCK}\n\n{TEXT}\n\n{BLOCK.replace('Ark', 'Cy')}\n\n{earlier}\n"
    assert read(chain, earlier).text == "take horse"
    assert read(f"take horse\n\n{INTRODUCTION}\n\n{earlier}", earlier).text == "take horse"


def test_who_sends_the_same_again_means_it() -> None:
    for again in ("take fox", "play fox L2\nplay cat R3", "status"):
        assert read(again, again) == NewText(again)
        top = f"{again}\n\n{INTRODUCTION}\n" + "\n".join(f"> {line}" for line in TEXT.split("\n"))
        assert read(top, again).text == again
        assert read(f"{again}\n\n{BLOCK}\n\n{TEXT}", again).text == again


def test_below_an_introduction_nothing_unknown_is_new() -> None:
    unknown = "take fox\nplay cat L1\nsomething else"
    assert read(f"{BLOCK}\n\n{unknown}") == NewText("", ("quote",))
    assert read(f"take horse\n\n{INTRODUCTION}\n\n{unknown}").text == "take horse"


def test_answers_in_a_bare_quote_are_new() -> None:
    inside = TEXT.replace("DISPLAY (19", "take horse\nDISPLAY (19")
    assert read(f"{BLOCK}\n\n{inside}").text == "take horse"
    assert read(f"{INTRODUCTION}\n\n{inside}").text == "take horse"


def test_mostly_unknown_below_an_answer_is_quoted() -> None:
    distorted = "\n".join(f"x{n} {line[:9]} y" for n, line in enumerate(TEXT.split("\n")))
    known = "\n".join(TEXT.split("\n")[:3])
    assert read(f"take horse\n\n{BLOCK}\n\n{known}\n{distorted}").text == "take horse"


def test_breaks_tell_where_a_quote_was_cut() -> None:
    found = read("> a\n\nHi\nThanks\n> b\n> c\n\ntake horse\n\nstatus\n> d\n> e\npass")
    assert found == NewText("Hi\nThanks\ntake horse\n\nstatus\npass", ("quote",), (2, 5))


def test_below_a_delimiter_nothing_is_read() -> None:
    found = read(f"take horse\n-- \nCy\ntake fox\n\n{INTRODUCTION}\n> a\nplay dog L1")
    assert found == NewText("take horse", ("quote", "signature"))


def test_below_a_forward_nothing_is_read() -> None:
    found = read(f"take horse\n---------- Forwarded message ---------\n{BLOCK}\n\ntake fox\n> a\nb")
    assert found.text == "take horse"
    assert "forward" in found.cut


@given(st.integers(40, 100), st.sampled_from(["top", "bottom"]), st.booleans())
@examples(20)
def test_wrapping_does_not_matter(width: int, place: str, marked: bool) -> None:
    quoted = "\n".join(f"> {line}" if marked else line for line in rewrapped(width)(TEXT))
    text = f"take horse\n\n{quoted}" if place == "top" else f"{quoted}\n\ntake horse"
    assert read(text).text == "take horse"


WORDS = st.lists(st.sampled_from("take horse the L1 sloth plants › hot 1 > │".split()), max_size=9)


@given(st.lists(WORDS.map(" ".join), max_size=12))
@examples(40)
def test_an_order_on_top_survives_anything_below(below: list[str]) -> None:
    """Whatever follows: the first line, typed by the player, is read first or not at all
    because something below is in doubt; it never becomes something else."""
    found = read("\n".join(["play polar bear R8 take dog", "", INTRODUCTION, "> a", *below]))
    assert found.text.startswith("play polar bear R8 take dog")


@given(st.lists(WORDS.map(" ".join), max_size=30), st.integers(0, 60))
@examples(40)
def test_new_text_is_made_of_lines_of_the_mail(typed: list[str], at: int) -> None:
    lines = TEXT.split("\n")
    mixed = [*lines[:at], *typed, *lines[at:]]
    allowed = {unmark(line).text for line in mixed}
    found = read("\n".join(mixed))
    assert {line for line in found.text.split("\n") if line} <= allowed
    assert found.text == found.text.strip("\n")
    assert "\n\n\n" not in found.text


def test_a_quote_mark_that_a_gateway_escaped_is_one() -> None:
    raw = b"From: cy@example.org\r\n\r\ntake horse\r\n\r\n&gt; take dog\r\n&gt; &amp; more\r\n"
    message = read_message(raw)
    assert (message.text, message.cut) == ("take horse", ("quote",))


@pytest.mark.parametrize(
    "introduction",
    [
        "On Mon, Ark wrote:",
        "On 30 Nov, at ten, Ark wrote:",
        "Op maandag heeft Ark geschreven:",
        "Le lundi, Ark a écrit :",
    ],
)
@pytest.mark.parametrize("mark", ["    ", "> ", ""])
def test_an_introduction_needs_no_year_and_no_address(introduction: str, mark: str) -> None:
    found = read(f"take horse\n\n{introduction}\n{mark}your turn, Cy\n{mark}take fox")
    assert found == NewText("take horse", ("quote",))


def test_guillemets_around_a_line_are_no_quote_mark() -> None:
    assert read("»take horse«") == NewText("»take horse«")
    assert read("» take horse").text == ""


def test_an_answer_above_a_very_long_quote_is_read() -> None:
    raw = b"From: cy@example.org\r\n\r\ntake horse\r\n" + b"> take dog\r\n" * 15_000
    message = read_message(raw)
    assert (message.kind, message.text, message.cut) == ("commands", "take horse", ("quote",))


def test_a_byte_order_mark_before_the_header_is_no_part_of_it() -> None:
    message = read_message(b"\xef\xbb\xbfFrom: cy@example.org\r\nSubject: x\r\n\r\ntake horse\r\n")
    assert (message.sender, message.text) == ("cy@example.org", "take horse")
