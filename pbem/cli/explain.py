"""`explain`: how mails are read."""

import json
import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

from pbem.cli.arguments import NUMBER, SEAT
from pbem.cli.opening import opened
from pbem.installation import Installation
from pbem.intake.explain import UnknownSeatError, unreadable
from pbem.intake.explain import explain as explanation

log = logging.getLogger(__name__)

MOST_SECONDS = 0.9  # of the processor for one mail, whatever is in it
AGAIN_SECONDS = 0.05


class _TooLongError(Exception):
    """Reading took too long."""


@click.command()
@click.option("--game", "game_id", type=NUMBER, help="Read as for a seat of this game.")
@click.option("--seat", type=SEAT, help="The seat, from 0.")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def explain(game_id: int | None, seat: int | None, files: tuple[Path, ...]) -> None:
    """Print how mails are read: one JSON object a mail, one a line.

    Reads FILES, or one mail from standard input.  Nothing is stored or sent.  With --game
    and --seat the mail is read as the server would for that seat now."""
    if (game_id is None) != (seat is None):
        raise click.UsageError("--game and --seat belong together")
    with ExitStack() as stack:
        installation = None if game_id is None else stack.enter_context(opened())
        for name, raw in _mails(files):
            answer = _explained(raw, installation, game_id, seat)
            if len(files) > 1:
                answer = {"file": name, **answer}
            # ASCII only: one line stays one line for every program that reads it.
            click.echo(json.dumps(answer))


def _mails(files: tuple[Path, ...]) -> Iterator[tuple[str, bytes]]:
    if not files:
        yield "-", sys.stdin.buffer.read()
    for path in files:
        yield str(path), path.read_bytes()


def _explained(
    raw: bytes, installation: Installation | None, game_id: int | None, seat: int | None
) -> dict[str, Any]:
    try:
        with _time_limit(MOST_SECONDS):
            return explanation(raw, installation, game_id, seat)
    except UnknownSeatError as error:
        raise click.ClickException(str(error)) from None
    except _TooLongError:
        log.warning("a mail could not be read within %s s", MOST_SECONDS)
    except Exception:  # nothing in a mail may make this fail
        log.exception("a mail could not be read")
    return unreadable()


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def end(*_: object) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGPROF, end)
    # Again and again: where it cannot get through, in the end of a weak reference, it is lost.
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
