"""What is known of a game is what its moves did."""

from itertools import pairwise

import pytest

from engine.record import read, walk
from engine.view import view
from pbem.archive.counting import SHARES, counts_of, pace_class
from pbem.archive.facts import digest_of, facts_of
from tests.archive.games import played, record_lines, records


@pytest.mark.parametrize("number", range(len(record_lines())))
def test_facts_are_those_of_the_views(number: int) -> None:
    record = records()[number]
    facts = facts_of(record)
    assert facts.turns == len(record.turns)
    steps = [(view(position, None).points, position.ark.balance) for _, _, position in walk(record)]
    assert [(step.points, step.balance) for step in facts.steps[1:]] == steps
    outs = [
        (turn, play.card, play.out)
        for turn, one in enumerate(record.turns, 1)
        for play in getattr(one.move, "plays", ())
        if play.out is not None
    ]
    assert [(one.turn, one.driver, one.victim) for one in facts.drive_outs] == outs
    assert record.result is not None
    assert list(facts.result.totals) == record.result["totals"]
    assert [seat for seat, place in enumerate(facts.places) if place == 1] == list(
        facts.result.winners
    )


def test_the_biggest_swing_is_none_smaller_than_any_other() -> None:
    [record] = read(played("swing"))
    facts = facts_of(record)
    assert facts.swing.points == max(one.points for one in facts.swings())
    before, after = facts.steps[facts.swing.turn - 1 : facts.swing.turn + 1]
    seat = facts.swing.seat
    others = [other for other in range(record.players) if other != seat]
    gain = after.points[seat] - before.points[seat]
    best = max(after.points[o] for o in others) - max(before.points[o] for o in others)
    assert facts.swing.points == gain - best > 0


def test_who_leads_changes_with_every_entry() -> None:
    leads = facts_of(read(played("leads"))[0]).leads()
    assert all(one[1] != other[1] and one[0] < other[0] for one, other in pairwise(leads))


def test_the_same_game_is_known_by_its_digest() -> None:
    first, again = read(played("same"))[0], read(played("same"))[0]
    again.names, again.proof = ["Ann", "Bo", "Cy"], None
    assert digest_of(first) == digest_of(again)
    again.turns.pop()
    assert digest_of(first) != digest_of(again)


def test_a_victory_is_counted_once_however_many_share_it() -> None:
    for record in records():
        counts = counts_of(facts_of(record), 3600)
        seats = [one for (what, _), one in counts.items() if what == "seat"]
        assert sum(one.won for one in seats) == SHARES
        kinds = [one.points for (what, _), one in counts.items() if what == "kind"]
        assert sum(kinds) == sum(one.points for one in seats)


@pytest.mark.parametrize(
    ("seconds", "number"), [(0, 0), (3599, 0), (3600, 1), (86399, 2), (86400, 3), (10**9, 4)]
)
def test_a_game_belongs_to_the_class_of_its_pace(seconds: float, number: int) -> None:
    assert pace_class(seconds) == number


def test_a_game_that_is_not_over_has_no_facts() -> None:
    [record] = read(played("cut"))
    record.turns.pop()
    with pytest.raises(ValueError, match="only a finished game"):
        facts_of(record)
