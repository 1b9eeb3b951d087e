"""Words of letters: plain text, times, counts and sentences."""

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import builtin_deck
from pbem.letters.answered import answered
from pbem.letters.cards import cards_of, count, count_sign, signed_halves
from pbem.letters.moments import moment, span
from pbem.letters.plain import (
    clean,
    example_lines,
    paragraphs,
    quote,
    reply_subject,
    width,
    wrap,
)
from pbem.letters.sentences import Teller
from pbem.letters.templates import built_in
from pbem.letters.times import pace
from pbem.store.log import Seen
from pbem.timing import parse_control
from pbem.translation import listing, speaking

AT = datetime(2026, 12, 2, 13, 30, tzinfo=UTC)
TELLER = Teller(cards_of(builtin_deck()), ["Ann", "Bo", "Cy"], 2)


@given(st.text())
def test_cleaned_text_is_one_printable_line(text: str) -> None:
    assert all(unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp") for char in clean(text))
    assert not set(clean(text)) & set("\u202a\u202e\u2066\u2069\u200f\u200b")
    assert len(clean(text)) <= 200
    clean(text).encode()


@given(st.text(max_size=400))
def test_quoted_words_are_marked_on_every_line_and_short(text: str) -> None:
    for line in quote(text):
        assert line.startswith("│")
        assert width(line) <= 40 or "http" in line


@given(st.lists(st.text("abcdefghij", min_size=1, max_size=12), min_size=1, max_size=80))
def test_wrapping_keeps_every_word_in_order(words: list[str]) -> None:
    lines = wrap(" ".join(words), 40, "  ")
    assert " ".join(lines).split() == words
    assert all(len(line) <= 40 for line in lines)


def test_no_wrapped_line_ends_in_a_command() -> None:
    text = "x" * 60 + " and then pass quietly on to somebody else at the table"
    assert wrap(text)[0].endswith(" and then")


def test_paragraphs_keep_lists_and_join_empty_lines() -> None:
    text = "\n\nA\n\n\n\nB  \n· " + "word " * 20 + "\n"
    lines = paragraphs(text).split("\n")
    assert lines[:3] == ["A", "", "B"]
    assert lines[3].startswith("· word")
    assert lines[4].startswith("  word")


@pytest.mark.parametrize(
    ("subject", "reply"),
    [
        ("Zug", "Re: Zug"), ("RE: re: Zug", "Re: Zug"), ("AW: Re[3]: x", "Re: x"),
        ("回复：你好", "Re: 你好"), ("Regarding", "Re: Regarding"), ("Fwd: x", "Re: Fwd: x"),
        (" ", "Re: your mail"),
    ],
)  # fmt: skip
def test_an_answer_has_one_re(subject: str, reply: str) -> None:
    assert reply_subject(subject) == reply


def test_long_examples_are_taken_apart() -> None:
    assert example_lines("play fox L6 take hen + play bee R3") == [
        "› play fox L6 take hen", "› play bee R3",
    ]  # fmt: skip
    assert example_lines("play chimpanzee R10 mark useful take polar bear") == [
        "› play chimpanzee R10 mark useful",
        "(and in the same line: take polar bear)",
    ]


@pytest.mark.parametrize(
    ("zone", "table", "told"),
    [
        ("Asia/Hong_Kong", "UTC", "Wed 2 Dec, 21:30 your time (13:30 UTC)"),
        ("UTC", "Europe/Berlin", "Wed 2 Dec, 13:30 UTC"),
        (None, "Europe/Berlin", "Wed 2 Dec, 14:30 Europe/Berlin time (13:30 UTC)"),
        ("Pacific/Auckland", "UTC", "Thu 3 Dec, 02:30 your time (Wed 2 Dec, 13:30 UTC)"),
        ("UTC+8", "UTC", "Wed 2 Dec, 21:30 your time (13:30 UTC)"),
        ("UTC-3:30", "UTC", "Wed 2 Dec, 10:00 your time (13:30 UTC)"),
        ("No/Where", "UTC", "Wed 2 Dec, 13:30 UTC"),
    ],
)
def test_a_time_is_told_in_the_readers_zone_and_in_utc(
    zone: str | None, table: str, told: str
) -> None:
    assert str(moment(AT, zone, table)) == told
    assert str(moment(AT.replace(tzinfo=None), zone, table)) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (48 * 3600, "2 days"), (36 * 3600, "1 day and 12 hours"), (3600, "1 hour"),
        (90, "1 minute"), (1, "1 minute"),
    ],
)  # fmt: skip
def test_a_span_is_told_in_words(seconds: int, told: str) -> None:
    assert span(seconds) == told


