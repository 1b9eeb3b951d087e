"""R10: who knows what. Nothing a seat is shown depends on a card it cannot know."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine import moves
from engine.cards import builtin_deck
from engine.game import Event, Position, apply, fits, legal_moves, new_game, violations
from engine.record import from_state, state
from engine.view import imagine, view
from tests.engine import naive_setup
from tests.engine.build import build_state
from tests.engine.decks import legal_decks
from tests.engine.random_play import engine_game, engine_moves
from tests.engine.unseen import permuted
from tests.examples import GAMES

Json = dict[str, Any]
HOUSE = naive_setup.read_deck()
DECKS = st.one_of(st.just(HOUSE), legal_decks())


def position_of(players: int = 3, **words: Any) -> Position:
    return from_state(build_state(HOUSE, players=players, **words), players, builtin_deck())


def shown(position: Position, seat: int | None) -> str:
    return json.dumps(view(position, seat).to_json(), sort_keys=True)


# --- R10.1 ---


def test_R10_1_what_is_public() -> None:
    position = position_of(
        L="mouse | dates-1",
        R="sheep",
        hand="fox bee",
        others=["cat", "dog hen pig"],
        display="deer zebra snail",
        rain=1,
        timbers=[1, 2, 3],
        marks=[{"shy": 1.5}, {"heavy": 2}],
        to_move=[1],
    )
    for seat in [0, 1, 2, None]:
        seen = view(position, seat)
        assert seen.ark == {"L": (("mouse",), ("dates-1",)), "R": (("sheep",),)}
        assert seen.balance == 1
        assert seen.display == ("deer", "zebra", "snail")
        assert seen.timbers == (1, 2, 3)
        assert seen.hand_counts == (2, 1, 3)
        assert seen.stack_count == 55 - 3 - 6 - 3 + 4
        assert seen.rain == 1
        assert seen.marks[0] == {"heavy": 0, "slow": 0, "shy": 1.5, "useful": 0, "provision": 0}
        assert seen.marks[1]["heavy"] == 2
        assert seen.points == (10 + 1, 10 + 2, 3)
        assert (seen.phase, seen.to_move) == ("main", (1,))
        assert seen.pets_set == (None, None, None)
        assert seen.seat == seat


def test_R10_1_which_display_card_a_player_took_and_nothing_of_the_blind_one() -> None:
    position = position_of(L="mouse", R="bee", display="cat dog hen", stack="fox pig")
    events = apply(position, 0, moves.Gather("dog"))
    gather = next(event for event in events if event.kind == "gather")
    assert gather.public == {"take": "dog"}
    assert gather.private == {0: {"draw": "fox"}}
    assert not any("fox" in json.dumps(event.public) for event in events)
    refill = next(event for event in events if event.kind == "refill")
    assert refill.public == {"cards": ["pig"]}


def test_R10_1_hand_counts_stay_until_all_have_chosen() -> None:
    position = position_of(
        L="mouse", R="bee", hand="cat dog", others=["hen", "pig"], phase="pets", rain=2,
        to_move=[0, 1, 2],
    )  # fmt: skip
    apply(position, 0, moves.Pet("cat"))
    apply(position, 1, moves.Pet(None))
    for seat in [0, 1, 2, None]:
        assert view(position, seat).hand_counts == (2, 1, 1)
        assert view(position, seat).pets_set == (None, None, None)
        assert view(position, seat).to_move == (2,)
    events = apply(position, 2, moves.Pet("pig"))
    for seat in [0, 1, 2, None]:
        assert view(position, seat).hand_counts == (1, 1, 0)
        assert view(position, seat).pets_set == (True, False, True)
    chosen = next(event for event in events if event.kind == "pets_set")
    assert chosen.public == {"seats": [0, 2]}


# --- R10.2 ---


def test_R10_2_hand_and_pet_are_the_players_own() -> None:
    position = position_of(
        L="mouse", R="bee", hand="cat dog", others=["hen"], rain=2, pets=["tyranno", "mammoth"]
    )
    assert view(position, 0).hand == ("cat", "dog")
    assert view(position, 0).pet == "tyranno"
    assert view(position, 1).hand == ("hen",)
    assert view(position, 1).pet == "mammoth"
    assert view(position, 2).hand == ()
    spectator = view(position, None)
    assert (spectator.hand, spectator.pet) == (None, None)
    for seat in [0, 1, 2, None]:
        assert view(position, seat).hands is None
        assert view(position, seat).pets is None
        assert view(position, seat).stack is None
        assert view(position, seat).result is None


def test_R10_2_no_secret_card_is_named_anywhere() -> None:
    """Whatever is added to the view later: a hidden card's name must not come out of it."""
    position = position_of(
        L="mouse", R="bee", hand="cat", others=["hen", "pig"], display="dog deer snail", rain=2,
        pets=["tyranno", "mammoth", None],
    )  # fmt: skip
    named = {"mouse", "bee", "cat", "dog", "deer", "snail", "tyranno"}
    text = shown(position, 0)
    for card in builtin_deck().cards:
        assert (f'"{card.name}"' in text) == (card.name in named), card.name


