"""How a line may go on while it is typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots import bot
from engine.game import apply, new_game
from engine.moves import Board, to_json
from engine.shuffle import Generator
from engine.view import View, view
from pbem.commands import Context, print_turn, read
from pbem.commands.completion import LONGEST, MOST, complete
from tests.commands.positions import seat_view
from tests.commands.reading import HOUSE
from tests.examples import examples

HAND = seat_view(hand="fox mouse polar-bear mosquito")
LANGUAGES = ("en", "de", "zh-Hant", "zh-Hans")


def context(seen: View | None = HAND, language: str = "en") -> Context:
    names = ("Ann Archer", "Bo Baker", "李明")
    return Context(deck=HOUSE, language=language, view=seen, names=names, sender="Ann Archer")


def ways(text: str, seen: View | None = HAND, language: str = "en") -> list[str]:
    return [one.line for one in complete(text, context(seen, language))]


def test_the_words_of_commands() -> None:
    assert ways("sta") == ["status"]
    assert ways("his") == ["history"]
    assert ways("inv") == ["invite "]
    assert ways("please his") == ["history"]
    assert ways("xyzzy") == []


def test_a_line_that_is_whole_or_empty_or_long_has_no_ways() -> None:
    assert ways("") == []
    assert ways("take pig") == []
    assert ways("status\n") == []
    assert ways("say all: " + "x" * LONGEST) == []


def test_what_stands_behind_a_command() -> None:
    assert ways("say ") == ["say all: ", "say Bo Baker: ", "say 李明: "]
    assert ways("say b") == ["say Bo Baker: "]
    assert ways("confirm o") == ["confirm on", "confirm off"]
    assert ways("mail di") == ["mail digest"]
    assert ways("vote ") == ["vote yes", "vote no", "vote pause", "vote end"]
    assert ways("vacation o") == ["vacation off"]
    assert ways("help pa") == ["help pass", "help pause"]
    assert ways("rules pol") == ["rules polar bear"]
    assert ways("why fox r3") == []
    assert ways("why fox r") == [f"why fox R{number}" for number in range(1, 5)]


def test_a_turn_word_by_word() -> None:
    assert ways("ta") == ["take zebra", "take grain 1", "take pig"]
    assert ways("take z") == ["take zebra"]
    assert ways("draw p") == ["take pig"]
    assert set(ways("play ")) >= {"play fox ", "play mosquito "}
    assert {line.split()[1] for line in ways("play fox in")} == {"fox"}
    assert ways("fox ") == ways("play fox ")


def test_the_language_is_the_players_and_any_wording_is_read() -> None:
    assert ways("nimm z", language="de") == ["nimm Zebra"]
    assert ways("take z", language="de") == ["nimm Zebra"]
    assert ways("取斑", language="zh-Hant") == ["取 斑馬"]
    assert ways("取斑", language="zh-Hans") == ["取 斑马"]
    assert ways("Spr", language="de")[0] == "Sprache"


def test_a_turn_in_a_preview_and_in_a_plan() -> None:
    assert ways("preview take z") == ["preview take zebra"]
    assert ways("plan take z") == ["plan take zebra"]


def test_the_second_play_of_a_pair() -> None:
    pairs = [move for move in HAND.legal() if isinstance(move, Board) and len(move.plays) == 2]
    pair = pairs[0]
    assert isinstance(pair, Board)
    line = print_turn(to_json(pair))
    first = line.partition(" + ")[0]
    word = line.partition(" + ")[2].split()[0]
    assert any(line.startswith(way.strip()) for way in ways(f"{first} + {word}"))
    below = ways(f"{first}\nplay {word}")
    assert below == [f"play {way.partition(' + ')[2]}" for way in ways(f"{first} + {word}")]
    assert ways("take pig\nplay f") == []  # one action a turn (R4.1)


def test_of_a_turn_only_for_who_is_to_move() -> None:
    waiting = seat_view(hand="fox mouse", seat=1)
    assert ways("pl", waiting) == ["plan", "plan off"]
    assert ways("take ", waiting) == []
    assert ways("pl", None) == ["plan", "plan off"]


@pytest.mark.parametrize(("phase", "line"), [("end", "pass"), ("pets", "pet none")])
def test_other_phases(phase: str, line: str) -> None:
    assert line in ways(line[:3], seat_view(hand="fox mouse", phase=phase))


def test_only_commands_that_are_served() -> None:
    found = complete("o", context(), served={"status"})
    assert found == []


@examples(25)
@given(
    seed=st.integers(0, 40), turns=st.integers(0, 40), pick=st.integers(0, 9_999),
    cut=st.integers(1, 60), language=st.sampled_from(LANGUAGES),
)  # fmt: skip
def test_every_turn_is_reached_and_every_whole_way_is_legal(
    seed: int, turns: int, pick: int, cut: int, language: str
) -> None:
    position, chance = new_game(str(seed), 3, HOUSE), Generator(str(seed))
    for _ in range(turns):
        if position.phase == "over":
            return
        seat = position.to_move[0]
        apply(position, seat, bot("random").choose(view(position, seat), chance))
    if position.phase == "over":
        return
    seen = view(position, position.to_move[0])
    single = [raw for raw in seen.legal().raw if len(raw) < 3]
    index = seen.legal().raw.index(single[pick % len(single)])
    line = print_turn(to_json(seen.legal()[index]), language)
    typed = line[:cut]
    found = complete(typed, context(seen, language))
    assert len(found) <= MOST
    if typed != line and len(found) < MOST:
        assert any(line.startswith(one.line.strip()) for one in found), (typed, found)
    for one in found:
        if one.whole:
            assert not read(one.line, context(seen, language)).stopped, one


@given(st.text(max_size=80), st.sampled_from(LANGUAGES))
def test_anything_may_be_typed(text: str, language: str) -> None:
    assert len(complete(text, context(language=language))) <= MOST
