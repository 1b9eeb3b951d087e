"""The engine's command line: simulate, replay, show, verify."""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.bots import BOTS
from engine.cards import Deck, DeckError, builtin_deck, load_deck
from engine.proof import verify
from engine.record import Record, RecordError, replay, scan, walk
from engine.record.check import start
from engine.show import show
from engine.simulate import simulate
from engine.view import view


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 for a fault found, 2 for a wrong call."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description="The rules of Ark.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    play = commands.add_parser("simulate", help="play games between bots, write their records")
    play.add_argument("--players", type=int, choices=(3, 4, 5), required=True)
    play.add_argument("--games", type=int, required=True, metavar="K")
    play.add_argument("--seed", required=True, metavar="S")
    play.add_argument(
        "--bot",
        default="random",
        metavar="NAME",
        help=f"one of {', '.join(BOTS)}, or a list by seat divided by commas",
    )
    play.add_argument("--deck", metavar="FILE.csv", help="another deck than the house deck")
    play.add_argument("--legal", action="store_true", help="write the legal moves of every turn")
    play.add_argument("--state", action="store_true", help="write the position after every turn")
    play.add_argument("--out", required=True, metavar="FILE.jsonl")
    play.set_defaults(command=_simulate)

    again = commands.add_parser("replay", help="check records by the rules")
    again.add_argument("file")
    again.set_defaults(command=_replay)

    text = commands.add_parser("show", help="show a position as text")
    text.add_argument("file")
    text.add_argument("--turn", type=int, metavar="N", help="after this many turns (default: all)")
    text.add_argument("--seat", type=int, metavar="S", help="what this seat may know")
    text.set_defaults(command=_show)

    proof = commands.add_parser("verify", help="check how a game was dealt")
    proof.add_argument("file")
    proof.set_defaults(command=_verify)
    return parser


def _simulate(options: argparse.Namespace) -> int:
    bots = options.bot.split(",")
    if len(bots) == 1:
        bots *= options.players
    unknown = [name for name in bots if name not in BOTS]
    if unknown or len(bots) != options.players:
        return _wrong(f"--bot takes one of {', '.join(BOTS)}, or one for every seat")
    if options.games < 0:
        return _wrong("--games takes a number of games")
    try:
        deck = _deck(options.deck)
        with open(options.out, "w", encoding="utf-8", newline="\n") as out:
            for line in simulate(
                options.players,
                options.games,
                options.seed,
                bots,
                deck,
                with_legal=options.legal,
                with_state=options.state,
            ):
                out.write(line + "\n")
    except DeckError as error:
        return _wrong(str(error))
    except OSError as error:
        return _wrong(f"{error.filename}: {error.strerror}")
    return 0


def _deck(file: str | None) -> Deck:
    return builtin_deck() if file is None else load_deck(file, Path(file).stem)


def _wrong(message: str) -> int:
    print(f"python -m engine: {_one_line(message)}", file=sys.stderr)
    return 2


def _one_line(text: str) -> str:
    """The text as one line of ASCII, whatever stands in it."""
    return ascii(text)[1:-1].replace("\\'", "'")


def _records(file: str) -> Iterator[tuple[int, Record]]:
    """The records of a file, counted from 1.  Raises `RecordError`."""
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RecordError(f"this file cannot be read: {error.strerror}") from None
    except ValueError:
        raise RecordError("this is no record: it is not UTF-8 text") from None
    yield from enumerate(scan(text), 1)


def _fault(file: str, game: int | None, message: str) -> int:
    where = file if game is None else f"game {game}"
    print(_one_line(f"{where}: {message}"))
    return 1


def _replay(options: argparse.Namespace) -> int:
    game = 0
    try:
        for game, record in _records(options.file):
            print(_one_line(f"game {game}: {_summary(record)}"))
    except RecordError as error:
        return _fault(options.file, game or None, str(error))
    return 0


def _summary(record: Record) -> str:
    again = replay(record)
    said = f"{record.players} players, {len(record.turns)} turns"
    if record.result is not None:
        winners = ", ".join(_seat(record, seat) for seat in record.result["winners"])
        totals = " ".join(map(str, record.result["totals"]))
        return f"{said}, won by {winners} ({totals})"
    state = "ended early" if record.ended else "not over"
    return f"{said}, {state} (phase {again.position.phase})"


def _seat(record: Record, seat: int) -> str:
    return f"seat {seat}" if record.names is None else f"seat {seat} {record.names[seat]}"


def _show(options: argparse.Namespace) -> int:
    try:
        _, record = next(_records(options.file))
        turns = len(record.turns) if options.turn is None else options.turn
        if not 0 <= turns <= len(record.turns):
            return _wrong(f"--turn is 0 to {len(record.turns)} in this game")
        if options.seat is not None and not 0 <= options.seat < record.players:
            return _wrong(f"--seat is 0 to {record.players - 1} in this game")
        position = start(record)
        for number, (_, _, after) in enumerate(walk(record), 1):
            if number > turns:
                break
            position = after.copy()
        print(show(view(position, options.seat)))
    except RecordError as error:
        return _fault(options.file, None, str(error))
    return 0


def _verify(options: argparse.Namespace) -> int:
    status = 0
    try:
        for game, record in _records(options.file):
            faults = verify(record)
            for fault in faults:
                status = _fault(options.file, game, fault)
            if not faults:
                print(f"game {game}: the deal is the one that was committed to")
    except RecordError as error:
        return _fault(options.file, None, str(error))
    return status


if __name__ == "__main__":
    sys.exit(main())