def preview(position: Position, seat: int, rng: random.Random) -> str:
    """All that the seat is told about its own possibilities, as one text."""
    seen = view(position, seat)
    imagined = imagine(seen)
    assert view(imagined, seat) == seen
    legal = legal_moves(imagined, seat)
    told: list[Any] = [[moves.to_json(move) for move in legal]]
    assert told[0] == engine_moves(position, seat) == [moves.to_json(move) for move in seen.legal()]
    if seen.phase in ("main", "end"):
        for card in seen.hand or ():
            told.append([str(fits(imagined, seat, card, cabin)) for cabin in ("L1", "R2", "L9")])
    told.append(str(violations(imagined, seat, moves.Gather("bee"))))
    for move in rng.sample(list(legal), min(4, len(legal))):
        after = imagined.copy()
        for event in apply(after, seat, move):
            told.append([event.kind, event.seat, event.public, event.private.get(seat)])
        told.append(view(after, seat).to_json())
    assert imagined == imagine(seen)
    return json.dumps(told, sort_keys=True, default=dict)


@GAMES
@given(seed=st.integers(0, 2**32), players=st.sampled_from([3, 4, 5]), cards=DECKS)
def test_R10_2_views_and_previews_do_not_depend_on_unseen_cards(
    seed: int, players: int, cards: list[Json]
) -> None:
    rng = random.Random(seed)
    for position, _seat, _move in engine_game(seed, players, cards):
        if position.phase != "pets" and rng.random() > 0.15:
            continue
        now = state(position)
        first = view(position, None).resumes
        deck = position.deck
        for seat in [*range(players), None]:
            one = from_state(now, players, deck, first=first)
            other = from_state(permuted(now, players, seat, rng), players, deck, first=first)
            assert shown(one, seat) == shown(other, seat)
            if seat is not None:
                same = rng.randrange(2**32)
                assert preview(one, seat, random.Random(same)) == preview(
                    other, seat, random.Random(same)
                )


def test_R10_2_the_permutation_moves_what_it_should() -> None:
    """The test above would prove nothing if the other position were the same one."""
    rng = random.Random(1)
    now = state(new_game("moved", 4, builtin_deck()))
    other = permuted(now, 4, 2, rng)
    assert other["hands"][2] == now["hands"][2]
    assert all(other["hands"][seat] != now["hands"][seat] for seat in (0, 1, 3))
    assert other["stack"] != now["stack"]
    assert other["stack"].index("rain") == now["stack"].index("rain")
    assert sorted(other["stack"] + other["hands"][0] + other["hands"][1] + other["hands"][3]) == (
        sorted(now["stack"] + now["hands"][0] + now["hands"][1] + now["hands"][3])
    )


def test_R10_2_what_a_preview_cannot_know_stays_unknown() -> None:
    position = position_of(L="mouse", R="bee", hand="cat", display="dog hen pig", stack="fox deer")
    imagined = imagine(view(position, 0))
    events = {event.kind: event for event in apply(imagined, 0, moves.Gather("dog"))}
    assert events["gather"].private == {0: {"draw": None}}
    assert events["refill"].public == {"unknown": 1}
    assert "rain" not in events
    assert view(imagined, 0).hand == ("cat", "dog")
    assert view(imagined, 0).display == ("hen", "pig")
    assert view(imagined, 0).hand_counts[0] == 3


# --- R10.3 ---


def test_R10_3_everything_is_public_when_the_game_is_over() -> None:
    position = position_of(
        L="mouse", R="bee", hand="cat", others=["hen dog"], display="deer", phase="end", rain=5,
        pets=["hamster", None, "tyranno"], passed=[1, 2], gone="fox",
    )  # fmt: skip
    stack = tuple(state(position)["stack"])
    for seat in [0, 1, None]:
        assert view(position, seat).hands is None
    events = apply(position, 0, moves.Pass())
    for seat in [0, 1, 2, None]:
        seen = view(position, seat)
        assert seen.phase == "over"
        assert seen.hands == (("cat",), ("hen", "dog"), ())
        assert seen.pets == ("hamster", None, "tyranno")
        assert seen.stack == stack
        assert seen.result is not None
        assert seen.result.scoring["shy"] == (10, 0, 0)
    over: Event = events[-1]
    assert over.kind == "over"
    assert over.public is not None
    assert over.public["pets"] == ["hamster", None, "tyranno"]
    assert over.public["hands"] == [["cat"], ["hen", "dog"], []]
    assert over.public["result"]["totals"] == [14, 4, 4]
