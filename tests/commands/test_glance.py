"""The first glance at words never overlooks a command."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.commands import could_be_command, lexicon, would_parse
from pbem.commands.vocabulary import TONGUES, forms

PHRASES = [
    (" " if all(len(word) > 1 for word in phrase) else "").join(phrase)
    for phrases in (
        lexicon.COMMANDS, lexicon.COMMANDS, lexicon.OPTIONS, lexicon.COURTESY, lexicon.SUBJECTS,
        lexicon.FILLERS, lexicon.JOINERS, lexicon.KINDS, lexicon.NONE, lexicon.PREFIXES,
    )
    for phrase in phrases.texts
]  # fmt: skip
CARDS = [
    form
    for tongue in TONGUES
    for listed in tongue.cards.values()
    for scripts in forms(listed)
    for form in scripts
]
PLACES = ["L3", "r12", "left 2", "3 links", "左三", "第3左", "L+", "new", "新左", "L-2"]
SIGNS = [*"-•*·\"'“”「」(),.;:；：!+/…#", "1.", "(2)", "\u2060", "🙂", "xD", ";)", "ｔａｋｅ"]
WORDS = st.one_of(*map(st.sampled_from, (PHRASES, PHRASES, CARDS, CARDS, PLACES, PLACES, SIGNS)))
LINES = st.lists(st.tuples(WORDS, st.sampled_from((" ", " ", ""))), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(LINES)
def test_no_command_is_overlooked(parts: list[tuple[str, str]]) -> None:
    line = "".join(word + space for word, space in parts)
    pieces = [f"{word} " for word in line.split()]
    if would_parse(line) and not could_be_command(pieces):
        # Its own line begins behind a semicolon, and that one is seen.
        behind = [at for at, piece in enumerate(pieces, 1) if piece.rstrip()[-1:] in (";", "；")]
        assert any(could_be_command(pieces[at:]) for at in behind)


@pytest.mark.parametrize(
    "line",
    [
        "I'd like to take the fox", "to L3", "i want to 認輸", "1. take fox", "(2) pass",
        "“fox L3”", "please, the polar bear into the new left", "to-take fox", "拿狐狸",
        "my fox L3", "new, game", "把狐狸放到左3", "a;take fox", "grain 2 L4", "out the deer",
    ],
)  # fmt: skip
def test_these_could_be_commands(line: str) -> None:
    assert could_be_command([f"{word} " for word in line.split(" ")])


@pytest.mark.parametrize(
    "line",
    [
        "fox (L3, hare +1)", "polar bear, 4, cold", "elephant 3 hot plants heavy", "4 timbers",
        "Ann and Bo did not", "hen), L10", "mouse 0 plants (new)", "",
        "new L8, new R6."
    ],
)  # fmt: skip
def test_these_need_not_be_read(line: str) -> None:
    assert not could_be_command([f"{word} " for word in line.split(" ")])
    assert not would_parse(line)