def test_counts_and_lists() -> None:
    assert [count(n) for n in (0, 1, 1.5, 3)] == ["0", "1", "1 1/2", "3"]
    assert [count_sign(n) for n in (0, 0.5, 2.5, 3)] == ["0", "½", "2½", "3"]
    assert [listing("ABC"[:n]) for n in range(4)] == ["", "A", "A and B", "A, B and C"]


def test_halves_in_a_sentence_are_a_sign_where_they_are_counts() -> None:
    assert signed_halves("slow +1 1/2, heavy +1/2, R11/2") == "slow +1½, heavy +½, R11/2"


def marked(kind: str, number: float) -> list[dict[str, object]]:
    return [{"kind": kind, "count": number}]


def play(**facts: object) -> dict[str, object]:
    nothing: dict[str, object] = {
        "card": "fox", "cabin": "L6", "opened": False, "cost": 0, "timber_to": None,
        "take": None, "out": None, "bank": 0, "marks": [], "balance": 0,
    }  # fmt: skip
    return nothing | facts


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ([("gather", 0, {"take": "turtle"})], "Ann took the turtle and a card from the stack."),
        ([("gather", 2, {"take": "turtle", "draw": "hen"})],
         "You took the turtle and drew the hen."),
        ([("gather", 2, {"take": "hen", "draw": None})],
         "You took the hen and nothing from the stack."),
        (
            [("play", 1, play(opened=True, timber_to=2, take="polar-bear", bank=2))],
            "Bo boarded the fox (new cabin L6, a timber to you, took the polar bear, "
            "2 timbers from the bank, no marker).",
        ),
        (
            [
                ("play", 0, play(card="bronto", cabin="R1", marks=marked("heavy", 1.5))),
                ("play", 0, play(card="spider", out="hamster", marks=marked("shy", 1))),
            ],
            "Ann boarded the bronto (R1, heavy +1 1/2) and the spider (L6, drove out the hamster, "
            "shy +1).",
        ),
        ([("play", 1, play(cost=1))], "Bo boarded the fox (L6, a timber to the bank, no marker)."),
        ([("rain", None, {"count": 2})], "Rain: the second of 5 rain cards came up."),
        ([("pet", 2, {"card": "hen"})], "You set the hen aside as your pet."),
        ([("pet", 2, {"card": None})], "You chose no pet."),
        ([("pet", 1, {})], ""),
        (
            [("pets_set", None, {"seats": [0]})],
            "All have chosen: Ann set a card aside as a pet; Bo and you did not.",
        ),
        ([("pets_set", None, {"seats": []})], "All have chosen: nobody has a pet."),
        ([("end", None, {"first": 2})], "The end phase begins; first to move: you."),
        ([("pass", 2, {})], "You passed and are out."),
        ([("pass", 0, {})], "Ann passed and is out."),
        ([("deadline", None, {"seats": [1, 2]})], "Time ran out for Bo and you."),
        ([("refill", None, {"cards": ["hen"]})], ""),
    ],
)  # fmt: skip
def test_what_happened_in_a_sentence(
    seen: list[tuple[str, int | None, dict[str, object]]], told: str
) -> None:
    parts = [Seen(7, AT, kind, seat, facts) for kind, seat, facts in seen]
    sentences = [one.replace("\x02", "").replace("\x03", "") for one in TELLER.tell(parts)]
    assert sentences == ([told] if told else [])


def test_a_sign_off_is_not_shown_as_something_not_understood() -> None:
    lines = [
        {"text": "Hi all", "status": "ignored", "message": "prose"},
        {"text": "Cheers", "status": "ignored", "message": "sign-off"},
    ]
    shown = answered({"outcome": "prose", "lines": lines})
    assert [line.text for line in shown.ignored] == ["Hi all"]


def test_pairs_of_a_list_stand_apart() -> None:
    told = built_in().filters["told"]
    assert told("· take fox") == "› take fox"
    assert told("· play fox L2 + play hen L1") == "\n› play fox L2\n› play hen L1\n"


@pytest.mark.parametrize("language", ["en", "de", "zh-Hant", "zh-Hans"])
def test_a_list_of_days_ends_no_sentence(language: str) -> None:
    with speaking(language):
        assert not pace(parse_control("daily 20:00 Europe/Berlin mon-fri")).endswith(".")
