"""What a recorded game shows: the words of the meta-test over `tests/records/`."""

from __future__ import annotations

from typing import Any

from tests.engine import naive, naive_rules, naive_scoring
from tests.engine.naive_setup import SPECIALS

Json = dict[str, Any]

# Every game with one of these shows something that a reader of the rules would look for.
REQUIRED = {
    *(f"{players} players" for players in (3, 4, 5)),
    *(f"{special} enters" for special in SPECIALS),
    "mosquito drives out",
    "spider drives out",
    "skunk drives out",
    "bronto is driven out",
    "chimpanzee is driven out",
    *(f"chimpanzee marks {kind}" for kind in ("heavy", "slow", "shy", "useful")),
    "one card",
    "two cards",
    "two new cabins in a turn",
    "the second card is the one taken with the first",
    "the second opens the cabin after the first",
    "the fox pays for the second",
    "rain in a gather",
    "rain in a refill",
    "5th rain in a gather",
    "5th rain in a refill",
    "2nd and 5th rain in one turn",
    "a pet that counts",
    "a pet that does not count",
    "no pet",
    "no pet with an empty hand",
    "a pass with a play left",
    "a forced pass",
    "a play of the last one left",
    "a new cabin in the end phase",
    "a new cabin with an empty display",
    "driving out in the end phase",
    "a timber for one who has passed",
    "a tie for the victory",
    "a shared victory",
    "a full cabin is entered",
    "a seat without points on a kind",
}


def features(record: Json) -> set[str]:
    """Everything of `REQUIRED` (and a little more) that a finished, legal game shows."""
    shown = {f"{record['players']} players"}
    after: Json = {}
    for before, turn, after in naive.positions(record):
        shown |= turn_features(before, turn, after)
    return shown | result_features(after)


def turn_features(before: Json, turn: Json, after: Json) -> set[str]:
    shown = set()
    move, seat = turn["move"], turn["seat"]
    rains = after["rain"] - before["rain"]
    if before["phase"] == "main" and rains:
        how = "gather" if move["type"] == "gather" else "refill"
        shown.add(f"rain in a {how}")
        if after["rain"] == 5:
            shown.add(f"5th rain in a {how}")
            if before["rain"] < 2:
                shown.add("2nd and 5th rain in one turn")
    if move["type"] == "pet":
        hand = before["hands"][seat]
        if move["card"] is None:
            shown.add("no pet" if hand else "no pet with an empty hand")
        elif naive_scoring.pet_counts(before["cards"][move["card"]]):
            shown.add("a pet that counts")
        else:
            shown.add("a pet that does not count")
    if move["type"] == "pass":
        forced = len(naive_rules.legal_moves(before, seat)) == 1
        shown.add("a forced pass" if forced else "a pass with a play left")
    if move["type"] == "board":
        shown |= board_features(before, seat, move["plays"])
    return shown


def board_features(before: Json, seat: int, plays: list[Json]) -> set[str]:
    cards = before["cards"]
    ending = before["phase"] == "end"
    shown = {"one card" if len(plays) == 1 else "two cards"}
    if ending and len(before["passed"]) == before["players"] - 1:
        shown.add("a play of the last one left")
    now = before
    opened = []
    for play in plays:
        special = cards[play["card"]]["special"]
        if special:
            shown.add(f"{special} enters")
        if special == "chimpanzee":
            shown.add(f"chimpanzee marks {play['mark']}")
        if "out" in play:
            shown.add(f"{special} drives out")
            shown.add(f"{cards[play['out']]['special'] or 'an animal'} is driven out")
            if ending:
                shown.add("driving out in the end phase")
            side, number = play["cabin"][0], int(play["cabin"][1:])
            if len(now["ark"][side][number - 1]) == 3:
                shown.add("a full cabin is entered")
        if naive_rules.is_opening(now, play):
            opened.append(play["cabin"])
            if ending:
                shown.add("a new cabin in the end phase")
                if naive_rules.right_neighbour(now, seat) in now["passed"]:
                    shown.add("a timber for one who has passed")
            if not now["display"]:
                shown.add("a new cabin with an empty display")
        now = naive_rules.after_play(now, seat, play)
    if len(opened) == 2:
        shown.add("two new cabins in a turn")
        if opened[0][0] == opened[1][0]:
            shown.add("the second opens the cabin after the first")
        if before["timbers"][seat] == 1:
            shown.add("the fox pays for the second")
    if len(plays) == 2 and plays[1]["card"] == plays[0].get("take"):
        shown.add("the second card is the one taken with the first")
    return shown


def result_features(position: Json) -> set[str]:
    result = naive_scoring.score(position)
    shown = set()
    if result["totals"].count(max(result["totals"])) > 1:
        shown.add("a tie for the victory" if len(result["winners"]) == 1 else "a shared victory")
    if any(0 in points for points in result["scoring"].values()):
        shown.add("a seat without points on a kind")
    return shown
