"""R9: scoring."""

from __future__ import annotations

import pytest

from tests.engine.conftest import TableMaker

OVER = {"phase": "over", "rain": 5, "to_move": [], "L": "bee", "R": "snail"}


def test_R9_1_pets_are_scored_and_markers_stay(table: TableMaker) -> None:
    over = table(
        **OVER,
        passed=[0, 1, 2],
        marks=[{"shy": 1}, {"shy": 1.5}],
        pets=["hamster", "tyranno", None],
    )
    assert over.score()["scoring"]["shy"] == [10, 6, 0]
    assert over.marks(0) == {"shy": 1}


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ([0, 0, 0], [0, 0, 0]),
        ([1, 0, 0], [10, 0, 0]),
        ([3, 2, 1], [10, 6, 2]),
        ([1, 2, 3], [2, 6, 10]),
        ([1.5, 1, 2], [6, 2, 10]),
        ([2, 2, 1], [8, 8, 2]),
        ([2, 2, 0], [8, 8, 0]),
        ([2, 1, 1], [10, 4, 4]),
        ([1, 1, 1], [6, 6, 6]),
        ([2, 2, 1, 1], [8, 8, 2, 2]),
        ([1, 1, 1, 0.5], [6, 6, 6, 2]),
        ([1, 1, 1, 1], [5, 5, 5, 5]),
        ([1, 1, 1, 1, 1], [5, 5, 5, 5, 5]),
        ([2, 1, 1, 1], [10, 4, 4, 4]),
        ([2, 1, 1, 1, 1], [10, 3, 3, 3, 3]),
        ([5, 4, 3, 2, 1], [10, 6, 2, 2, 2]),
        ([5, 4, 1, 1, 1], [10, 6, 2, 2, 2]),
        ([5, 4, 1, 1, 0], [10, 6, 2, 2, 0]),
        ([1, 1, 1, 1, 0.5], [5, 5, 5, 5, 2]),
        ([2, 2, 2, 1, 1], [6, 6, 6, 2, 2]),
        ([3, 3, 2, 1, 1], [8, 8, 2, 2, 2]),
        ([3, 2, 2, 1, 1], [10, 4, 4, 2, 2]),
        ([3, 2, 2, 2, 1], [10, 4, 4, 4, 2]),
        ([3, 1.5, 1.5, 1, 0], [10, 4, 4, 2, 0]),
    ],
)
def test_R9_2_places(table: TableMaker, counts: list[float], points: list[int]) -> None:
    for kind in ["heavy", "slow", "shy", "useful", "provision"]:
        over = table(
            **OVER,
            players=len(counts),
            passed=range(len(counts)),
            marks=[{kind: count} for count in counts],
            timbers=[0] * len(counts),
        )
        score = over.score()
        assert score["scoring"][kind] == points
        assert score["totals"] == points


def test_R9_3_a_timber_is_a_point(table: TableMaker) -> None:
    over = table(**OVER, passed=[0, 1, 2], timbers=[3, 0, 7], marks=[{}, {"slow": 1}])
    assert over.score()["timbers"] == [3, 0, 7]
    assert over.score()["totals"] == [3, 10, 7]
    assert over.score()["winners"] == [1]


def test_R9_3_totals_are_the_columns_and_the_timbers(table: TableMaker) -> None:
    over = table(
        **OVER,
        passed=[0, 1, 2],
        timbers=[1, 2, 3],
        marks=[{"heavy": 2, "shy": 1}, {"heavy": 1, "useful": 4}, {"shy": 1, "provision": 1}],
    )
    assert over.score() == {
        "scoring": {
            "heavy": [10, 6, 0],
            "slow": [0, 0, 0],
            "shy": [8, 0, 8],
            "useful": [0, 10, 0],
            "provision": [0, 0, 10],
        },
        "timbers": [1, 2, 3],
        "totals": [10 + 8 + 1, 6 + 10 + 2, 8 + 10 + 3],
        "winners": [2],
    }


def test_R9_4_a_tie_goes_to_fewer_animals_in_hand(table: TableMaker) -> None:
    over = table(**OVER, passed=[0, 1, 2], timbers=[5, 5, 4], hand="cat dog", others=["hen", ""])
    assert over.score()["winners"] == [1]


def test_R9_4_provisions_in_hand_do_not_count(table: TableMaker) -> None:
    over = table(
        **OVER, passed=[0, 1, 2], timbers=[5, 5, 4], hand="dates-1 dates-2 grain-1", others=["hen"]
    )
    assert over.score()["winners"] == [0]


def test_R9_4_a_pet_is_not_in_hand(table: TableMaker) -> None:
    over = table(
        **OVER, passed=[0, 1, 2], timbers=[5, 5, 4], pets=["tyranno"], hand="", others=["hen"]
    )
    assert over.score()["winners"] == [0]


def test_R9_4_still_tied_a_shared_victory(table: TableMaker) -> None:
    over = table(
        **OVER,
        passed=[0, 1, 2],
        timbers=[5, 4, 5],
        hand="cat dates-1",
        others=["", "hen grain-1 grain-2"],
    )
    assert over.score()["winners"] == [0, 2]
