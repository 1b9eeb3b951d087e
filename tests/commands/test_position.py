"""Turns at a position: what is filled in, what is asked, what is refused (3.2, 3.8 to 3.11)."""

from dataclasses import replace

import pytest

from engine.cards import Card, Deck
from engine.moves import Board, Gather, Pet, Play
from pbem.commands import Context, read
from tests.commands.positions import seat_view
from tests.commands.reading import HOUSE, LANGUAGES, board, gather, lines, only, pet, reading


class TestNewCabins:
    """3.10"""

    def test_new_is_the_next_cabin_of_its_side(self) -> None:
        view = seat_view(hand="bee fox", display="zebra")
        for line in ("play bee new left", "bee L+", "bee L6", "登船蜜蜂新左", "Biene links neu"):
            assert only(line, view=view).args == board("bee L6 take=zebra")
        assert only("bee R+", view=view).args == board("bee R4 take=zebra")

    def test_two_new_cabins_follow_each_other(self) -> None:
        view = seat_view(hand="bee hedgehog")
        found = only("bee L+ take zebra, hedgehog L+ take pig", view=view)
        assert found.args == board("bee L6 take=zebra", "hedgehog L7 take=pig")
        assert found.error is None

    @pytest.mark.parametrize("cabin", ["L7", "L19", "R5", "R999"])
    def test_beyond_the_next_is_refused(self, cabin: str) -> None:
        found = only(f"play bee {cabin}", view=seat_view(hand="bee"))
        assert (found.error, found.rules[:1]) == ("refused", ("R5.1",))

    def test_there_is_no_cabin_zero(self) -> None:
        for view in (None, seat_view(hand="bee")):
            assert only("play bee L0", view=view).rules == ("R2.1",)

    def test_new_alone_is_asked_back(self) -> None:
        for view in (None, seat_view(hand="bee")):
            found = only("play bee new", view=view)
            assert found.error == "ambiguous"
            assert found.readings == ("play bee L+", "play bee R+")


class TestTake:
    """3.2, 3.11"""

    def test_a_missing_take_is_asked_with_whole_lines(self) -> None:
        found = only("play bee L6", view=seat_view(hand="bee"))
        assert (found.error, found.code) == ("ambiguous", "which-take")
        assert found.readings == (
            "play bee L6 take zebra", "play bee L6 take grain 1", "play bee L6 take pig",
        )  # fmt: skip

    def test_the_only_display_card_is_taken(self) -> None:
        found = only("play bee L6", view=seat_view(hand="bee", display="zebra"))
        assert found.args == board("bee L6 take=zebra")

    def test_nothing_is_taken_from_an_empty_display(self) -> None:
        view = seat_view(hand="bee", display="", phase="end")
        assert only("play bee L6", view=view).args == board("bee L6")
        assert only("play bee L6", view=view).error is None

    def test_the_second_new_cabin_chooses_from_what_is_left(self) -> None:
        view = seat_view(hand="bee hedgehog", display="zebra pig")
        found = only("bee L6 + hedgehog R4", view=view)
        assert found.readings == (
            "play bee L6 take zebra + hedgehog R4 take pig",
            "play bee L6 take pig + hedgehog R4 take zebra",
        )
        assert only("bee L6 take pig + hedgehog R4", view=view).args == board(
            "bee L6 take=pig", "hedgehog R4 take=zebra"
        )

    def test_only_legal_completions_are_offered(self) -> None:
        # the second card is the one taken with the first, so only one take makes sense
        view = seat_view(hand="bee", display="hedgehog pig fox")
        found = only("bee L6 + hedgehog R2", view=view)
        assert found.readings == ("play bee L6 take hedgehog + hedgehog R2",)

    def test_each_of_two_lines_is_asked_for_itself(self) -> None:
        view = seat_view(hand="bee hedgehog")
        found = lines("play bee L6\nplay hedgehog L1", view=view)
        assert [line["error"] for line in found] == ["ambiguous", "not tried"]
        assert found[0]["readings"] == [
            "play bee L6 take zebra", "play bee L6 take grain 1", "play bee L6 take pig",
        ]  # fmt: skip

    @pytest.mark.parametrize("line", ["play bee L1 and take zebra", "play bee L1 take zebra"])
    def test_a_take_behind_an_old_cabin_is_a_second_action(self, line: str) -> None:
        found = only(line, view=seat_view(hand="bee"))
        assert (found.error, found.rules) == ("refused", ("R4.1",))

    def test_and_take_is_the_option_when_the_cabin_is_new(self) -> None:
        found = only("play bee L6 and take zebra", view=seat_view(hand="bee"))
        assert found.args == board("bee L6 take=zebra")

    def test_the_joined_line_is_suggested_for_a_new_cabin_only(self) -> None:
        view = seat_view(hand="bee")
        assert lines("play bee L6\ntake zebra", view=view)[1]["suggest"] == "play bee L6 take zebra"
        assert "suggest" not in lines("play bee L1\ntake zebra", view=view)[1]

    def test_each_take_is_from_what_is_then_on_display(self) -> None:
        view = seat_view(hand="fox bee", display="grain-1 grain-2 pig")
        found = only("fox R4 take grain + bee L6 take grain", view=view)
        assert found.args == board("fox R4 take=grain-1", "bee L6 take=grain-2")
        assert found.error is None

    @pytest.mark.parametrize(
        ("line", "rules"),
        [
            ("bee R4 take pig + hedgehog R4", ("R4.3",)),  # no new cabin for the second
            ("bee R4 take pig + hedgehog L7", ("R5.1",)),
        ],
    )
    def test_no_take_is_filled_in_where_no_cabin_is_opened(
        self, line: str, rules: tuple[str, ...]
    ) -> None:
        found = only(line, view=seat_view(hand="bee hedgehog"))
        assert (found.error, found.rules) == ("refused", rules)
        assert found.args is not None
        assert "take" not in found.args["plays"][1]


