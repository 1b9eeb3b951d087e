"""What is printed is read back as the same command, whatever language either side has."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, Deck
from pbem.commands import Context, card_name, print_command, read
from tests.commands.reading import HOUSE, LANGUAGES, reading
from tests.commands.strategies import COMMANDS, TEAM
from tests.examples import examples

LANGUAGE = st.sampled_from(LANGUAGES)


@given(COMMANDS, LANGUAGE, LANGUAGE)
@examples(100)
def test_reading_what_is_printed(
    command: tuple[str, dict[str, Any]], printed_in: str, read_by: str
) -> None:
    word, args = command
    line = print_command(word, args, printed_in)
    (found,) = reading(line, language=read_by, names=TEAM).lines
    assert found.error is None, (line, found)
    assert (found.command, found.args) == (word, args), line
    assert print_command(word, found.args, printed_in) == line


@given(st.data(), LANGUAGE)
@examples(10)
def test_a_deck_of_ones_own(data: st.DataObject, language: str) -> None:
    """Names the house does not know: words, words with numbers and signs, other scripts."""
    animals = [card for card in HOUSE.cards if not card.is_provision]
    strange = st.from_regex(
        "[a-z]{3,7}([ -][a-z]{2,6})?|雪[豹怪人]|[a-z]{3}-?[0-9]", fullmatch=True
    )
    names = data.draw(st.lists(strange, min_size=5, max_size=5, unique=True))
    known = {card.name for card in HOUSE.cards} | {"rain", "new", "and", "the", "out"}
    names = [name for name in names if name not in known]
    cards = list(HOUSE.cards)
    for name, old in zip(names, animals, strict=False):
        cards[cards.index(old)] = Card(name, *list(old.__dict__.values())[1:])
    deck = Deck("odd", cards)
    for name in names:
        line = print_command("take", {"type": "gather", "take": name}, language)
        (found,) = read(line, Context(deck, language)).lines
        if found.error == "ambiguous":
            assert line in found.readings
        else:
            assert found.args == {"type": "gather", "take": name}, line


def test_cards_are_printed_as_people_write_them() -> None:
    assert [card_name("polar-bear", language) for language in LANGUAGES] == [
        "polar bear", "Eisbär", "北極熊", "北极熊",
    ]  # fmt: skip
    assert [card_name("grain-2", language) for language in LANGUAGES] == [
        "grain 2", "Getreide 2", "穀物 2", "谷物 2",
    ]  # fmt: skip
    assert card_name("great-auk", "de") == "great auk"


def test_turns_are_printed_in_the_players_language() -> None:
    play = {"card": "chimpanzee", "cabin": "R6", "mark": "shy", "take": "hen"}
    move = {"type": "board", "plays": [play, {"card": "skunk", "cabin": "L1", "out": "deer"}]}
    assert [print_command("play", move, language) for language in LANGUAGES] == [
        "play chimpanzee R6 mark shy take hen + skunk L1 out deer",
        "spiele Schimpanse R6 markiere scheu nimm Huhn + Stinktier L1 vertreibe Hirsch",
        "登船 黑猩猩 R6 標記 畏縮 取 母雞 + 臭鼬 L1 驅趕 鹿",
        "登船 黑猩猩 R6 标记 畏缩 取 母鸡 + 臭鼬 L1 驱赶 鹿",
    ]
