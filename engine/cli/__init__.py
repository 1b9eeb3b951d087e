"""The commands of ``python -m engine``; each `run` takes the options and gives the exit status."""

import sys


def one_line(text: str) -> str:
    """The text as one line of ASCII, whatever stands in it."""
    return ascii(text)[1:-1].replace("\\'", "'")


def wrong_call(message: str) -> int:
    """Say what is wrong with how the command was called."""
    print(f"python -m engine: {one_line(message)}", file=sys.stderr)
    return 2
