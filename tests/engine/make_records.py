"""Search for a small set of games that shows all of `features.REQUIRED`.

    python -m tests.engine.make_records

writes `tests/records/games.jsonl`, and one game for each number of players with the legal moves
and the position of every turn into `tests/records/full-N.ark.json`. The games are kept as they are
once they lie there: they say what earlier versions of the engine did. Run this only to add what
they do not show yet.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.cards import builtin_deck
from engine.game import new_game
from engine.record import setup_of
from tests.engine import naive, naive_rules, naive_scoring, naive_setup
from tests.engine.features import REQUIRED, features

RECORDS = Path(__file__).parents[1] / "records"
Json = dict[str, Any]


def candidates() -> Iterator[Json]:
    """Games of random play, one in ten with the rain cards of the lower half all together."""
    for number in range(100_000):
        rng = random.Random(number)
        players = 3 + number % 3
        setup = setup_of(new_game(f"records {number}", players, builtin_deck()))
        if number % 10 == 9:
            gather_rain(setup["stack"], rng)
        yield played(rng, players, setup)


def gather_rain(stack: list[str], rng: random.Random) -> None:
    """Put the four rain cards of the lower half below one another, as R3.4 may deal them."""
    half = stack.index("rain")
    lower = [name for name in stack[half + 1 :] if name != "rain"]
    place = rng.randint(0, len(lower))
    stack[half + 1 :] = lower[:place] + ["rain"] * 4 + lower[place:]


def played(rng: random.Random, players: int, setup: Json) -> Json:
    """A game with a taste for what is rare: driving out, special animals, new cabins."""
    cards = naive_setup.by_name(naive_setup.read_deck())
    position = naive_rules.start(setup, players, cards)
    turns = []
    while position["to_move"]:
        seat = rng.choice(position["to_move"])
        legal = naive_rules.legal_moves(position, seat)
        kind = rng.choice(sorted({move["type"] for move in legal}))
        of_kind = [move for move in legal if move["type"] == kind]
        rare = [move for move in of_kind if is_rare(move, cards)]
        move = rng.choice(rare if rare and rng.random() < 0.5 else of_kind)
        turns.append({"seat": seat, "move": move})
        position = naive_rules.after_move(position, seat, move)
    return {
        "format": "ark-record/1",
        "deck": "house",
        "players": players,
        "setup": setup,
        "turns": turns,
        "result": naive_scoring.score(position),
    }


def is_rare(move: Json, cards: dict[str, Json]) -> bool:
    plays = move.get("plays", [])
    return any("out" in play or cards[play["card"]]["special"] for play in plays)


def main() -> None:
    missing = set(REQUIRED)
    chosen = []
    for record in candidates():
        new = features(record) & missing
        # A game that adds little is not worth its place while much is missing.
        if len(new) >= max(1, len(missing) // 8):
            missing -= new
            chosen.append({**record, "x-shows": sorted(new)})
            print(f"{len(chosen)} games; missing: {sorted(missing)}")
        if not missing:
            break
    with (RECORDS / "games.jsonl").open("w", encoding="utf-8") as out:
        for record in chosen:
            out.write(json.dumps(record) + "\n")
    for players in (3, 4, 5):
        games = [record for record in chosen if record["players"] == players]
        full = [naive.play_again(game, with_legal=True, with_state=True) for game in games]
        text = min((json.dumps(game, separators=(",", ":")) for game in full), key=len)
        path = RECORDS / f"full-{players}.ark.json"
        path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