class TestMark:
    """3.11"""

    view = seat_view(
        hand="chimpanzee", left="sheep|hamster", right="deer|caterpillar", display="zebra"
    )

    def test_a_missing_mark_is_asked(self) -> None:
        found = only("play chimp R3", view=self.view)
        assert (found.error, found.code) == ("ambiguous", "which-mark")
        assert found.readings == tuple(
            f"play chimpanzee R3 mark {kind} take zebra"
            for kind in ("heavy", "slow", "shy", "useful")
        )

    def test_a_needless_mark_is_refused(self) -> None:
        found = only("play bee L1 mark shy", view=seat_view(hand="bee"))
        assert (found.error, found.rules) == ("refused", ("R6.8",))

    def test_without_a_position_nothing_is_asked(self) -> None:
        assert only("play chimp R3").error is None
        assert only("play bee L6").error is None


class TestOut:
    """3.11"""

    def test_nobody_is_driven_out_unless_named(self) -> None:
        view = seat_view(hand="skunk")
        assert only("skunk R1", view=view).args == board("skunk R1")
        assert only("skunk R1 out deer", view=view).args == board("skunk R1 out=deer")

    def test_victims_are_listed_when_only_that_is_missing(self) -> None:
        view = seat_view(hand="skunk", left="sheep hamster squirrel|rabbit")
        found = only("play skunk L1", view=view)
        assert found.error == "refused"
        assert found.rules == ("R5.1",)
        assert found.readings == (
            "play skunk L1 out sheep", "play skunk L1 out hamster", "play skunk L1 out squirrel",
        )  # fmt: skip

    def test_no_victims_where_another_rule_stands_in_the_way(self) -> None:
        view = seat_view(hand="skunk bee", left="sheep hamster squirrel|rabbit", seat=1)
        assert only("play skunk L1", view=view).readings == ()


