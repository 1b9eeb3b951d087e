"""The words themselves: complete, unambiguous, and understood in every language."""

import textwrap

import pytest

from pbem.commands import would_parse
from pbem.commands.faults import CATALOGUE
from pbem.commands.help import SYNTAX, command_help, overview
from pbem.commands.speech import spoken_command
from pbem.commands.vocabulary import TONGUES, Tongue, forms
from tests.commands.reading import HOUSE, LANGUAGES, gather, only, reading

BASES = {card.name.rstrip("-1234") if card.is_provision else card.name for card in HOUSE.cards}
SPECIALS = {
    "fox": "狐狸", "hedgehog": "刺蝟", "mosquito": "蚊子", "bronto": "雷龍", "turtle": "烏龜",
    "skunk": "臭鼬", "spider": "蜘蛛", "chimpanzee": "黑猩猩",
}  # fmt: skip


@pytest.mark.parametrize("tongue", TONGUES, ids=["en", "de", "zh"])
def test_every_card_has_names_in_every_language(tongue: Tongue) -> None:
    assert set(tongue.cards) == BASES
    assert len(BASES) == 49


@pytest.mark.parametrize("tongue", TONGUES, ids=["en", "de", "zh"])
def test_every_listed_name_means_its_card_to_everybody(tongue: Tongue) -> None:
    for card, listed in tongue.cards.items():
        for scripts in forms(listed):
            for form in scripts:
                for language in LANGUAGES:
                    for written in (form, form.upper(), form.replace(" ", "-")):
                        found = only(f"take {written}", language=language)
                        assert found.args == gather(card), (written, language, found.readings)


def test_the_specials_bear_the_names_of_the_published_rules() -> None:
    for card, name in SPECIALS.items():
        assert forms(TONGUES[2].cards[card])[0][0] == name


@pytest.mark.parametrize("tongue", TONGUES, ids=["en", "de", "zh"])
def test_every_word_of_a_command_is_known_to_the_help(tongue: Tongue) -> None:
    assert set(tongue.commands) == set(SYNTAX)
    for command, listed in tongue.commands.items():
        for scripts in forms(listed):
            for form in scripts:
                found = only(f"help {form}")
                assert found.error is None
                assert found.args
                if form.casefold() not in ("spiel",):  # "Spiel Fuchs L2", "Spiel 7"
                    assert found.args["command"] == command


@pytest.mark.parametrize("tongue", TONGUES, ids=["en", "de", "zh"])
def test_languages_list_the_same_things(tongue: Tongue) -> None:
    english = TONGUES[0]
    assert set(tongue.options) == set(english.options)
    assert set(tongue.kinds) == set(english.kinds)
    assert set(tongue.sides) == set(english.sides)
    assert set(english.settings) - {"utc"} <= set(tongue.settings) | {"utc"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_is_complete(language: str) -> None:
    assert len(overview(language)) == len(SYNTAX)
    for command in SYNTAX:
        assert command_help(command, language)
    assert command_help("dance") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_start_is_explained_and_listed_for_whoever_can_begin(language: str) -> None:
    word = spoken_command("start", language)
    assert only(f"help {word}", language=language).args == {"command": "start"}
    told = command_help("start", language)
    assert told[0].startswith(f"› {word}: ")
    for word in told[1][2:].split(","):
        assert only(word, forming=True).command == "start"
    assert overview(language, starts=True) == [told[0], *overview(language)]
    for line in told:
        for width in range(40, 73):
            for piece in textwrap.wrap(line, width):
                assert not any(one.command for one in reading(piece, forming=True).lines), piece


def test_the_help_on_no_command_says_so() -> None:
    found = only("help name")
    assert (found.meant, found.error) == ("help", "not understood")
    assert found.message == "There is no command “name”. “help” lists all commands."


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_the_help_nor_a_piece_of_one_reads_as_a_command(language: str) -> None:
    pages = [overview(language), *(command_help(command, language) for command in SYNTAX)]
    for line in dict.fromkeys(line for page in pages for line in page):
        assert not would_parse(line)
        for width in (40, 47, 55, 64, 72):
            for piece in textwrap.wrap(line, width):
                assert not would_parse(piece), (line, width)


def test_a_card_that_is_none_is_told_from_one_that_is_missing() -> None:
    said = only("take hrose")
    assert said.message == "There is no card “hrose”. “hand” shows your cards."
    assert said.suggest == "take horse"
    assert (only("take").message or "").startswith("A card's name is missing here.")
    assert only("play fox").message == "A cabin such as L2 or R3 is missing here."


@pytest.mark.parametrize("line", ["paly fox L2", "paly fox"])
def test_a_misspelt_command_is_told_from_a_card(line: str) -> None:
    said = only(line)
    assert said.message == "There is no command “paly”. “help” lists all commands."
    assert only("statuss").suggest == "status"


def test_every_sentence_says_something() -> None:
    for code, sentence in CATALOGUE.items():
        assert code == code.lower()
        assert sentence.strip()


@pytest.mark.parametrize(
    ("line", "parses"),
    [
        ("take fox", True),
        ("nimm Fuchs", True),
        ("pass", True),
        ("HAND", True),
        ("Hi; take fox", True),
        ("take he", True),
        ("chimp R3 mark provision", True),
        ("note this", True),
        ("› take fox", False),
        ("│ take fox", False),
        ("> take fox", False),
        ("L1  sheep 2 cold plants useful; chamois 2 cold plants shy;", False),
        ("take the fox and run away", False),
        ("Your turn, Ann", False),
        ("YOUR HAND (4 timbers)", False),
    ],
)
def test_would_parse(line: str, parses: bool) -> None:
    assert would_parse(line) is parses
