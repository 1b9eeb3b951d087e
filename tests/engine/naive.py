"""The naive implementation as a program: oracle of the tests, baseline of the benchmark.

    python -m tests.engine.naive simulate --players 3 --games 10 --seed 1 --out FILE.jsonl
    python -m tests.engine.naive simulate --replay-of FILE.jsonl --out FILE.jsonl
    python -m tests.engine.naive check FILE…

`simulate --replay-of` plays the games of other records again: on every turn it makes the complete
legal list, looks the recorded move up in it, and plays it. `--legal` and `--state` write them into
the records. `check` compares everything a record states with what the naive rules say.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.engine import naive_rules as rules
from tests.engine import naive_setup
from tests.engine.naive_placing import Card, Move, Position
from tests.engine.naive_scoring import score

Record = dict[str, Any]


def same_moves(one: list[Move], other: list[Move]) -> bool:
    return sorted(map(move_key, one)) == sorted(map(move_key, other))


def move_key(move: Move) -> str:
    """A text to sort moves by and to compare them with."""
    return json.dumps(move, sort_keys=True)


def deck_of(record: Record) -> list[Card]:
    """The cards of a record, from the record itself or from the house deck."""
    if "cards" not in record:
        return naive_setup.read_deck()
    cards: list[Card] = record["cards"]
    return cards


def positions(record: Record) -> Iterator[tuple[Position, dict[str, Any], Position]]:
    """Position before, turn, position after, for every turn; the moves are taken to be legal."""
    cards = naive_setup.by_name(deck_of(record))
    position = rules.start(record["setup"], record["players"], cards)
    for turn in record["turns"]:
        after = rules.after_move(position, turn["seat"], turn["move"])
        yield position, turn, after
        position = after


def position_after(record: Record, turns: int) -> Position:
    """The position when so many turns of a record of legal moves are done."""
    cards = naive_setup.by_name(deck_of(record))
    position = rules.start(record["setup"], record["players"], cards)
    for turn in record["turns"][:turns]:
        position = rules.after_move(position, turn["seat"], turn["move"])
    return position


def replay_check(record: Record) -> list[str]:
    """Everything in which the record differs from the rules; [] = right."""
    if not naive_setup.setup_is_legal(record["setup"], record["players"], deck_of(record)):
        return ["setup"]
    cards = naive_setup.by_name(deck_of(record))
    position = rules.start(record["setup"], record["players"], cards)
    faults: list[str] = []
    for number, turn in enumerate(record["turns"], 1):
        legal = rules.legal_moves(position, turn["seat"])
        if turn["move"] not in legal:
            return [*faults, f"turn {number}: not legal: {turn['move']}"]
        if "legal" in turn and not same_moves(turn["legal"], legal):
            faults.append(f"turn {number}: legal")
        position = rules.after_move(position, turn["seat"], turn["move"])
        if "state" in turn and turn["state"] != rules.state(position):
            faults.append(f"turn {number}: state")
    if position["phase"] == "over":
        if record.get("result") != score(position):
            faults.append("result")
    elif "result" in record:
        faults.append("result of a game that is not over")
    return faults


def play_again(record: Record, with_legal: bool, with_state: bool) -> Record:
    """The same game, every move checked against the complete legal list."""
    cards = naive_setup.by_name(deck_of(record))
    position = rules.start(record["setup"], record["players"], cards)
    turns = []
    for number, old_turn in enumerate(record["turns"], 1):
        seat, move = old_turn["seat"], old_turn["move"]
        legal = rules.legal_moves(position, seat)
        if move not in legal:
            raise ValueError(f"turn {number}: not legal: {move}")
        position = rules.after_move(position, seat, move)
        turns.append(new_turn(seat, move, legal if with_legal else None))
        if with_state:
            turns[-1]["state"] = rules.state(position)
    kept = {key: record[key] for key in ["format", "deck", "cards", "players"] if key in record}
    return finished({**kept, "setup": record["setup"], "turns": turns}, position)


def play_at_random(
    rng: random.Random, players: int, deck: list[Card], with_legal: bool, with_state: bool
) -> Record:
    """A new game with a uniform choice from the sorted legal list."""
    setup = naive_setup.deal(rng, players, deck)
    position = rules.start(setup, players, naive_setup.by_name(deck))
    turns = []
    while position["to_move"]:
        seat = rng.choice(position["to_move"])
        legal = sorted(rules.legal_moves(position, seat), key=move_key)
        move = rng.choice(legal)
        position = rules.after_move(position, seat, move)
        turns.append(new_turn(seat, move, legal if with_legal else None))
        if with_state:
            turns[-1]["state"] = rules.state(position)
    record: Record = {"format": "ark-record/1", "deck": "house", "players": players}
    if deck != naive_setup.read_deck():
        record["deck"] = "other"
        record["cards"] = deck
    return finished({**record, "setup": setup, "turns": turns}, position)


def new_turn(seat: int, move: Move, legal: list[Move] | None) -> dict[str, Any]:
    turn: dict[str, Any] = {"seat": seat, "move": move}
    if legal is not None:
        turn["legal"] = legal
    return turn


def finished(record: Record, position: Position) -> Record:
    if position["phase"] == "over":
        record["result"] = score(position)
    return record


def read_records(path: Path) -> list[Record]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return [json.loads(text)]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.naive")
    commands = parser.add_subparsers(dest="command", required=True)
    simulate = commands.add_parser("simulate")
    simulate.add_argument("--replay-of", type=Path)
    simulate.add_argument("--players", type=int, default=3)
    simulate.add_argument("--games", type=int, default=1)
    simulate.add_argument("--seed", type=int, default=0)
    simulate.add_argument("--legal", action="store_true")
    simulate.add_argument("--state", action="store_true")
    simulate.add_argument("--out", type=Path, required=True)
    check = commands.add_parser("check")
    check.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args(arguments)

    if options.command == "check":
        wrong = 0
        for path in options.files:
            for number, record in enumerate(read_records(path), 1):
                for fault in replay_check(record):
                    print(f"{path.name} game {number}: {fault}")
                    wrong += 1
        return 1 if wrong else 0

    with options.out.open("w", encoding="utf-8") as out:
        if options.replay_of is not None:
            for record in read_records(options.replay_of):
                again = play_again(record, options.legal, options.state)
                out.write(json.dumps(again, ensure_ascii=False) + "\n")
        else:
            rng = random.Random(options.seed)
            deck = naive_setup.read_deck()
            for _ in range(options.games):
                played = play_at_random(rng, options.players, deck, options.legal, options.state)
                out.write(json.dumps(played, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
