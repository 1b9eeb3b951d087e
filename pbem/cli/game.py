"""`game …`: look after one table from the command line."""

import click

from pbem.cli.acting import acted, done
from pbem.cli.arguments import NUMBER, REASON, SEAT
from pbem.cli.opening import opened
from pbem.desk.deciding import DECISIONS, decide
from pbem.moderation import Target
from pbem.store import Game
from pbem.store.audit import Actor, note
from pbem.store.log import Author

AUTHOR = Author("cli")


@click.group()
def game() -> None:
    """Look after one table: stop its clocks, end it, decide on a seat, let it go on.  These
    and all other actions: `act --list`."""


@game.command("resume")
@click.argument("game_id", type=NUMBER)
@REASON
def resume_game(game_id: int, reason: str) -> None:
    """Let a halted or paused table go on; the time in between is nobody's."""
    _act("resume", game_id, reason)
    click.echo(f"game {game_id} goes on")


@game.command("pause")
@click.argument("game_id", type=NUMBER)
@REASON
def pause_game(game_id: int, reason: str) -> None:
    """Stop the clocks of a table until somebody lets them run."""
    _act("pause", game_id, reason)
    click.echo(f"the clocks of game {game_id} stand still")


@game.command("end")
@click.argument("game_id", type=NUMBER)
@REASON
@click.option("--yes", is_flag=True, help="Really; nobody wins.")
def end_game(game_id: int, reason: str, yes: bool) -> None:
    """End a running game before its last turn; nobody wins."""
    if not yes:
        raise click.ClickException("everybody is told at once; say it again with --yes")
    _act("end", game_id, reason)
    click.echo(f"game {game_id} has ended")


@game.command("seat")
@click.argument("game_id", type=NUMBER)
@click.argument("seat", type=SEAT)
@click.argument("decision", type=click.Choice(DECISIONS))
def decide_seat(game_id: int, seat: int, decision: str) -> None:
    """Decide on a seat that is offered: wait for its holder, ask the substitutes, a bot."""
    with opened() as installation, installation.store.work() as session:
        table, now = session.get(Game, game_id, with_for_update=True), installation.clock()
        if table is None:
            raise click.ClickException(f"there is no game {game_id}")
        if not decide(session, installation.site, now, AUTHOR, table, seat, decision):
            raise click.ClickException(f"seat {seat} of game {game_id} is not offered")
        note(session, now, Actor("cli"), f"seat {decision}", game_id=game_id, seat=seat)
    click.echo(f"seat {seat} of game {game_id}: {decision}")


def _act(name: str, game_id: int, reason: str) -> None:
    with opened() as installation:
        done(acted(installation, name, Target(game_id), reason))
