"""The engine's command line: simulate, replay, show, verify."""

import argparse
import sys

from engine.bots import BOTS


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 for a fault found, 2 for a wrong call."""
    options = _parser().parse_args(arguments)
    # each command imports no more than it needs: a start is a good part of a short run
    if options.command == "simulate":
        from engine.cli.simulate import run
    else:
        from engine.cli.records import run
    try:
        return run(options)
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description="The rules of Ark.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

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

    again = commands.add_parser("replay", help="check records by the rules")
    again.add_argument("file")

    text = commands.add_parser("show", help="show a position as text")
    text.add_argument("file")
    text.add_argument("--game", type=int, default=1, metavar="G", help="which one of the file")
    text.add_argument("--turn", type=int, metavar="N", help="after this many turns (default: all)")
    text.add_argument("--seat", type=int, metavar="S", help="what this seat may know")

    proof = commands.add_parser("verify", help="check how games were dealt")
    proof.add_argument("file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
