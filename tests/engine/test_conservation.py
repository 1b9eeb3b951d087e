"""What no game may lose or make: cards, timbers, markers. And what a position must bear."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine import moves
from engine.game import Position, apply
from engine.record import state
from engine.view import view
from tests.engine import naive_setup
from tests.engine.decks import legal_decks
from tests.engine.naive_placing import KINDS
from tests.engine.random_play import engine_game
from tests.examples import GAMES

Json = dict[str, Any]
DECKS = st.one_of(st.just(naive_setup.read_deck()), legal_decks())


def all_cards(position: Json) -> Counter[str]:
    """Every card that lies anywhere, rain among them."""
    cards: Counter[str] = Counter(position["display"] + position["stack"])
    for cabins in position["ark"].values():
        for cabin in cabins:
            cards.update(cabin)
    for hand in position["hands"]:
        cards.update(hand)
    cards.update(name for name in position["pets"] if name)
    cards["rain"] += position["rain"]
    return cards


@GAMES
@given(seed=st.integers(0, 2**32), players=st.sampled_from([3, 4, 5]), cards=DECKS)
def test_cards_timbers_and_markers_add_up(seed: int, players: int, cards: list[Json]) -> None:
    known = naive_setup.by_name(cards)
    whole_deck = Counter([*known, *["rain"] * 5])
    driven_out: Counter[str] = Counter()
    timbers: int | None = None
    marks = dict.fromkeys(KINDS, 0.0)
    for position, _seat, move in engine_game(seed, players, cards):
        now = state(position)
        if timbers is None:
            timbers = sum(now["timbers"])
        assert all_cards(now) + driven_out == whole_deck
        assert sum(now["timbers"]) == timbers
        assert min(now["timbers"]) >= 0
        assert {kind: sum(seat[kind] for seat in now["marks"]) for kind in KINDS} == marks
        assert abs(view(position, None).balance) <= 2
        assert all(1 <= len(cabin) <= 3 for side in "LR" for cabin in now["ark"][side])
        if now["phase"] == "main":
            assert len(now["display"]) == 3

        for play in move.get("plays", []):
            if now["phase"] == "end":
                timbers -= 1
            if known[play["card"]]["special"] == "fox":
                timbers += 2
            if "out" in play:
                driven_out[play["out"]] += 1
            for name in filter(None, [play["card"], play.get("out")]):
                card = known[name]
                kind = play["mark"] if card["special"] == "chimpanzee" else card["kind"]
                if kind != "none":
                    marks[kind] += 1.5 if card["special"] in ("chimpanzee", "bronto") else 1


@GAMES
@given(seed=st.integers(0, 2**32), players=st.sampled_from([3, 4, 5]), cards=DECKS)
def test_positions_are_copied_compared_and_written(
    seed: int, players: int, cards: list[Json]
) -> None:
    for turn, (position, seat, move) in enumerate(engine_game(seed, players, cards)):
        assert position.turn == turn
        copy = position.copy()
        written = position.to_json()
        assert copy == position
        read = Position.from_json(written, position.deck)
        assert read == position
        assert read.to_json() == written
        assert state(read) == state(position)
        apply(copy, seat, moves.from_json(move))
        assert copy != position
        assert position.to_json() == written
        apply(read, seat, moves.from_json(move))
        assert read == copy