class TestCopies:
    """3.9"""

    def test_the_lowest_copy_in_hand_is_played(self) -> None:
        view = seat_view(hand="grain-4 grain-3", left="sheep|hamster|walrus", right="deer|dog|seal")
        assert only("play grain L3", view=view).args == board("grain-3 L3")
        assert only("登船穀物左3", view=view).args == board("grain-3 L3")
        assert only("play grain 4 L3", view=view).args == board("grain-4 L3")
        assert only("pet grain", view=view).args == pet("grain-3")

    def test_the_lowest_copy_on_display_is_taken(self) -> None:
        view = seat_view(hand="grain-1", display="grain-4 grain-2 zebra")
        assert only("take grain", view=view).args == gather("grain-2")
        assert only("nimm Getreide", view=view).args == gather("grain-2")
        assert only("take grain 4", view=view).args == gather("grain-4")

    def test_a_copy_that_is_nowhere_is_refused_by_the_rules(self) -> None:
        found = only("take dates", view=seat_view())
        assert (found.error, found.rules) == ("refused", ("R4.2",))

    def test_copies_that_differ_are_asked(self) -> None:
        cards = [
            replace(card, weight=1) if card.name == "grain-4" else card for card in HOUSE.cards
        ]
        deck = Deck("odd", cards)
        view = seat_view(display="grain-4 grain-2 grain-3", deck=deck)
        (found,) = read("take grain", Context(deck, view=view)).lines
        assert (found.error, found.code) == ("ambiguous", "which-copy")
        assert found.readings == ("take grain 2", "take grain 3", "take grain 4")
        view = seat_view(display="grain-2 grain-3 pig", deck=deck)
        (found,) = read("take grain", Context(deck, view=view)).lines
        assert found.args == gather("grain-2")

    def test_without_a_position_the_name_stays(self) -> None:
        assert only("take grain").args == gather("grain")
        assert only("play grain L+").args == board("grain L+")


class TestWhichCard:
    """3.8"""

    def test_several_that_fit_are_asked_playable_ones_first(self) -> None:
        view = seat_view(hand="donkey")
        assert only("play do L1", view=view).readings == (
            "play donkey L1", "play dodo L1", "play dog L1",
        )  # fmt: skip
        view = seat_view(display="dodo pig horse")
        assert only("take do", view=view).readings[0] == "take dodo"

    def test_never_guessed_from_the_hand(self) -> None:
        assert only("play do L1", view=seat_view(hand="donkey")).error == "ambiguous"

    def test_an_exact_name_beats_a_beginning(self) -> None:
        assert only("take hen").args == gather("hen")
        assert only("take he").readings == ("take hen", "take hedgehog")
        assert only("take hed").args == gather("hedgehog")

    def test_the_players_language_wins(self) -> None:
        assert only("take bi", language="en").args == gather("bison")
        assert only("take bi", language="de").readings == ("nimm Bison", "nimm Biene")
        assert only("take ka", language="en").error == "ambiguous"
        assert only("take gans").error == "not understood"

    def test_one_letter_is_no_beginning_but_one_character_is(self) -> None:
        assert only("take f").error == "not understood"
        assert only("取狐").args == gather("fox")

    def test_bears_and_antelopes_are_asked(self) -> None:
        for language in LANGUAGES:
            for name in ("bear", "Bären", "熊", "羚羊"):
                found = only(f"take {name}", language=language)
                assert found.error == "ambiguous"
                assert len(found.readings) == 2

    def test_in_every_command_that_names_a_card(self) -> None:
        assert only("legal do").readings == ("legal dodo", "legal dog", "legal donkey")
        assert only("why do L2").readings[0] == "why dodo L2"


