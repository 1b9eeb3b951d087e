"""Any text at all: no exception, closed results, and nothing acts that was not written."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.checking import violations
from engine.view import imagine
from pbem.commands import print_command
from pbem.commands.cabins import match_cabin
from pbem.commands.lexicon import COMMANDS as COMMAND_WORDS
from pbem.commands.names import card_names
from pbem.commands.normalise import clean, fold
from pbem.commands.words import split_words
from tests.commands.positions import seat_view
from tests.commands.reading import HOUSE, LANGUAGES, acts, reading
from tests.commands.strategies import GLUED, MOVES, SOUP, WORDS
from tests.examples import examples

VIEWS = (
    None,
    seat_view(hand="bee hedgehog skunk chimpanzee grain-1 walrus", display="zebra pig grain-2"),
    seat_view(hand="bee fox", phase="end", display="zebra"),
    seat_view(hand="bee", phase="pets"),
)
IGNORED = {None, "prose", "sign-off", "comment", "example"}
ERRORS = {None, "not understood", "ambiguous", "refused", "not tried"}
LANGUAGE = st.sampled_from(LANGUAGES)


@given(st.text() | SOUP | GLUED, LANGUAGE, st.sampled_from(VIEWS))
@examples(100)
def test_any_text(text: str, language: str, view: object) -> None:
    found = reading(text, language=language, view=view, sender="Ann Example")
    for line in found.lines:
        form = line.to_json()
        json.dumps(form, ensure_ascii=False).encode("utf-8", "surrogatepass")
        assert form.get("ignored") in IGNORED
        assert form.get("error") in ERRORS
        assert sum(key in form for key in ("ignored", "command", "error")) >= 1
        assert (line.message is None) == (line.error is None)
        if line.error == "refused":
            assert line.code
    for turn in found.turns:
        assert not found.stopped
        assert violations(imagine(view), 0, turn.move) == []  # type: ignore[arg-type]
    if found.stopped:
        assert not acts(text, language=language, view=view, sender="Ann Example")


@given(SOUP | GLUED, LANGUAGE)
@examples(60)
def test_what_acts_is_what_its_canonical_line_says(text: str, language: str) -> None:
    for line in acts(text, language=language):
        if line.completes is None:
            assert line.command
            assert line.args
            again = acts(print_command(line.command, line.args, language))
            assert [each.args for each in again] == [line.args]


@given(MOVES, LANGUAGE, st.data())
@examples(100)
def test_a_typing_error_never_acts_as_something_that_is_not_written(
    move: dict[str, object], language: str, data: st.DataObject
) -> None:
    """One letter missing, added, changed, or two exchanged: the line says what it did before,
    or all that it does now stands in it whole."""
    line = print_command(WORDS[str(move["type"])], move, language)
    at = data.draw(st.integers(0, len(line) - 1))
    letter = data.draw(st.sampled_from("aeioulrnstLR1234+ ,-不或取左狐"))
    mutated = data.draw(
        st.sampled_from(
            [
                line[:at] + line[at + 1 :],
                line[:at] + letter + line[at:],
                line[:at] + letter + line[at + 1 :],
                line[:at] + line[at + 1 : at + 2] + line[at] + line[at + 2 :],
            ]
        )
    )
    names = card_names(HOUSE, language)
    words = split_words(fold(clean(mutated)))
    named = {
        card
        for at in range(len(words))
        if (found := names.match(words, at)) and len(found.cards) == 1
        for card in found.cards
    }
    cabins = {place.cabins[0] for at in range(len(words)) if (place := match_cabin(words, at))}
    for acting in acts(mutated, language=language):
        assert acting.args is not None
        if acting.args == move:
            continue
        if acting.command == "pass":
            phrase = COMMAND_WORDS.match(words, 0)
            assert phrase
            assert phrase[0] == len(words)
        for play in acting.args.get("plays", [acting.args]):
            cards = {play[key] for key in ("card", "take", "out") if play.get(key)}
            assert cards <= named, mutated
            assert play.get("cabin") in {*cabins, None}, mutated


@pytest.mark.parametrize(
    "text",
    [
        "take fox\n" * 50_000,
        "take fox " * 100_000,
        "狐狸" * 400_000,
        ("play fox L2 and " * 240 + "\n") * 50,
        ("left new 3 L " * 300 + "\n") * 50,
        ("a;" * 1_900 + "\n") * 50,
        ("*a" * 1_900 + "\n") * 50,
        ('"' * 3_900 + "\n") * 50,
        (":-) 1. " * 550 + "\n") * 50,
        ("don't or " * 400 + "\n") * 50,
        ("po-" * 1_300 + "\n") * 50,
        "say all: " + "x; " * 60_000,
        "say " + "a," * 90_000,
        "note " + "😀" * 100_000,
        "plan if " + "and or " * 500 + ": take fox",
        "new game " + "x " * 1_900,
        "vacation " + "1月" * 1_900,
        "Thanks\n" * 50,
        "\n" * 1_000_000,
        "\u0301" * 100_000,
    ],
    ids=range(20),
)
def test_no_text_takes_long(text: str) -> None:
    """What a grammar does badly it does for minutes; the bound leaves room for a machine that
    is busy with other tests."""
    reading("take fox")
    start = time.process_time()
    reading(text, sender="Ann")
    assert time.process_time() - start < 3