class TestRules:
    def test_a_legal_turn_is_a_move(self) -> None:
        view = seat_view(hand="bee hedgehog", display="zebra grain-1 pig")
        assert reading("take zebra", view=view).turn == Gather("zebra")
        assert reading("bee L1, hedgehog L2", view=view).turn == Board(
            (Play("bee", "L1"), Play("hedgehog", "L2"))
        )
        assert reading("bee L1\nHi\nhedgehog L2", view=view).turn == Board(
            (Play("bee", "L1"), Play("hedgehog", "L2"))
        )
        assert reading("pet none", view=seat_view(phase="pets")).turn == Pet(None)

    def test_without_a_position_there_is_no_move(self) -> None:
        assert reading("take zebra").turn is None

    def test_a_refusal_teaches(self) -> None:
        view = seat_view(hand="walrus")
        found = only("play walrus L1", view=view)
        assert found.error == "refused"
        assert set(found.rules) == {"R5.3", "R5.5"}
        assert found.details["fits"] == [
            cabin
            for cabin in ("L1", "L6", "R1", "R4")
            if only(f"play walrus {cabin} take zebra", view=view).error is None
        ]
        assert found.message is not None
        assert "R5.3" in found.message

    @pytest.mark.parametrize(
        ("line", "context", "rule"),
        [
            ("take walrus", {}, "R4.2"),
            ("play fox L1", {}, "R4.3"),
            ("pass", {}, "R4.1"),
            ("pet none", {}, "R7.1"),
            ("take zebra", {"phase": "pets"}, "R7.1"),
            ("take zebra", {"seat": 1}, "R4.1"),
            ("take zebra", {"phase": "end"}, "R8.1"),
            ("bee L1 + hedgehog L2", {"phase": "end", "hand": "bee hedgehog"}, "R8.1"),
            ("snail L1 + bee L2", {"hand": "bee snail"}, "R4.3"),
            ("bee L1 + hedgehog L1", {"hand": "bee hedgehog"}, "R4.3"),
            ("bee L6 take zebra", {"hand": "bee", "timbers": 0}, "R5.7"),
        ],
    )
    def test_the_rules_refuse(self, line: str, context: dict[str, object], rule: str) -> None:
        found = only(line, view=seat_view(**context))  # type: ignore[arg-type]
        assert found.error == "refused"
        assert rule in found.rules
        assert not reading(line, view=seat_view(**context)).turns  # type: ignore[arg-type]

    def test_a_refusal_says_where_the_card_would_fit(self) -> None:
        message = only("play hen L4", view=seat_view(hand="hen")).message
        assert message
        assert "It would fit L1, L6, R1, R3, R4." in message

    def test_a_card_of_the_own_hand_alone_suggests_a_play(self) -> None:
        assert only("hen", view=seat_view(hand="hen")).suggest == "play hen L1"
        assert only("hen", view=seat_view(hand="hen", phase="pets")).suggest == "pet hen"
        assert only("zebra", view=seat_view(hand="hen")).suggest == "take zebra"

    def test_questions_are_about_this_position(self) -> None:
        view = seat_view(hand="grain-3", display="grain-4")
        assert only("why grain new left", view=view).args == {"card": "grain-3", "cabin": "L6"}
        assert only("legal dates", view=view).args == {"card": "dates-1"}
        assert only("legal dates").args == {"card": "dates"}

    def test_of_two_lines_the_one_at_fault_is_refused(self) -> None:
        view = seat_view(hand="bee walrus")
        found = lines("bee L1\nwalrus L2", view=view)
        assert [line["error"] for line in found] == ["not tried", "refused"]
        assert found[1]["with"] == 0
        found = lines("walrus L2\nbee L1", view=view)
        assert [line["error"] for line in found] == ["refused", "not tried"]

    def test_a_refused_preview_stops_nothing(self) -> None:
        found = lines("preview take walrus\ntake zebra", view=seat_view())
        assert found[0]["error"] == "refused"
        assert found[0]["rules"] == ["R4.2"]
        assert "error" not in found[1]

    def test_another_table_is_not_touched(self) -> None:
        found = reading("game 9\ntake zebra", view=seat_view(), game=7)
        assert [line.error for line in found.lines] == [None, "refused"]
        assert not found.turns
        found = reading("game 7\ntake zebra", view=seat_view(), game=7)
        assert found.turn == Gather("zebra")


def test_a_deck_of_ones_own_is_known_by_its_english_names() -> None:
    cards = [
        Card("great-auk", 1, "cold", "carnivore", "none", "fox") if card.name == "fox" else card
        for card in HOUSE.cards
    ]
    deck = Deck("auks", cards)
    for line in ("take great auk", "take great-auk", "nimm greatauk", "take grea"):
        (found,) = read(line, Context(deck)).lines
        assert found.args == gather("great-auk")
    (found,) = read("take fox", Context(deck)).lines
    assert found.error == "not understood"
